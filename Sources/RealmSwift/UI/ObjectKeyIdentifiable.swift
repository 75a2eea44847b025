/// Gives objects and projections an identity for the user interface, unless the class has an `id` of its own.
public protocol ObjectKeyIdentifiable: Identifiable {}

/// The name under which the protocol was first known.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// A number that stays the same as long as the object is in the realm, also in frozen copies.
  ///
  /// Stops the program when the object was deleted.
  public var id: UInt64 { _identityNumber }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The number of the object that is shown.
  public var id: UInt64 { rootObject._identityNumber }
}

extension ObjectBase {
  fileprivate var _identityNumber: UInt64 {
    if isInvalidated { trap(.objectInvalidated) }
    return _isManaged
      ? UInt64(truncatingIfNeeded: _table.number) << 48 ^ UInt64(truncatingIfNeeded: _row)
      : UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
  }
}
