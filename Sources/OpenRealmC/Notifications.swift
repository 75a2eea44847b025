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
    try RealmHandle.holding(realm) { realm throws(Refusal) in
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
    try CollectionHandle.holding(collection) { collection throws(Refusal) in
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
    try RealmHandle.holding(realm) { realm throws(Refusal) in
      guard let changed else { throw .null }
      let context = DeferredContext(context)
      let token = try realm.numbered.observe(object.numbered, keyPaths: try Text.readAll(key_paths, count)) {
        change in
        context.keep { pointer in
          openrealm_object_change.with(change) { changed(pointer, $0) }
        }
      }
      context.destroy = destroy
      return TokenHandle(token)
    }
  }
}

@c @implementation public func openrealm_token_invalidate(_ token: OpaquePointer?) -> Int32 {
  code { () throws(Refusal) in
    try TokenHandle.holding(token) { token throws(Refusal) in _ = token.token.invalidate() }
  }
}

@c @implementation public func openrealm_commit_without_notifying(
  _ realm: OpaquePointer?, _ count: Int, _ tokens: UnsafePointer<OpaquePointer?>?
) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in
      if count < 0 { throw Refusal(.badArgument, "A number of tokens is impossible.") }
      if count > 0 && tokens == nil { throw .null }
      var skipped: [NotificationToken] = []
      for index in 0..<count {
        skipped.append(try TokenHandle.holding(tokens![index]) { known throws(Refusal) in known.token })
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
