/// A type whose values belong to a realm and therefore to one thread, queue or actor. Only the types of the
/// library can be passed to other threads.
public protocol ThreadConfined {
  /// The realm that manages the value; nil if it is unmanaged.
  var realm: Realm? { get }
  /// Whether the value can no longer be used, because its row was deleted or its realm invalidated.
  var isInvalidated: Bool { get }
  /// Whether the value belongs to a frozen realm, which never changes and can be read on any thread.
  var isFrozen: Bool { get }
  /// Returns the value in a frozen realm of the same version, or the value itself if it is frozen already.
  func freeze() -> Self
  /// Returns the value in the live realm of the current thread; itself if it is live already, and nil if it
  /// no longer exists.
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
