/// The schema of one class of a realm.
public struct ObjectSchema: CustomStringConvertible, Equatable {
  let schema: ClassSchema

  init(_ schema: ClassSchema) { self.schema = schema }

  /// The stored properties, those of superclasses first. Linking objects are not included.
  public var properties: [Property] { schema.properties.map { Property($0) } }
  /// The name of the class.
  public var className: String { schema.className }
  /// The Swift class.
  public var objectClass: AnyClass { schema.type }
  /// Whether objects of the class are stored inside a parent object.
  public var isEmbedded: Bool { schema.isEmbedded }
  /// Always false: asymmetric classes belong to App Services.
  public var isAsymmetric: Bool { false }
  /// The primary key; nil if there is none.
  public var primaryKeyProperty: Property? { schema.primaryKey.map { Property($0) } }

  /// The indexes over several properties. An addition to the official SDK.
  public var indexes: [Index] { schema.describedIndexes }

  /// The property with a name, including linking objects.
  public subscript(propertyName: String) -> Property? {
    schema.property(named: propertyName).map { Property($0) }
  }

  private var computedProperties: [Property] { schema.computedProperties.map { Property($0) } }

  /// The description, in the layout of the official SDK.
  public var description: String {
    let lines = (properties + computedProperties).map { "\t" + $0.description.indented + "\n" }
    let indexes = indexes.map { "\t\($0)\n" }
    return className + (isEmbedded ? " (embedded)" : "") + " {\n" + (lines + indexes).joined() + "}"
  }

  /// Returns whether both describe the same properties of a class of the same name.
  public static func == (first: ObjectSchema, second: ObjectSchema) -> Bool {
    first.schema === second.schema
      || first.className == second.className && first.isEmbedded == second.isEmbedded
        && first.properties == second.properties && first.computedProperties == second.computedProperties
        && Set(first.indexes) == Set(second.indexes)
  }
}
