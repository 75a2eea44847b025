import Storage

/// One difference between the classes of a realm and the tables of its file.
enum SchemaChange {
  case classAdded(ClassSchema)
  case embeddednessChanged(ClassSchema, table: Int)
  case propertyAdded(ClassSchema, ClassProperty, table: Int)
  case propertyRemoved(ClassSchema, table: Int, column: Int)
  case typeChanged(ClassSchema, ClassProperty, table: Int, column: Int)
  case madeOptional(ClassSchema, ClassProperty, table: Int, column: Int)
  case madeRequired(ClassSchema, ClassProperty, table: Int, column: Int)
  case primaryKeyAdded(ClassSchema, table: Int)
  case primaryKeyRemoved(ClassSchema, table: Int)
  case primaryKeyChanged(ClassSchema, from: String, to: String, table: Int)
  case indexAdded(ClassSchema, ClassProperty, table: Int, column: Int)
  case indexRemoved(ClassSchema, ClassProperty, table: Int, column: Int)
  /// Also when the index that is there was made by another rule of what words are.
  case wordIndexAdded(ClassSchema, ClassProperty, table: Int, column: Int)
  case wordIndexRemoved(ClassSchema, ClassProperty, table: Int, column: Int)
  case incrementChanged(ClassSchema, ClassProperty, table: Int, column: Int)
  case deleteRuleChanged(ClassSchema, ClassProperty, LinkRule, table: Int, column: Int)
  case uniquenessChanged(ClassSchema, ClassProperty, table: Int, column: Int)
  case compoundIndexAdded(ClassSchema, ClassIndex, table: Int)
  case compoundIndexRemoved(ClassSchema, CompoundIndex, table: Int)

  /// Whether the difference can be made up for without a new schema version: nothing stored changes its meaning.
  var isSilent: Bool {
    switch self {
    case .classAdded, .indexAdded, .indexRemoved, .wordIndexAdded, .wordIndexRemoved, .incrementChanged,
      .deleteRuleChanged, .uniquenessChanged:
      true
    case .compoundIndexAdded(_, let index, _): index.kind != .primaryKey
    case .compoundIndexRemoved(_, let index, _): index.kind != .primaryKey
    default: false
    }
  }

  /// Whether a realm that cannot be written may differ in this way.
  var isAllowedReadOnly: Bool {
    switch self {
    case .propertyRemoved: true
    default: isSilent
    }
  }

  /// The table whose objects lose values by it, unless a migration block handles it; otherwise nil.
  var losesValues: Int? {
    switch self {
    // Objects that nothing links to.
    case .embeddednessChanged(let schema, let table): schema.isEmbedded ? table : nil
    case .propertyRemoved(_, let table, _), .typeChanged(_, _, let table, _),
      .madeRequired(_, _, let table, _):
      table
    default: nil
    }
  }

  /// The difference in words; `catalogue` is that of the file.
  func line(_ catalogue: Catalogue) -> String {
    func name(_ schema: ClassSchema, _ property: ClassProperty) -> String {
      "Property '\(schema.className).\(property.name)'"
    }
    switch self {
    case .classAdded(let schema): return "Class '\(schema.className)' has been added."
    case .embeddednessChanged(let schema, _):
      let (old, new) = schema.isEmbedded ? ("TopLevel", "Embedded") : ("Embedded", "TopLevel")
      return "Class '\(schema.className)' has been changed from \(old) to \(new)."
    case .propertyAdded(let schema, let property, _): return "\(name(schema, property)) has been added."
    case .propertyRemoved(let schema, let table, let column):
      return
        "Property '\(schema.className).\(catalogue.tables[table].columns[column].name)' has been removed."
    case .typeChanged(let schema, let property, let table, let column):
      let old = Self.typeName(catalogue.tables[table].columns[column], catalogue)
      let target = property.kind.targetName
      let new = Self.typeName(
        property.kind.type, property.kind.collection, isOptional: property.kind.isOptional, target: target)
      return "\(name(schema, property)) has been changed from '\(old)' to '\(new)'."
    case .madeOptional(let schema, let property, _, _):
      return "\(name(schema, property)) has been made optional."
    case .madeRequired(let schema, let property, _, _):
      return "\(name(schema, property)) has been made required."
    case .primaryKeyAdded(let schema, _): return "Primary Key for class '\(schema.className)' has been added."
    case .primaryKeyRemoved(let schema, _):
      return "Primary Key for class '\(schema.className)' has been removed."
    case .primaryKeyChanged(let schema, let old, let new, _):
      return "Primary Key for class '\(schema.className)' has changed from '\(old)' to '\(new)'."
    case .indexAdded(let schema, let property, _, _):
      return "\(name(schema, property)) has been made indexed."
    case .indexRemoved(let schema, let property, _, _):
      return "\(name(schema, property)) has been made unindexed."
    case .wordIndexAdded(let schema, let property, _, _):
      return "\(name(schema, property)) has been made full-text indexed."
    case .wordIndexRemoved(let schema, let property, _, _):
      return "\(name(schema, property)) has been made full-text unindexed."
    case .incrementChanged(let schema, let property, _, _):
      let verb = property.choosesIncrement == true ? "has been made" : "is no longer"
      return "\(name(schema, property)) \(verb) auto-incremented."
    case .deleteRuleChanged(let schema, let property, let rule, _, _):
      return "\(name(schema, property)) has been given the delete rule '\(rule)'."
    case .uniquenessChanged(let schema, let property, _, _):
      let verb = property.choosesUnique == true ? "has been made" : "is no longer"
      return "\(name(schema, property)) \(verb) unique."
    case .compoundIndexAdded(let schema, let index, _):
      return
        "\(Self.name(index.kind)) '\(schema.names(index))' of class '\(schema.className)' has been added."
    case .compoundIndexRemoved(let schema, let index, let table):
      let names = index.columns.map { catalogue.tables[table].columns[$0].name }.joined(separator: ", ")
      return "\(Self.name(index.kind)) '\(names)' of class '\(schema.className)' has been removed."
    }
  }

  private static func name(_ kind: CompoundIndex.Kind) -> String {
    switch kind {
    case .plain: "Index"
    case .unique: "Unique index"
    case .primaryKey: "Primary key"
    }
  }

  static func typeName(_ column: Column, _ catalogue: Catalogue) -> String {
    typeName(
      PropertyType(column.type), column.collection, isOptional: column.isNullable,
      target: column.target < 0 ? nil : catalogue.tables[column.target].name)
  }

  /// The type with its target or optionality, so that two that differ look different.
  private static func typeName(
    _ type: PropertyType, _ collection: CollectionType, isOptional: Bool, target: String?
  ) -> String {
    if type == .object && collection == .none { return "<\(target ?? "object")>" }
    let name = type.name(in: collection, target: target)
    return isOptional && collection == .none && type != .any ? name + "?" : name
  }
}
