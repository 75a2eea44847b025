/// A property of a class that is described while the program runs.
///
///     let properties = [
///       DescribedProperty("owner", .object, of: "Person"),
///       DescribedProperty("tags", .string, in: .set),
///       DescribedProperty("dogs", .linkingObjects, of: "Dog", originProperty: "owner"),
///     ]
///
/// As JSON a description has the keys `name`, `columnName`, `type`, `class`, `collection`, `optional`, `primaryKey`, `indexed`,
/// `fullText`, `originProperty`, `autoIncrement`, `unique` and `onDelete` (the name of a ``DeleteRule``); what has the usual value is left out. Types are `int`, `bool`, `string`, `data`, `date`,
/// `float`, `double`, `object`, `linkingObjects`, `mixed`, `objectId`, `decimal128` and `uuid`, collections `list`, `set` and `map`.
public struct DescribedProperty: Hashable, Sendable {
  /// A collection of values.
  public enum Collection: String, Hashable, Sendable, Codable {
    /// Values in an order.
    case list
    /// Values that are different.
    case set
    /// Values with keys, which are strings.
    case map
  }

  /// The name.
  public var name: String
  /// The name in the file. Linking objects are not in it.
  public var columnName: String
  /// The type of the value, or of a collection's elements.
  public var type: PropertyType
  /// The collection that the values are in; nil for one value, and for linking objects.
  public var collection: Collection?
  /// Whether the value, or a collection's elements, can be nil. Links can, and those in maps; those in lists and sets can not,
  /// nor can mixed values, which have a null of their own.
  public var isOptional: Bool
  /// Whether the value identifies the object.
  public var isPrimaryKey: Bool
  /// Whether there is an index that was asked for: a primary key has one in any case.
  public var isIndexed: Bool
  /// Whether queries can search in the words of the text.
  public var isFullText: Bool
  /// The class that links point to, or that linking objects are of.
  public var objectClassName: String?
  /// Of linking objects, the property of the other class.
  public var originProperty: String?
  /// Whether the file numbers the key; nil for what the file says.
  public var autoIncrement: Bool?
  /// Whether no two objects have the same value, but for nil; nil for what the file says.
  public var isUnique: Bool?
  /// What a deletion means for the objects at the ends of the links; nil for what the file says.
  public var deleteRule: DeleteRule?

  /// A property.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type of the value, or of a collection's elements.
  ///   - objectClassName: The class that links point to, or that linking objects are of.
  ///   - collection: The collection that the values are in; nil for one value.
  ///   - optional: Whether the value, or a collection's elements, can be nil; by default only of links that can.
  ///   - primaryKey: Whether the value identifies the object.
  ///   - indexed: Whether there is an index.
  ///   - fullText: Whether queries can search in the words of the text.
  ///   - originProperty: Of linking objects, the property of the other class.
  ///   - columnName: The name in the file, where it is another one.
  ///   - autoIncrement: Whether the file numbers the key; nil for what the file says.
  ///   - unique: Whether no two objects have the same value; nil for what the file says.
  ///   - deleteRule: What a deletion means for the objects at the ends of the links; nil for what the file says.
  public init(
    _ name: String, _ type: PropertyType, of objectClassName: String? = nil, in collection: Collection? = nil,
    optional: Bool? = nil, primaryKey: Bool = false, indexed: Bool = false, fullText: Bool = false,
    originProperty: String? = nil, columnName: String? = nil, autoIncrement: Bool? = nil,
    unique: Bool? = nil, onDelete deleteRule: DeleteRule? = nil
  ) {
    self.name = name
    self.columnName = columnName ?? name
    self.type = type
    self.collection = collection
    isOptional = optional ?? Self.isUsuallyOptional(type, collection)
    isPrimaryKey = primaryKey
    isIndexed = indexed
    isFullText = fullText
    self.objectClassName = objectClassName
    self.originProperty = originProperty
    self.autoIncrement = autoIncrement
    isUnique = unique
    self.deleteRule = deleteRule
  }

  /// Links lead nowhere until they are set.
  private static func isUsuallyOptional(_ type: PropertyType, _ collection: Collection?) -> Bool {
    type == .object && (collection == nil || collection == .map)
  }
}

extension DescribedProperty: Codable {
  private enum Key: String, CodingKey {
    case name, columnName, type
    case objectClassName = "class"
    case collection, optional, primaryKey, indexed, fullText, originProperty, autoIncrement, unique
    case deleteRule = "onDelete"
  }

  /// Reads a description. Everything but name and type may be missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func flag(_ key: Key) throws -> Bool { try values.decodeIfPresent(Bool.self, forKey: key) ?? false }
    let typeName = try values.decode(String.self, forKey: .type)
    guard let type = PropertyType(describedName: typeName) else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: values,
        debugDescription:
          "'\(typeName)' is no type of a property: one of \(PropertyType.describedNames.joined(separator: ", ")) is."
      )
    }
    self.init(
      try values.decode(String.self, forKey: .name), type,
      of: try values.decodeIfPresent(String.self, forKey: .objectClassName),
      in: try values.decodeIfPresent(Collection.self, forKey: .collection),
      optional: try values.decodeIfPresent(Bool.self, forKey: .optional),
      primaryKey: try flag(.primaryKey), indexed: try flag(.indexed), fullText: try flag(.fullText),
      originProperty: try values.decodeIfPresent(String.self, forKey: .originProperty),
      columnName: try values.decodeIfPresent(String.self, forKey: .columnName),
      autoIncrement: try values.decodeIfPresent(Bool.self, forKey: .autoIncrement),
      unique: try values.decodeIfPresent(Bool.self, forKey: .unique),
      onDelete: try values.decodeIfPresent(DeleteRule.self, forKey: .deleteRule))
  }

  /// Writes the description, without what has the usual value.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    if columnName != name { try values.encode(columnName, forKey: .columnName) }
    try values.encode(type.describedName, forKey: .type)
    try values.encodeIfPresent(objectClassName, forKey: .objectClassName)
    try values.encodeIfPresent(collection, forKey: .collection)
    if isOptional != Self.isUsuallyOptional(type, collection) {
      try values.encode(isOptional, forKey: .optional)
    }
    if isPrimaryKey { try values.encode(true, forKey: .primaryKey) }
    if isIndexed { try values.encode(true, forKey: .indexed) }
    if isFullText { try values.encode(true, forKey: .fullText) }
    try values.encodeIfPresent(originProperty, forKey: .originProperty)
    try values.encodeIfPresent(autoIncrement, forKey: .autoIncrement)
    try values.encodeIfPresent(isUnique, forKey: .unique)
    try values.encodeIfPresent(deleteRule, forKey: .deleteRule)
  }
}

extension PropertyType {
  /// The name in descriptions that are written down.
  fileprivate var describedName: String {
    switch self {
    case .any: "mixed"
    case .linkingObjects: "linkingObjects"
    case .objectId: "objectId"
    default: name
    }
  }

  fileprivate static let describedNames = (0..<13).map { PropertyType(rawValue: $0)!.describedName }

  fileprivate init?(describedName: String) {
    guard let number = Self.describedNames.firstIndex(of: describedName) else { return nil }
    self.init(rawValue: number)
  }
}
