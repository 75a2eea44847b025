/// A protocol that gives objects and projections an identity for the user interface, unless the class has an
/// `id` of its own.
public protocol ObjectKeyIdentifiable: Identifiable {}

/// The former, misspelled name of ``ObjectKeyIdentifiable``.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// A number that does not change while the object is in the realm, and that frozen copies share.
  ///
  /// Stops the program if the object was deleted.
  public var id: UInt64 { _identityNumber }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The number of the root object.
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
