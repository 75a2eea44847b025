public import COpenRealm
import RealmSwift

// notifications.h

/// A token that C holds.
final class TokenHandle: Handle, MarkedHandle {
  static var mark: HandleMark { .token }
  let token: NotificationToken

  init(_ token: NotificationToken) {
    self.token = token
    super.init(.token)
  }

  deinit { token.invalidate() }
}

// MARK: Event loops

@c @implementation public func openrealm_loop_descriptor() -> Int32 {
  value(or: -1) { () throws(Refusal) in
    guard let loop = EventLoop.make() else {
      throw Refusal(
        .fileAccess,
        "The process has no file descriptor left for an event loop. Close files, or raise the limit of open files ('ulimit -n')."
      )
    }
    return loop.descriptor
  }
}

@c @implementation public func openrealm_loop_perform() -> Int32 {
  code { () throws(Refusal) in
    guard let loop = EventLoop.current else {
      throw Refusal(
        .noEventLoop, "The thread has no event loop: call openrealm_loop_descriptor on it first.")
    }
    loop.perform()
  }
}

// MARK: Observers

@c @implementation public func openrealm_observe_realm(
  _ realm: OpaquePointer?, _ changed: (@convention(c) (UnsafeMutableRawPointer?, Bool) -> Void)?,
  _ context: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      guard let changed else { throw .null }
      let context = DeferredContext(context)
      let token = try realm.numbered.observe { needsRefresh in
        context.keep { changed($0, needsRefresh) }
      }
      context.destroy = destroy
      return TokenHandle(token)
    }
  }
}

@c @implementation public func openrealm_observe_collection(
  _ collection: OpaquePointer?, _ count: Int, _ key_paths: UnsafePointer<UnsafePointer<CChar>?>?,
  _ changed: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<openrealm_changes>?) -> Void)?,
  _ context: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try CollectionHandle.with(collection) { collection throws(Refusal) in
      guard let changed else { throw .null }
      let context = DeferredContext(context)
      let token = try collection.numbered.observe(keyPaths: try Text.readAll(key_paths, count)) { changes in
        context.keep { pointer in
          openrealm_changes.with(changes) { changed(pointer, $0) }
        }
      }
      context.destroy = destroy
      return TokenHandle(token)
    }
  }
}

@c @implementation public func openrealm_observe_object(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ count: Int,
  _ key_paths: UnsafePointer<UnsafePointer<CChar>?>?,
  _ changed: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<openrealm_object_change>?) -> Void
  )?,
  _ context: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      guard let changed else { throw .null }
      let context = DeferredContext(context)
      let token = try realm.numbered.observe(object.numbered, keyPaths: try Text.readAll(key_paths, count)) {
        properties in
        context.keep { pointer in
          let numbers = (properties ?? []).map { Int32($0) }
          numbers.withUnsafeBufferPointer { numbers in
            var change = openrealm_object_change()
            change.is_deleted = properties == nil
            change.property_count = numbers.count
            change.properties = numbers.baseAddress
            changed(pointer, &change)
          }
        }
      }
      context.destroy = destroy
      return TokenHandle(token)
    }
  }
}

@c @implementation public func openrealm_token_invalidate(_ token: OpaquePointer?) -> Int32 {
  code { () throws(Refusal) in
    try TokenHandle.with(token) { token throws(Refusal) in _ = token.token.invalidate() }
  }
}

@c @implementation public func openrealm_commit_without_notifying(
  _ realm: OpaquePointer?, _ count: Int, _ tokens: UnsafePointer<OpaquePointer?>?
) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      if count < 0 { throw Refusal(.badArgument, "A number of tokens is impossible.") }
      if count > 0 && tokens == nil { throw .null }
      var skipped: [NotificationToken] = []
      for index in 0..<count {
        skipped.append(try TokenHandle.with(tokens![index]) { known throws(Refusal) in known.token })
      }
      try refusing { try realm.numbered.commit(withoutNotifying: skipped) }
    }
  }
}

/// The context of an observer, which is destroyed only when there is a token: otherwise it stays the caller's.
final class DeferredContext {
  private let pointer: UnsafeMutableRawPointer?
  var destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  init(_ pointer: UnsafeMutableRawPointer?) { self.pointer = pointer }

  deinit { destroy?(pointer) }

  /// Calls a function with the context, which lives until it returns even if the function releases the token.
  func keep(_ body: (UnsafeMutableRawPointer?) -> Void) {
    withExtendedLifetime(self) { body(pointer) }
  }
}

extension openrealm_changes {
  /// Calls a closure with the changes as C has them, which are valid only there.
  fileprivate static func with(_ changes: NumberedChanges, _ body: (UnsafePointer<openrealm_changes>) -> Void)
  {
    var place = openrealm_changes()
    place.is_initial = changes.isInitial
    place.is_deleted = changes.isDeleted
    place.deletion_count = changes.deletions.count
    place.insertion_count = changes.insertions.count
    place.modification_count = changes.oldModifications.count
    changes.deletions.withUnsafeBufferPointer { deletions in
      place.deletions = deletions.baseAddress
      changes.insertions.withUnsafeBufferPointer { insertions in
        place.insertions = insertions.baseAddress
        changes.oldModifications.withUnsafeBufferPointer { old in
          place.old_modifications = old.baseAddress
          changes.newModifications.withUnsafeBufferPointer { new in
            place.new_modifications = new.baseAddress
            withKeys(changes, &place, body)
          }
        }
      }
    }
  }

  private static func withKeys(
    _ changes: NumberedChanges, _ place: inout openrealm_changes,
    _ body: (UnsafePointer<openrealm_changes>) -> Void
  ) {
    let keys = changes.deletedKeys + changes.insertedKeys + changes.modifiedKeys
    if keys.isEmpty { return body(&place) }
    var texts: [UInt8] = []
    var sizes: [Int] = []
    for key in keys {
      texts += key.utf8
      sizes.append(key.utf8.count)
    }
    // So that there is an address even if all keys are empty.
    texts.append(0)
    texts.withUnsafeBytes { texts in
      var start = texts.baseAddress!.assumingMemoryBound(to: CChar.self)
      let bytes = sizes.map { size in
        defer { start += size }
        return openrealm_bytes(bytes: start, size: size)
      }
      bytes.withUnsafeBufferPointer { bytes in
        let first = bytes.baseAddress!
        place.deleted_keys = first
        place.inserted_keys = first + changes.deletedKeys.count
        place.modified_keys = first + changes.deletedKeys.count + changes.insertedKeys.count
        body(&place)
      }
    }
  }
}
