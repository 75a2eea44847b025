/// A class of a realm that is described at run time instead of declared in the program.
///
/// Tools that open any file, importers and bindings for other languages know their classes only at run time.
/// A description is checked, compared with the file and migrated as a declaration is; the objects are
/// ``DynamicObject``s.
///
/// ```swift
/// let hut = DescribedClass(
///   "Hut",
///   [
///     DescribedProperty("name", .string, primaryKey: true),
///     DescribedProperty("beds", .int, optional: true, indexed: true),
///     DescribedProperty("neighbours", .object, of: "Hut", in: .list),
///   ])
/// let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schema: [hut]))
/// try realm.write { realm.dynamicCreate("Hut", value: ["name": "Larch", "beds": 12]) }
/// ```
///
/// The JSON form of a description has the keys `name`, `embedded`, `properties` and `indexes`; false and
/// empty values are omitted.
public struct DescribedClass: Hashable, Sendable {
  /// The name in the program and in the file.
  public var name: String
  /// Whether objects of the class are stored inside a parent object.
  public var isEmbedded: Bool
  /// The properties, including linking objects, in the order in which arrays contain their values.
  public var properties: [DescribedProperty]
  /// The indexes over several properties; empty for the indexes of the file.
  public var indexes: [Index]

  /// Creates a description of a class.
  public init(
    _ name: String, embedded: Bool = false, _ properties: [DescribedProperty], indexes: [Index] = []
  ) {
    self.name = name
    isEmbedded = embedded
    self.properties = properties
    self.indexes = indexes
  }

  /// Returns the errors in classes that are to be stored together, one line each, as the error of opening a
  /// realm with them reports them; empty if the classes can be stored.
  public static func problems(of classes: [DescribedClass]) -> [String] {
    ModelClasses(described: classes).problems
  }
}

extension DescribedClass: Codable {
  private enum Key: String, CodingKey {
    case name, embedded, properties, indexes
  }

  /// Decodes a description. All keys except the name are optional.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode(String.self, forKey: .name),
      embedded: try values.decodeIfPresent(Bool.self, forKey: .embedded) ?? false,
      try values.decodeIfPresent([DescribedProperty].self, forKey: .properties) ?? [],
      indexes: try values.decodeIfPresent([Index].self, forKey: .indexes) ?? [])
  }

  /// Encodes the description without false and empty values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    if isEmbedded { try values.encode(true, forKey: .embedded) }
    if !properties.isEmpty { try values.encode(properties, forKey: .properties) }
    if !indexes.isEmpty { try values.encode(indexes, forKey: .indexes) }
  }
}
