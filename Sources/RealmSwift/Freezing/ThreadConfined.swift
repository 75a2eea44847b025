/// What belongs to a realm, and with it to one thread, queue or actor. Only the library's own types can be handed
/// over to others.
public protocol ThreadConfined {
  /// The realm that manages it; nil for what is in memory only.
  var realm: Realm? { get }
  /// Whether it can not be used any more, because its row was deleted or its realm invalidated.
  var isInvalidated: Bool { get }
  /// Whether it is of a frozen realm, which never changes, so that any thread may read it.
  var isFrozen: Bool { get }
  /// The same in a frozen realm of the same version; itself when it is frozen already.
  func freeze() -> Self
  /// The same in the live realm of the current thread; itself when it is live already, and nil when it is not there
  /// any more.
  func thaw() -> Self?
  /// What finds it again in another realm of the same file.
  var _rlmRelocation: _Relocation { get }
}

extension ThreadConfined {
  /// Whether it cannot be used any more. Results of an invalidated realm can: they are evaluated again.
  var isGone: Bool { isInvalidated && !_rlmRelocation.isEvaluatedAgain }

  /// Stops the program: only the library's own types can be handed over.
  public var _rlmRelocation: _Relocation {
    trap("Illegal custom conformance to `RLMThreadConfined` by `\(Self.self)`")
  }
}
