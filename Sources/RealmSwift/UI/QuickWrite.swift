import Storage

/// The rules of reading and writing from user interfaces: what is shown is frozen, what is written is thawed, and a
/// write that finds no open transaction opens its own.
@MainActor enum QuickWrite {
  /// Runs a body with the live value: within the open write transaction of its realm, or in one of its own. A value in
  /// memory is handed on as it is; nothing happens to one that was deleted.
  static func write<Value: ThreadConfined>(_ value: Value, _ body: (Value) -> Void) {
    guard value.realm != nil else {
      if !value.isGone { body(value) }
      return
    }
    guard let live = value.thaw(), !live.isGone, let realm = live.realm else { return }
    if realm.isInWriteTransaction { return body(live) }
    do {
      try realm.write { body(live) }
    } catch {
      trap("The quick write could not be stored: \(error.localizedDescription)")
    }
  }

  /// Deletes an object from its realm. Nothing happens to one that is in memory only, or gone.
  static func delete<Value: ObjectBase & ThreadConfined>(_ object: Value) {
    if object.realm != nil { write(object) { $0.realm?.delete($0) } }
  }

  /// What a view gets to see of a value: a frozen copy when it is managed.
  static func shown<Value>(_ value: Value) -> Value {
    guard let confined = value as? any ThreadConfined else { return value }
    return frozen(confined) as! Value
  }

  /// A frozen copy; what the open write transaction has added is not frozen yet and stays live.
  private static func frozen<Value: ThreadConfined>(_ value: Value) -> Value {
    guard let realm = value.realm, !value.isFrozen, !value.isGone else { return value }
    if realm.core.snapshot.hasChanges, value._rlmRelocation.find(realm.core.frozen()) == nil { return value }
    return value.freeze()
  }

  /// What is to be stored for a value that a view has: the live counterpart of what is frozen. Nil when that was
  /// deleted meanwhile.
  static func stored<Value>(_ value: Value) -> Value? {
    guard let confined = value as? any ThreadConfined, confined.isFrozen else { return value }
    return confined.thaw() as? Value
  }

  /// Stops the program: what is in memory only cannot be removed from a realm.
  static func failUnmanaged() -> Never { trap(.deletingForeignObject) }

  /// Whether storing a value would change nothing.
  static func isStored<Value>(_ new: Value, instead old: Value) -> Bool {
    if let new = new as? ObjectBase { return new._isSame(old as? ObjectBase) }
    guard let type = Value.self as? any Equatable.Type else { return false }
    return areEqual(type, new, old)
  }

  private static func areEqual<Value: Equatable>(_: Value.Type, _ first: Any, _ second: Any) -> Bool {
    first as! Value == second as! Value
  }
}
