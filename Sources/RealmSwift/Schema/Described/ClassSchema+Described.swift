import Storage

// Classes that are known by what is said of them.
extension ClassSchema {
  /// Whether objects of the class are dynamic ones.
  var isDescribed: Bool { type == DynamicObject.self }

  convenience init(_ description: DescribedClass) {
    let properties = description.properties.map { ClassProperty($0) }
    self.init(
      className: description.name, isEmbedded: description.isEmbedded,
      properties: properties.filter(\.isStored), computedProperties: properties.filter { !$0.isStored },
      indexes: description.indexes)
  }

  /// Whether a class is the same, or described in the same way.
  func isAlike(_ other: ClassSchema) -> Bool {
    self === other || isDescribed && other.isDescribed && DescribedClass(self) == DescribedClass(other)
  }
}

extension ClassProperty {
  fileprivate convenience init(_ description: DescribedProperty) {
    var kind = _PropertyKind(type: description.type)
    kind.collection =
      switch description.collection {
      case nil: .none
      case .list: .list
      case .set: .set
      case .map: .map
      }
    kind.isOptional = description.isOptional
    kind.objectClassName = description.objectClassName
    var attributes = description.deleteRule?.attribute ?? 0
    if description.isPrimaryKey { attributes |= PersistedAttributes.primaryKey }
    if description.isIndexed { attributes |= PersistedAttributes.indexed }
    if description.isFullText { attributes |= PersistedAttributes.fullText }
    if let isNumbered = description.autoIncrement {
      attributes |= PersistedAttributes.choosesIncrement
      if isNumbered { attributes |= PersistedAttributes.autoIncrement }
    }
    if let isUnique = description.isUnique {
      attributes |= PersistedAttributes.choosesUnique
      if isUnique { attributes |= PersistedAttributes.unique }
    }
    self.init(
      name: description.name, columnName: description.columnName, kind: kind, attributes: attributes,
      originProperty: description.originProperty, access: DynamicPropertyAccess.self)
  }
}

extension ModelClasses {
  /// Classes that are described. What is wrong with them is among the problems.
  convenience init(described classes: [DescribedClass]) {
    let schemas = classes.map { ClassSchema($0) }.sorted { $0.className < $1.className }
    self.init(schemas: schemas, ownProblems: schemas.flatMap(\.descriptionProblems) + Self.repeated(schemas))
  }

  /// The classes of a file.
  convenience init(_ catalogue: Catalogue) {
    let tables = catalogue.tables.filter { !$0.isRemoved }
    self.init(stored: tables.map { ClassSchema(DescribedClass($0, in: catalogue)) })
  }

  /// Whether objects of the classes are dynamic ones.
  var isDescribed: Bool { schemas.first?.isDescribed ?? false }

  /// Whether others are the same, or described in the same way.
  func areAlike(_ others: ModelClasses) -> Bool {
    self === others || schemas.elementsEqual(others.schemas) { $0.isAlike($1) }
  }

  private static func repeated(_ schemas: [ClassSchema]) -> [String] {
    zip(schemas, schemas.dropFirst()).filter { $0.className == $1.className }
      .map { first, _ in "Class '\(first.className)' is described more than once." }
  }
}

extension ClassSchema {
  /// What is wrong with the class by itself: what would stop a program that declares it, and what declarations cannot say.
  fileprivate var descriptionProblems: [String] {
    var problems = declarationProblems
    if className.isEmpty { problems.append("A class has no name.") }
    if properties.isEmpty && computedProperties.isEmpty {
      problems.append("No properties are defined for '\(className)'.")
    }
    for property in properties + computedProperties {
      let subject = "Property '\(className).\(property.name)' of type '\(property.typeName)'"
      if property.name.isEmpty || property.columnName.isEmpty {
        problems.append("A property of '\(className)' has no name.")
      }
      let isLink = property.kind.type == .object || !property.isStored
      if isLink && property.kind.targetName == nil {
        problems.append("\(subject) does not say which class it links to.")
      }
      if !isLink && property.kind.targetName != nil {
        problems.append("\(subject) names a class and is no link.")
      }
      if property.isStored && property.originProperty != nil {
        problems.append("\(subject) names an origin property and is no linking objects property.")
      }
      if property.isFullText && !(property.kind.type == .string && property.kind.collection == .none) {
        problems.append("\(subject) cannot be full-text indexed.")
      }
      if !property.isStored && property.kind.collection != .none {
        problems.append("\(subject) cannot be in a collection.")
      }
      if !property.isStored && (property.isIndexed || property.isFullText) {
        problems.append("\(subject) cannot be indexed.")
      }
    }
    return problems
  }
}
