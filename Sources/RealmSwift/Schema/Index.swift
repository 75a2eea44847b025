/// An index over one or several properties of a class, which the class names in `indexes()`. An addition to the official SDK.
///
///     class Invoice: Object {
///       @Persisted(unique: true) var reference: String?
///       @Persisted var tenant = ""
///       @Persisted var number = 0
///       @Persisted var city = ""
///       @Persisted var due = Date()
///
///       override class func indexes() -> [Index] {
///         [.primaryKey(\.tenant, \.number), .index(\.city, \.due)]
///       }
///     }
///
/// Properties can be integers, Booleans, strings, dates, `ObjectId`s and `UUID`s, optional or not. The paths are looked up when
/// a realm is opened, which stops the program when a class has no such property; `\Invoice.tenant` lets the compiler do that. Links,
/// numbers with fractions, data, mixed values and collections can not be in one.
///
/// The file keeps the indexes, for all programs that write to it. Changing them needs no new schema version, but for primary
/// keys. A class that does not name any leaves those of the file as they are; `[.none]` takes them away.
public struct Index: Hashable, Sendable {
  /// What an index promises.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Nothing: it is there to find objects.
    case plain
    /// No two objects have the same values, unless one of these is nil.
    case unique
    /// The values are the primary key.
    case primaryKey
    /// It stands for no index at all.
    case none
  }

  /// What it promises.
  public let kind: Kind
  /// The names of the properties, in the order of the index.
  public let properties: [String]

  /// An index over properties with names, for classes that are described.
  public init(_ kind: Kind, _ properties: [String]) {
    self.kind = kind
    self.properties = properties
  }

  /// Takes the place of the list where there are no indexes any more.
  public static let none = Index(.none, [])

  /// An index in the order of the properties. Queries use it that compare the first ones with single values, and the next one
  /// with a range, and those that sort in its order.
  public static func index(_ properties: KeyPath<IndexedProperty, IndexedProperty>...) -> Index {
    Index(.plain, properties.map(\.propertyName))
  }

  /// An index with a rule: two objects must not have the same values, unless one of these is nil.
  ///
  /// The rule must hold at the end of each write transaction, which is rolled back otherwise: its commit throws
  /// `Realm.Error.ruleBroken`. Opening a realm throws the same when the objects that are there break it.
  public static func unique(_ properties: KeyPath<IndexedProperty, IndexedProperty>...) -> Index {
    Index(.unique, properties.map(\.propertyName))
  }

  /// A primary key of several properties, for ``Realm/object(ofType:forPrimaryKey:)`` and for updates by `add` and `create`.
  /// Unlike one of a single property it can be changed, and nil is a value like others.
  ///
  /// Adding, changing or taking away a primary key needs a new schema version.
  public static func primaryKey(_ properties: KeyPath<IndexedProperty, IndexedProperty>...) -> Index {
    Index(.primaryKey, properties.map(\.propertyName))
  }

  /// An index over properties that the compiler looks up.
  public static func index<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> Index {
    Index(.plain, properties.map { _name(for: $0) })
  }

  /// A rule for properties that the compiler looks up.
  public static func unique<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> Index {
    Index(.unique, properties.map { _name(for: $0) })
  }

  /// A primary key of properties that the compiler looks up.
  public static func primaryKey<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> Index {
    Index(.primaryKey, properties.map { _name(for: $0) })
  }
}

/// Stands for any property in the paths of an ``Index``.
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
  /// Such as `unique(tenant, number)`.
  public var description: String {
    "\(kind == .plain ? "index" : kind.rawValue)(\(properties.joined(separator: ", ")))"
  }
}

extension Index: Codable {
  private enum Key: String, CodingKey {
    case kind, properties
  }

  /// Reads an index: `{"kind": "unique", "properties": ["tenant", "number"]}`. Without a kind it is a plain one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .plain,
      try values.decode([String].self, forKey: .properties))
  }

  /// Writes the index.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    if kind != .plain { try values.encode(kind, forKey: .kind) }
    try values.encode(properties, forKey: .properties)
  }
}
