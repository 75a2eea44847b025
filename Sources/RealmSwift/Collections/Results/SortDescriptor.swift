/// A sort key: a property and a direction.
///
/// ```swift
/// let byHeight = huts.sorted(by: [RealmSwift.SortDescriptor(keyPath: "altitude", ascending: false)])
/// ```
@frozen public struct SortDescriptor {
  /// The name of the property, or a path of names across links, such as "owner.name".
  public let keyPath: String
  /// Whether the order is ascending.
  public let ascending: Bool

  /// Creates a sort key from the name of a property or a path.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Creates a sort key from a key path.
  public init<ObjectType: ObjectBase>(keyPath: PartialKeyPath<ObjectType>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Returns the same sort key in the opposite direction.
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
  /// Creates an ascending sort key from the name of a property.
  public init(stringLiteral value: StringLiteralType) {
    self.init(keyPath: value)
  }
}
