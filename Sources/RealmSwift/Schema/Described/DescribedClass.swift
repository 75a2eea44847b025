/// A class of a realm that is described while the program runs, instead of declared in its source.
///
/// Tools that open any file, importers and other languages know their classes only then. What a description says is checked,
/// compared with the file and migrated as declarations are; the objects are ``DynamicObject``s.
///
///     let dog = DescribedClass(
///       "Dog",
///       [
///         DescribedProperty("name", .string, primaryKey: true),
///         DescribedProperty("age", .int, optional: true, indexed: true),
///         DescribedProperty("friends", .object, of: "Dog", in: .list),
///       ])
///     let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schema: [dog]))
///     try realm.write { realm.dynamicCreate("Dog", value: ["name": "Rex", "age": 3]) }
///
/// As JSON a description has the keys `name`, `embedded`, `properties` and `indexes`; what is false or empty is left out.
public struct DescribedClass: Hashable, Sendable {
  /// The name, in the file as well.
  public var name: String
  /// Whether objects of the class live inside another object.
  public var isEmbedded: Bool
  /// The properties, linking objects included, in the order in which arrays give values for them.
  public var properties: [DescribedProperty]
  /// The indexes over several properties; none for what the file has.
  public var indexes: [Index]

  /// A class with properties.
  public init(
    _ name: String, embedded: Bool = false, _ properties: [DescribedProperty], indexes: [Index] = []
  ) {
    self.name = name
    isEmbedded = embedded
    self.properties = properties
    self.indexes = indexes
  }

  /// What is wrong with classes that are to be stored together, one line each, as the error of opening a realm with them
  /// has it. Nothing, when they can be stored.
  public static func problems(of classes: [DescribedClass]) -> [String] {
    ModelClasses(described: classes).problems
  }
}

extension DescribedClass: Codable {
  private enum Key: String, CodingKey {
    case name, embedded, properties, indexes
  }

  /// Reads a description. Everything but the name may be missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode(String.self, forKey: .name),
      embedded: try values.decodeIfPresent(Bool.self, forKey: .embedded) ?? false,
      try values.decodeIfPresent([DescribedProperty].self, forKey: .properties) ?? [],
      indexes: try values.decodeIfPresent([Index].self, forKey: .indexes) ?? [])
  }

  /// Writes the description, without what is false or empty.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    if isEmbedded { try values.encode(true, forKey: .embedded) }
    if !properties.isEmpty { try values.encode(properties, forKey: .properties) }
    if !indexes.isEmpty { try values.encode(indexes, forKey: .indexes) }
  }
}
