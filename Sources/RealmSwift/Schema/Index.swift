/// An index over one or several properties of a class, which the class returns from `indexes()`. An addition
/// to the official SDK.
///
/// ```swift
/// class Invoice: Object {
///   @Persisted(unique: true) var reference: String?
///   @Persisted var tenant = ""
///   @Persisted var number = 0
///   @Persisted var city = ""
///   @Persisted var due = Date()
///
///   override class func indexes() -> [Index] {
///     [.primaryKey(\.tenant, \.number), .index(\.city, \.due)]
///   }
/// }
/// ```
///
/// Properties can be integers, Booleans, strings, dates, `ObjectId` and `UUID`, optional or not. Links,
/// floating-point and decimal numbers, data, mixed values and collections cannot be indexed this way. The
/// paths are looked up when a realm is opened, which stops the program if a class has no such property; with
/// `\Invoice.tenant` the compiler checks them.
///
/// The file keeps the indexes, for all programs that write to it. Changing them needs no new schema version,
/// except for primary keys. A class that returns no index leaves the indexes of the file unchanged; `[.none]`
/// removes them.
public struct Index: Hashable, Sendable {
  /// The kind of an index.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// An index for lookups only.
    case plain
    /// A unique index: no two objects have the same values, unless one of the values is nil.
    case unique
    /// A primary key.
    case primaryKey
    /// No index.
    case none
  }

  /// The kind of the index.
  public let kind: Kind
  /// The names of the properties, in the order of the index.
  public let properties: [String]

  /// Creates an index over properties given by name, for classes that are described at run time.
  public init(_ kind: Kind, _ properties: [String]) {
    self.kind = kind
    self.properties = properties
  }

  /// A placeholder for the list of a class that has no indexes any more.
  public static let none = Index(.none, [])

  /// Returns an index in the order of the properties. It serves queries that compare the first properties
  /// with single values and the next one with a range, and queries that sort in its order.
  public static func index(_ properties: KeyPath<IndexedProperty, IndexedProperty>...) -> Index {
    Index(.plain, properties.map(\.propertyName))
  }

  /// Returns a unique index: two objects must not have the same values, unless one of the values is nil.
  ///
  /// The rule is checked at the end of each write transaction. A transaction that violates it is rolled back:
  /// its commit throws `Realm.Error.ruleBroken`. Opening a realm throws the same error if existing objects
  /// violate the rule.
  public static func unique(_ properties: KeyPath<IndexedProperty, IndexedProperty>...) -> Index {
    Index(.unique, properties.map(\.propertyName))
  }

  /// Returns a primary key of several properties, for ``Realm/object(ofType:forPrimaryKey:)`` and for updates
  /// by `add` and `create`. Unlike a primary key of a single property it can be changed, and nil is a value
  /// like any other.
  ///
  /// Adding, changing or removing a primary key needs a new schema version.
  public static func primaryKey(_ properties: KeyPath<IndexedProperty, IndexedProperty>...) -> Index {
    Index(.primaryKey, properties.map(\.propertyName))
  }

  /// Returns an index over properties that the compiler checks.
  public static func index<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> Index {
    Index(.plain, properties.map { _name(for: $0) })
  }

  /// Returns a unique index over properties that the compiler checks.
  public static func unique<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> Index {
    Index(.unique, properties.map { _name(for: $0) })
  }

  /// Returns a primary key of properties that the compiler checks.
  public static func primaryKey<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> Index {
    Index(.primaryKey, properties.map { _name(for: $0) })
  }
}

/// A placeholder for any property in the paths of an ``Index``.
@dynamicMemberLookup
public struct IndexedProperty: Sendable {
  fileprivate let name: String

  /// The property with a name.
  public subscript(dynamicMember member: String) -> IndexedProperty {
    IndexedProperty(name: name.isEmpty ? member : "\(name).\(member)")
  }
}

extension KeyPath<IndexedProperty, IndexedProperty> {
  fileprivate var propertyName: String { IndexedProperty(name: "")[keyPath: self].name }
}

extension Index: CustomStringConvertible {
  /// The description, such as `unique(tenant, number)`.
  public var description: String {
    "\(kind == .plain ? "index" : kind.rawValue)(\(properties.joined(separator: ", ")))"
  }
}

extension Index: Codable {
  private enum Key: String, CodingKey {
    case kind, properties
  }

  /// Decodes an index: `{"kind": "unique", "properties": ["tenant", "number"]}`. Without a kind it is a plain
  /// index.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .plain,
      try values.decode([String].self, forKey: .properties))
  }

  /// Encodes the index.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    if kind != .plain { try values.encode(kind, forKey: .kind) }
    try values.encode(properties, forKey: .properties)
  }
}
