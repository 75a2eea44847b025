import Storage

/// An index over several properties of a class.
struct ClassIndex: Equatable {
  let kind: CompoundIndex.Kind
  /// Their places among the stored properties.
  let properties: [Int]
}

/// What a class says of its indexes, but for those that its properties say.
struct ClassIndexes {
  /// The indexes over several properties.
  private(set) var compound: [ClassIndex] = []
  /// Whether the class says anything. If not, those of the file stay.
  let areChosen: Bool
  /// What is wrong with them.
  private(set) var problems: [String] = []

  /// Creates the indexes of a class. An index over one property becomes a mark of the property.
  init(_ indexes: [Index], className: String, properties: [ClassProperty]) {
    areChosen = !indexes.isEmpty
    for index in indexes where index.kind != .none {
      let found = index.properties.map { name in properties.firstIndex { $0.name == name } }
      let list = index.properties.map { "'\($0)'" }.joined(separator: ", ")
      if let missing = zip(index.properties, found).first(where: { $0.1 == nil }) {
        problems.append("Class '\(className)' has no property '\(missing.0)' that an index could be over.")
      } else if found.isEmpty {
        problems.append("An index of class '\(className)' names no properties.")
      } else if Set(found).count != found.count {
        problems.append("An index of class '\(className)' names a property twice: \(list).")
      } else if found.count > CompoundIndex.columnLimit {
        problems.append(
          "An index of class '\(className)' cannot be over more than \(CompoundIndex.columnLimit) properties: \(list)."
        )
      } else if found.count > 1 {
        let index = ClassIndex(kind: .init(index.kind), properties: found.compactMap(\.self))
        if !compound.contains(index) { compound.append(index) }
      } else if index.kind == .primaryKey {
        problems.append(
          "The primary key of class '\(className)' is one property: write '@Persisted(primaryKey: true) var \(index.properties[0])'."
        )
      } else {
        properties[found[0]!].addIndex(isUnique: index.kind == .unique)
      }
    }
  }

  /// The primary key that is over several properties.
  var key: ClassIndex? { compound.first { $0.kind == .primaryKey } }
}

extension CompoundIndex.Kind {
  fileprivate init(_ kind: Index.Kind) {
    switch kind {
    case .plain, .none: self = .plain
    case .unique: self = .unique
    case .primaryKey: self = .primaryKey
    }
  }
}

extension ClassSchema {
  /// Whether the class has a primary key, of one property or of several.
  var hasPrimaryKey: Bool { primaryKey != nil || indexes.key != nil }

  /// The properties of an index, for messages.
  func names(_ index: ClassIndex) -> String {
    index.properties.map { properties[$0].name }.joined(separator: ", ")
  }

  /// What is wrong with the indexes over several properties, given their types.
  var indexProblems: [String] {
    var problems = indexes.problems
    if indexes.compound.count > IndexNumber.compoundLimit {
      problems.append(
        "Class '\(className)' cannot have more than \(IndexNumber.compoundLimit) indexes over several properties."
      )
    }
    let keys = indexes.compound.filter { $0.kind == .primaryKey }
    if keys.count + (primaryKey == nil ? 0 : 1) > 1 {
      problems.append("Class '\(className)' has more than one primary key.")
    }
    if isEmbedded && !keys.isEmpty {
      problems.append("Embedded object type '\(className)' cannot have a primary key.")
    }
    for index in indexes.compound {
      for property in index.properties.map({ properties[$0] }) where !property.canBeInCompoundIndex {
        problems.append(
          "Property '\(className).\(property.name)' of type '\(property.typeName)' cannot be in an index over several properties."
        )
      }
    }
    return problems
  }
}

extension ClassProperty {
  /// Whether equal values have equal keys that sort as they do.
  var canBeInCompoundIndex: Bool {
    guard kind.collection == .none, let type = kind.type.valueType else { return false }
    return Column(name: "", type: type).canBeInCompoundIndex
  }
}
