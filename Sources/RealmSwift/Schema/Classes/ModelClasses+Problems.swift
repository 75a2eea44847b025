import Storage

// The rules that a set of classes must keep to be stored together.
extension ModelClasses {
  /// One line for each link to a class that is not among them.
  var missingTargets: [String] {
    schemas.flatMap { schema in
      schema.properties.compactMap { property in
        guard let target = property.kind.objectType, !contains(target) else { return nil }
        return
          "'\(schema.className).\(property.name)' links to class '\(ClassSchema.of(target).className)', which is missing from the list of classes managed by the Realm"
      }
    }
  }

  /// What is wrong, one line each.
  static func problems(_ schemas: [ClassSchema], _ byName: SchemasByName) -> [String] {
    var problems: [String] = []
    for schema in schemas {
      if schema.type is RealmSwiftAsymmetricObject.Type {
        problems.append("Asymmetric table '\(schema.className)' not allowed in a local Realm")
      }
      if schema.isEmbedded && schema.primaryKey != nil {
        problems.append("Embedded object type '\(schema.className)' cannot have a primary key.")
      }
      problems += aliasProblems(schema)
      for property in schema.properties { problems += self.problems(property, schema, byName) }
      for property in schema.computedProperties {
        if let problem = originProblem(property, schema, byName) { problems.append(problem) }
      }
    }
    // Looking for cycles needs links that lead somewhere.
    return problems.isEmpty ? EmbeddedCycles(schemas, byName).problems : problems
  }

  private static func problems(
    _ property: ClassProperty, _ schema: ClassSchema, _ byName: SchemasByName
  ) -> [String] {
    let subject = "Property '\(schema.className).\(property.name)' of type '\(property.typeName)'"
    let kind = property.kind
    var problems: [String] = []
    if property.isPrimaryKey && !(kind.collection == .none && canBePrimaryKey(kind.type)) {
      problems.append("\(subject) cannot be made the primary key.")
    } else if property.isIndexed && !(kind.collection == .none && canBeIndexed(kind.type)) {
      problems.append("\(subject) cannot be indexed.")
    }
    if property.choosesUnique == true,
      !(kind.collection == .none && kind.type != .any && canBeIndexed(kind.type))
    {
      problems.append("\(subject) cannot be unique.")
    }
    if property.choosesIncrement == true, !property.isPrimaryKey || property.largestNumber == nil {
      problems.append("\(subject) cannot be auto-incremented: only primary keys that are integers can.")
    }
    if property.deleteRule != nil && kind.type != .object && kind.type != .any {
      problems.append("\(subject) cannot have a delete rule: it does not link to objects.")
    }
    if kind.type == .any && kind.isOptional { problems.append("\(subject) cannot be nullable.") }
    guard kind.type == .object, let targetName = kind.targetName else { return problems }
    switch kind.collection {
    case .none, .map:
      if !kind.isNullable { problems.append("\(subject) must be nullable.") }
    case .list, .set:
      if kind.isOptional { problems.append("\(subject) cannot be nullable.") }
    }
    guard let target = byName[targetName], target.isTarget(of: kind) else {
      problems.append("\(subject) has unknown object type '\(targetName)'\(namesake(of: kind, byName))")
      return problems
    }
    if property.deleteRule != nil && target.isEmbedded {
      problems.append(
        "\(subject) cannot have a delete rule: objects of the embedded class '\(targetName)' are always deleted with the object that they are in."
      )
    }
    if kind.collection == .set && target.isEmbedded {
      problems.append(
        "Set property '\(schema.className).\(property.name)' cannot contain embedded object type '\(targetName)'. Set semantics are not applicable to embedded objects."
      )
    }
    return problems
  }

  private static func canBePrimaryKey(_ type: PropertyType) -> Bool {
    switch type {
    case .int, .string, .objectId, .UUID: true
    default: false
    }
  }

  private static func canBeIndexed(_ type: PropertyType) -> Bool {
    switch type {
    case .int, .bool, .string, .date, .objectId, .UUID, .any: true
    default: false
    }
  }

  private static func aliasProblems(_ schema: ClassSchema) -> [String] {
    let renamed = schema.properties.filter { $0.columnName != $0.name }
    if renamed.isEmpty { return [] }
    let names = NameTable((schema.properties + schema.computedProperties).map(\.name))
    let aliases = NameTable(renamed.map(\.columnName))
    var problems: [String] = []
    for (place, property) in renamed.enumerated() {
      let alias = property.columnName
      if names[alias] != nil {
        problems.append(
          "Property '\(schema.className).\(property.name)' has an alias '\(alias)' that conflicts with a property of the same name."
        )
      }
      if aliases.isRepeated(at: place) {
        problems.append(
          "Alias '\(alias)' appears more than once in the schema for type '\(schema.className)'.")
      }
    }
    return problems
  }

  private static func originProblem(
    _ property: ClassProperty, _ schema: ClassSchema, _ byName: SchemasByName
  ) -> String? {
    guard let className = property.kind.targetName, let originName = property.originProperty else {
      return nil
    }
    let subject = "\(schema.className).\(property.name)"
    guard let origin = byName[className], origin.isTarget(of: property.kind) else {
      return
        "Property '\(subject)' of type '\(property.typeName)' has unknown object type '\(className)'\(namesake(of: property.kind, byName))"
    }
    let beginning =
      "Property '\(className).\(originName)' declared as origin of linking objects property '\(subject)'"
    guard let link = origin.property(named: originName), link.isStored else {
      return beginning + " does not exist"
    }
    guard link.kind.type == .object, let target = link.kind.targetName else {
      return beginning + " is not a link"
    }
    if target != schema.className || !schema.isTarget(of: link.kind) {
      return beginning + " links to type '\(target)'\(namesake(of: link.kind, byName))"
    }
    return nil
  }

  /// Why a class that is linked to is not among these although there is one of its name, as the end of a message; empty
  /// when there is no other class of the name.
  private static func namesake(of kind: _PropertyKind, _ byName: SchemasByName) -> String {
    guard let left = kind.objectType, let other = kind.targetName.flatMap({ byName[$0] }), other.type != left
    else { return "" }
    return
      ": the class '\(String(reflecting: left))' is left out, since '\(String(reflecting: other.type))' has the same name. Give one of them another name by '_realmObjectName()', or list the classes of the realm in 'objectTypes'."
  }
}

extension ClassSchema {
  /// Whether it is the class that links lead to, and not another one of its name.
  fileprivate func isTarget(of kind: _PropertyKind) -> Bool { kind.objectType.map { $0 == type } ?? true }
}

extension ClassProperty {
  /// The type as messages name it.
  var typeName: String { kind.type.name(in: kind.collection, target: kind.targetName) }
}

extension PropertyType {
  /// The type, or that of collections of it, as messages name it.
  func name(in collection: CollectionType, target: String?) -> String {
    let element =
      switch self {
      case .object where collection == .none: "object"
      case .object: target ?? "object"
      case .linkingObjects: "linking objects<\(target ?? "object")>"
      default: name
      }
    return switch collection {
    case .none: element
    case .list: "array<\(element)>"
    case .set: "set<\(element)>"
    case .map: "dictionary<string, \(element)>"
    }
  }
}
