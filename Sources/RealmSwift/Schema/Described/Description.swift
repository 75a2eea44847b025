package import Storage

// Descriptions of what there is: of classes, and of the tables of a file.

extension DescribedClass {
  init(_ schema: ClassSchema) {
    self.init(
      schema.className, embedded: schema.isEmbedded,
      (schema.properties + schema.computedProperties).map { DescribedProperty($0) },
      indexes: schema.indexes.areChosen && schema.describedIndexes.isEmpty
        ? [.none] : schema.describedIndexes)
  }

  package init(_ table: TableDescription, in catalogue: Catalogue) {
    self.init(
      table.name, embedded: table.isEmbedded,
      table.columns.filter { !$0.isRemoved }.map { DescribedProperty($0, in: catalogue) },
      indexes: table.describedIndexes)
  }
}

extension DescribedProperty {
  init(_ property: ClassProperty) {
    let kind = property.kind
    self.init(
      property.name, kind.type, of: kind.targetName, in: Collection(kind.collection),
      optional: kind.isNullable, primaryKey: property.isPrimaryKey,
      indexed: property.isIndexed && !property.isPrimaryKey, fullText: property.isFullText,
      originProperty: property.originProperty, columnName: property.columnName,
      autoIncrement: property.choosesIncrement, unique: property.choosesUnique,
      onDelete: property.deleteRule.map { DeleteRule($0) })
    // What only the file knows says nothing where it is as usual.
    guard property.column != nil else { return }
    if autoIncrement == false { autoIncrement = nil }
    if isUnique == false { isUnique = nil }
    if deleteRule == .nullify { deleteRule = nil }
  }

  fileprivate init(_ column: Column, in catalogue: Catalogue) {
    let kind = _PropertyKind(column, in: catalogue)
    self.init(
      column.name, kind.type, of: kind.targetName, in: Collection(kind.collection), optional: kind.isOptional,
      primaryKey: column.isPrimaryKey, indexed: column.isIndexed && !column.isPrimaryKey,
      fullText: column.isFullText, autoIncrement: column.isSequence ? true : nil,
      unique: column.isUnique ? true : nil,
      onDelete: column.linkRule == .nullify ? nil : DeleteRule(column.linkRule))
  }
}

extension ClassSchema {
  /// The indexes over several properties.
  var describedIndexes: [Index] {
    indexes.compound.map { Index(.init($0.kind), $0.properties.map { properties[$0].name }) }
  }
}

extension TableDescription {
  /// The indexes over several columns.
  var describedIndexes: [Index] {
    indexes.map { Index(.init($0.kind), $0.columns.map { columns[$0].name }) }
  }
}

extension Index.Kind {
  fileprivate init(_ kind: CompoundIndex.Kind) {
    switch kind {
    case .plain: self = .plain
    case .unique: self = .unique
    case .primaryKey: self = .primaryKey
    }
  }
}

extension DescribedProperty.Collection {
  fileprivate init?(_ type: CollectionType) {
    switch type {
    case .none: return nil
    case .list: self = .list
    case .set: self = .set
    case .map: self = .map
    }
  }
}

extension _PropertyKind {
  /// What the file says of a property.
  init(_ column: Column, in catalogue: Catalogue) {
    self.init(type: PropertyType(column.type), collection: column.collection)
    // Links may always be null, but only maps hold links to nothing.
    isOptional =
      switch (column.type, column.collection) {
      case (.link, .none), (.link, .map): true
      case (.link, _), (.mixed, _): false
      default: column.isNullable
      }
    objectClassName = column.target < 0 ? nil : catalogue.tables[column.target].name
  }
}

extension ObjectSchema {
  /// The description of the class, for opening other realms with it or for writing it to a file.
  public var described: DescribedClass { DescribedClass(schema) }
}

extension Schema {
  /// The descriptions of the classes, sorted by name, for opening other realms with them or for writing them
  /// to a file.
  public var described: [DescribedClass] { classes.schemas.map { DescribedClass($0) } }
}
