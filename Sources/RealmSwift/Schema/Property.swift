/// The schema of one property of a class.
public struct Property: CustomStringConvertible, Equatable {
  private let property: ClassProperty

  init(_ property: ClassProperty) { self.property = property }

  /// The name in the program.
  public var name: String { property.name }
  /// The name of the column in the file, if it differs from the name in the class.
  public var columnName: String { property.columnName }
  /// The type of the value, or of the elements of a collection.
  public var type: PropertyType { property.kind.type }
  /// Whether the property is a list or linking objects.
  public var isArray: Bool { property.kind.collection == .list || type == .linkingObjects }
  /// Whether the property is a set.
  public var isSet: Bool { property.kind.collection == .set }
  /// Whether the property is a map.
  public var isMap: Bool { property.kind.collection == .map }
  /// Whether the property has an index.
  public var isIndexed: Bool { property.isIndexed }
  /// Whether the property has a full-text index. An addition to the official SDK.
  public var isFullText: Bool { property.isFullText }
  /// Whether the file numbers the primary key; false for a class that does not specify it. An addition to the
  /// official SDK.
  public var isAutoIncremented: Bool { property.choosesIncrement ?? false }
  /// Whether no two objects have the same value, except nil; false for a class that does not specify it. An
  /// addition to the official SDK.
  public var isUnique: Bool { property.choosesUnique ?? false }
  /// The rule for deletions; `.nullify` for a class that does not specify it. An addition to the official
  /// SDK.
  public var deleteRule: DeleteRule { property.deleteRule.map { DeleteRule($0) } ?? .nullify }
  /// Whether the value, or the elements of a collection, can be nil.
  public var isOptional: Bool { property.kind.isNullable }
  /// The class that links point to.
  public var objectClassName: String? { property.kind.targetName }

  private var originName: String? { property.originProperty }

  /// The description, in the layout of the official SDK.
  public var description: String {
    func text(_ flag: Bool) -> String { flag ? "YES" : "NO" }
    var lines = ["type = \(type.name)"]
    if type == .object || type == .linkingObjects {
      lines.append("objectClassName = \(objectClassName ?? "(null)")")
      lines.append("linkOriginPropertyName = \(originName ?? "(null)")")
    }
    lines += [
      "columnName = \(columnName)", "indexed = \(text(isIndexed))",
      "isPrimary = \(text(property.isPrimaryKey))",
      "array = \(text(isArray))", "set = \(text(isSet))", "dictionary = \(text(isMap))",
      "optional = \(text(isOptional))",
    ]
    if isFullText { lines.append("fullText = YES") }
    if isAutoIncremented { lines.append("autoIncrement = YES") }
    if isUnique { lines.append("unique = YES") }
    if deleteRule != .nullify { lines.append("onDelete = \(deleteRule)") }
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }

  /// Returns whether both have the same name and type, and the same indexes and links.
  public static func == (first: Property, second: Property) -> Bool {
    first.type == second.type && first.name == second.name && first.isIndexed == second.isIndexed
      && first.isFullText == second.isFullText && first.isAutoIncremented == second.isAutoIncremented
      && first.isUnique == second.isUnique && first.deleteRule == second.deleteRule
      && first.property.isPrimaryKey == second.property.isPrimaryKey && first.isOptional == second.isOptional
      && first.property.kind.collection == second.property.kind.collection
      && first.objectClassName == second.objectClassName && first.originName == second.originName
  }
}
