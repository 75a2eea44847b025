package import Storage

/// A list, set or map of a synchronised class: a column of the realm file, and a table of the server with a row for each
/// element.
package struct SyncCollection: Sendable, Hashable {
  /// The name of the property.
  package var name: String
  /// The number of the column in the realm file.
  package var column: Int
  /// One of the numbers of the class's properties. A collection has no stamp in `_st`: each element has its own.
  package var number: Int
  /// List, set or map.
  package var kind: CollectionType
  /// The type of the elements; of a link, that of the target's key.
  package var element: ServerType
  /// Whether elements may be null.
  package var isOptional: Bool
  /// The class that links lead to.
  package var target: String?
  /// The table of the file whose embedded objects are the elements; nil for values and links.
  package var documents: Int?

  package init(
    name: String, column: Int, number: Int, kind: CollectionType, element: ServerType,
    isOptional: Bool = false, target: String? = nil, documents: Int? = nil
  ) {
    self.name = name
    self.column = column
    self.number = number
    self.kind = kind
    self.element = element
    self.isOptional = isOptional
    self.target = target
    self.documents = documents
  }
}

extension SyncCollection: CollectionForm {
  /// The column that tells the elements of an owner apart.
  var identity: String {
    switch kind {
    case .map: "key"
    case .list: "_el"
    case .set where isMixedSet: "_k"
    case .set, .none: "value"
    }
  }

  /// The column as an expression for a trigger before an insertion or update, in which generated columns are not computed yet.
  var newIdentity: String { isMixedSet ? Self.mixedKey("new.value") : "new.\(identity)" }

  /// Returns the expression for what tells a mixed value apart from others in a set.
  private static func mixedKey(_ value: String) -> String { "realm.mixed_key(\(value))" }

  /// The declaration of the generated column of a set of mixed values.
  var mixedKeyColumn: String { "_k jsonb not null generated always as (\(Self.mixedKey("value"))) stored" }

  /// The type of that column.
  var identityType: ServerType {
    switch kind {
    case .map: .text
    case .list: .bigint
    case .set, .none: element
    }
  }

  /// Whether null is an element of the set. PostgreSQL does not compare it with `=`.
  var hasNullIdentity: Bool { kind == .set && isOptional && !isMixedSet }

  /// The name of the kind in `realm.property`.
  package var kindName: String { Self.kindNames[kind]! }

  private static let kindNames: [CollectionType: String] = [
    .none: "none", .list: "list", .set: "set", .map: "map",
  ]

  /// Returns the kind with a name, nil for a name that is unknown or that of no collection.
  static func kind(named name: String) -> CollectionType? {
    kindNames.first { $0.value == name && $0.key != .none }?.key
  }
}

extension ServerNames {
  /// Names of what the server has for a collection of a class.
  package init(schema: String, className: String, collection: String) {
    self.init(schema: schema, className: className + "." + collection)
    self.collection = collection
  }

  /// Returns the names that a collection of a class needs, without quotes.
  package static func all(of className: String, collection: String) -> [String] {
    let name = className + "." + collection
    return all(of: name) + [name + "$el"]
  }
}
