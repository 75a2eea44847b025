/// One key of a sort order: a property, and whether small values come first.
///
///     let byOwner = dogs.sorted(by: [RealmSwift.SortDescriptor(keyPath: "breed", ascending: false)])
@frozen public struct SortDescriptor {
  /// The name of the property, or a path of names over links, as in "owner.name".
  public let keyPath: String
  /// Whether small values come first.
  public let ascending: Bool

  /// Sorts by the values at a key path.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Sorts by the values at a key path.
  public init<ObjectType: ObjectBase>(keyPath: PartialKeyPath<ObjectType>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// The same key in the opposite direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: Equatable, Sendable {}

extension SortDescriptor: CustomStringConvertible {
  /// The key path and the direction.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// The property of that name, small values first.
  public init(stringLiteral value: StringLiteralType) {
    self.init(keyPath: value)
  }
}
