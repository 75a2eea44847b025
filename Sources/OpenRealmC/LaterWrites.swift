public import COpenRealm
import RealmSwift

// realm.h: asynchronous write transactions.

/// A function that is called when a transaction has begun or is committed, with NULL or the reason why not.
public typealias LaterCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<openrealm_error>?) -> Void

@c @implementation public func openrealm_begin_later(
  _ realm: OpaquePointer?, _ begun: LaterCallback?, _ context: UnsafeMutableRawPointer?,
  _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ number: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in
      guard let begun else { throw .null }
      let context = DeferredContext(context)
      let known = try realm.numbered.beginLater { refusal in context.call(begun, refusal) }
      context.destroy = destroy
      number?.pointee = known
    }
  }
}

@c @implementation public func openrealm_commit_later(
  _ realm: OpaquePointer?, _ allows_grouping: Bool, _ committed: LaterCallback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ number: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in
      let context = DeferredContext(context)
      let known = try realm.numbered.commitLater(allowsGrouping: allows_grouping) { refusal in
        if let committed { context.call(committed, refusal) }
      }
      context.destroy = destroy
      number?.pointee = known
    }
  }
}

@c @implementation public func openrealm_cancel_later(_ realm: OpaquePointer?, _ number: UInt32) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in try realm.numbered.cancelLater(number) }
  }
}

@c @implementation public func openrealm_has_later_writes(_ realm: OpaquePointer?) -> Bool {
  value(or: false) { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in try realm.numbered.hasLaterWrites() }
  }
}

extension DeferredContext {
  /// Calls a function with the context and a refusal as C has it, which is valid only there; NULL for nil.
  fileprivate func call(_ function: LaterCallback, _ refusal: Refusal?) {
    keep { context in
      guard let refusal else { return function(context, nil) }
      refusal.message.withCString { message in
        var error = openrealm_error(
          code: refusal.code.rawValue, message: message, path: nil,
          position: refusal.position.map { Int64($0) } ?? -1)
        guard let path = refusal.path else { return function(context, &error) }
        path.withCString {
          error.path = $0
          function(context, &error)
        }
      }
    }
  }
}
