/// A property of a class that is described at run time.
///
/// ```swift
/// let properties = [
///   DescribedProperty("warden", .object, of: "Warden"),
///   DescribedProperty("languages", .string, in: .set),
///   DescribedProperty("trails", .linkingObjects, of: "Trail", originProperty: "huts"),
/// ]
/// ```
///
/// The JSON form of a description has the keys `name`, `columnName`, `type`, `class`, `collection`,
/// `optional`, `primaryKey`, `indexed`, `fullText`, `originProperty`, `autoIncrement`, `unique` and
/// `onDelete` (the name of a ``DeleteRule``); default values are omitted. Types are `int`, `bool`, `string`,
/// `data`, `date`, `float`, `double`, `object`, `linkingObjects`, `mixed`, `objectId`, `decimal128` and
/// `uuid`, collections `list`, `set` and `map`.
public struct DescribedProperty: Hashable, Sendable {
  /// The type of a collection.
  public enum Collection: String, Hashable, Sendable, Codable {
    /// A list: values in order.
    case list
    /// A set: distinct values.
    case set
    /// A map: values with keys, which are strings.
    case map
  }

  /// The name in the program.
  public var name: String
  /// The name of the column in the file. Linking objects have none.
  public var columnName: String
  /// The type of the value, or of the elements of a collection.
  public var type: PropertyType
  /// The collection that contains the values; nil for a single value and for linking objects.
  public var collection: Collection?
  /// Whether the value, or the elements of a collection, can be nil. Links and links in maps can; links in
  /// lists and sets cannot, nor can mixed values, which have their own null.
  public var isOptional: Bool
  /// Whether the property is the primary key.
  public var isPrimaryKey: Bool
  /// Whether an index was requested. A primary key always has one.
  public var isIndexed: Bool
  /// Whether the string has a full-text index.
  public var isFullText: Bool
  /// The class that links point to, or the class of linking objects.
  public var objectClassName: String?
  /// For linking objects, the property of the other class.
  public var originProperty: String?
  /// Whether the file numbers the primary key; nil for the setting of the file.
  public var autoIncrement: Bool?
  /// Whether no two objects have the same value, except nil; nil for the rule of the file.
  public var isUnique: Bool?
  /// The rule for deletions; nil for the rule of the file.
  public var deleteRule: DeleteRule?

  /// Creates a description of a property.
  ///
  /// - Parameters:
  ///   - name: The name in the program.
  ///   - type: The type of the value, or of the elements of a collection.
  ///   - objectClassName: The class that links point to, or the class of linking objects.
  ///   - collection: The collection that contains the values; nil for a single value.
  ///   - optional: Whether the value, or the elements of a collection, can be nil; by default only links that
  ///     can.
  ///   - primaryKey: Whether the property is the primary key.
  ///   - indexed: Whether the property has an index.
  ///   - fullText: Whether the string has a full-text index.
  ///   - originProperty: For linking objects, the property of the other class.
  ///   - columnName: The name of the column in the file, if it differs.
  ///   - autoIncrement: Whether the file numbers the primary key; nil for the setting of the file.
  ///   - unique: Whether no two objects have the same value; nil for the rule of the file.
  ///   - deleteRule: The rule for deletions; nil for the rule of the file.
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

  /// Decodes a description. All keys except the name and the type are optional.
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

  /// Encodes the description without default values.
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
