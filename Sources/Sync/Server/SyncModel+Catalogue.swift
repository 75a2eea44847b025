package import Storage

extension SyncModel {
  /// Reads the classes of a realm file that are synchronised.
  ///
  /// - Parameters:
  ///   - catalogue: The tables of the file.
  ///   - names: The names of the classes; all that are not embedded, when nil.
  ///   - counters: The properties that are counters.
  ///   - routing: The properties that policies and subscriptions may use.
  /// - Throws: All reasons why the classes cannot be synchronised, not only the first one.
  package static func read(
    _ catalogue: Catalogue, classes names: [String]? = nil, counters: Set<PropertyName> = [],
    routing: Set<PropertyName> = []
  ) throws(SyncRefusal) -> SyncModel {
    var reader = ModelReader(catalogue: catalogue, counters: counters, routing: routing)
    var numbers: [Int] = []
    if let names {
      for name in names {
        if let number = catalogue.table(named: name) {
          if !numbers.contains(number) { numbers.append(number) }
        } else {
          reader.refuse(
            .noSuchClass, "The file has no class '\(name)': leave it out, or open the file with it first.")
        }
      }
    } else {
      numbers = catalogue.tables.indices.filter {
        !catalogue.tables[$0].isRemoved && !catalogue.tables[$0].isEmbedded
      }
    }
    reader.synchronised = Set(numbers)
    let classes = numbers.compactMap { reader.read(table: $0) }
    reader.checkNamed(classes)
    reader.checkClashes(classes)
    if classes.isEmpty && reader.reasons.isEmpty {
      reader.refuse(
        .noClasses,
        "There is no class to synchronise: open the file with a class that has a primary key first.")
    }
    guard reader.reasons.isEmpty else { throw SyncRefusal(reader.reasons) }
    return SyncModel(classes: classes)
  }
}

/// Reads the classes of a catalogue, and notes what is refused.
struct ModelReader {
  let catalogue: Catalogue
  let counters: Set<PropertyName>
  let routing: Set<PropertyName>
  /// The numbers of the tables that are read.
  var synchronised: Set<Int> = []
  var reasons: [SyncRefusal.Reason] = []
  /// The embedded classes whose contents were checked.
  var checkedTables: Set<CheckedTable> = []
  /// Whether the checked column is one of embedded objects that are one value on the server.
  var isInDocument = false

  mutating func refuse(_ kind: SyncRefusal.Kind, _ text: String) {
    reasons.append(SyncRefusal.Reason(kind, text))
  }

  /// Returns nil when the class has no key that can be used. What else is refused is noted only.
  mutating func read(table number: Int) -> SyncClass? {
    let table = catalogue.tables[number]
    check(className: table.name)
    if table.isEmbedded {
      refuse(
        .embedded,
        "'\(table.name)' is an embedded class: only the class that holds its objects can be synchronised.")
      return nil
    }
    checkIndexes(table)
    let columns = table.columns.indices.filter { !table.columns[$0].isRemoved }
    for column in columns { check(table.columns[column], of: table) }
    guard let key = key(of: table) else { return nil }
    var properties: [SyncProperty] = []
    var collections: [SyncCollection] = []
    for column in columns where !table.columns[column].isPrimaryKey {
      var next: Int { properties.count + collections.count + 1 }
      if let property = property(table, column, number: next) { properties.append(property) }
      for var property in embedded(table, column) {
        property.number = next
        properties.append(property)
      }
      if let collection = collection(table, column, number: next) { collections.append(collection) }
    }
    checkColumnNames(key, properties, of: table)
    checkNames(of: collections, beside: [key] + properties, of: table)
    return SyncClass(
      name: table.name, table: number, key: key, properties: properties, collections: collections)
  }

  private mutating func key(of table: TableDescription) -> SyncProperty? {
    if table.indexes.contains(where: { $0.kind == .primaryKey }) {
      refuse(
        .compoundKey,
        "The primary key of '\(table.name)' has several properties: a class with a key of one property can be "
          + "synchronised, for example a UUID.")
      return nil
    }
    guard let number = table.primaryKey else {
      refuse(
        .noPrimaryKey,
        "'\(table.name)' has no primary key: add one, for example a UUID, or leave the class out.")
      return nil
    }
    let column = table.columns[number]
    if column.isNullable {
      refuse(
        .optionalKey,
        "The primary key '\(table.name).\(column.name)' is optional: only a required one can be synchronised."
      )
    }
    if column.isSequence {
      refuse(
        .generatedKey,
        "The primary key '\(table.name).\(column.name)' is generated from a sequence, and two files would give "
          + "the same number to different objects: use an ObjectId or a UUID.")
    }
    guard let type = ServerType(storing: column.type), type.canBeKey else { return nil }
    return SyncProperty(name: column.name, column: number, number: 0, type: type)
  }

  /// Returns nil for a property of a kind that is not synchronised.
  mutating func property(
    _ table: TableDescription, _ number: Int, number position: Int
  )
    -> SyncProperty?
  {
    let column = table.columns[number]
    let name = PropertyName(table.name, column.name)
    guard column.collection == .none, let type = serverType(of: column) else { return nil }
    let isCounter = counters.contains(name)
    if isCounter && (type != .bigint || column.isNullable || routing.contains(name)) {
      refuse(
        .counter,
        "'\(name)' cannot be a counter: only a required Int that is no routing property can be one.")
    }
    return SyncProperty(
      name: column.name, column: number, number: position, type: type,
      isOptional: column.isNullable || column.type == .link || column.type == .mixed,
      isCounter: isCounter, isRouting: routing.contains(name),
      target: column.type == .link ? catalogue.tables[column.target].name : nil)
  }

  /// The type of the key for a link; nil if its target has none, or is not synchronised.
  func serverType(of column: Column) -> ServerType? {
    guard column.type == .link else { return ServerType(storing: column.type) }
    let target = catalogue.tables[column.target]
    guard synchronised.contains(column.target), !target.isEmbedded, let key = target.primaryKey else {
      return nil
    }
    return ServerType(storing: target.columns[key].type).flatMap { $0.canBeKey ? $0 : nil }
  }
}

// What is refused of a class and of its properties.
extension ModelReader {
  /// Names of the columns that the server's tables have besides the properties, and of PostgreSQL's own ones.
  private static let reserved: Set<String> = [
    "_rx", "_rin", "_at", "_st", "_n", "_op", "_died", "tableoid", "ctid", "xmin", "xmax", "cmin", "cmax",
  ]

  private mutating func check(className name: String) {
    let limit = SQLText.nameLimit - ServerNames.longestSuffix
    if name.utf8.count > limit {
      refuse(
        .nameTooLong,
        "The name of the class '\(name)' has \(name.utf8.count) bytes, and can have at most \(limit) on the "
          + "server: give it a shorter one.")
    }
    checkCharacters(of: name, what: "class '\(name)'")
  }

  private mutating func checkCharacters(of name: String, what: String) {
    if name.isEmpty || name.utf8.contains(0) {
      refuse(
        .unusableName,
        "The name of the \(what) is empty or contains U+0000, which the server does not accept: rename it.")
    }
  }

  private mutating func checkIndexes(_ table: TableDescription) {
    for index in table.indexes where index.kind == .unique {
      let names = index.columns.map { "'\(table.columns[$0].name)'" }.joined(separator: ", ")
      refuse(
        .unique,
        "The values of \(names) of '\(table.name)' are unique together, which files that are offline cannot "
          + "guarantee: remove the unique index.")
    }
  }

  mutating func check(_ column: Column, of table: TableDescription) {
    let name = "\(table.name).\(column.name)"
    checkCharacters(of: column.name, what: "property '\(name)'")
    if column.name.utf8.count > SQLText.nameLimit {
      refuse(
        .nameTooLong,
        "The name of the property '\(name)' has \(column.name.utf8.count) bytes, and can have at most "
          + "\(SQLText.nameLimit) on the server: give it a shorter one.")
    }
    if Self.reserved.contains(column.name) || column.name.hasPrefix(ServerSchema.variablePrefix) {
      refuse(
        .reservedName,
        "The name of the property '\(name)' is reserved on the server: rename the property.")
    }
    if column.isUnique {
      refuse(
        .unique,
        "The values of '\(name)' are unique, which files that are offline cannot guarantee: remove the rule.")
    }
    if column.isSequence && !column.isPrimaryKey {
      refuse(
        .generatedValue,
        "The values of '\(name)' are generated from a sequence, and two files would give the same number: "
          + "remove the sequence.")
    }
    if column.linkRule != .nullify {
      refuse(
        .deleteRule,
        "'\(name)' has a delete rule, which cannot be synchronised: remove the rule, and delete the linked "
          + "objects in the program.")
    }
    checkKind(column, name, of: table)
  }

  private mutating func checkKind(_ column: Column, _ name: String, of table: TableDescription) {
    if column.type == .link && catalogue.tables[column.target].isEmbedded {
      if isInDocument { return }
      if column.collection == .none {
        return check(embedded: column.target, isDocument: isDocument(column.target))
      }
    }
    if column.collection != .none && !isInDocument {
      check(collection: column, name)
    } else if isInDocument && (column.type == .link || column.type == .mixed) {
      refuse(
        .link,
        "'\(name)' is a \(column.type == .link ? "link" : "property of several types") in an embedded object that holds "
          + "collections or is in one, which cannot be synchronised yet: leave the class out, or remove the property."
      )
    } else if column.type == .link && !synchronised.contains(column.target) {
      let target = catalogue.tables[column.target].name
      refuse(
        .link,
        "'\(name)' is a link to '\(target)', which is not synchronised: synchronise '\(target)', too, or remove the "
          + "property.")
    }
  }

  /// Notes counters and routing properties that the classes do not have.
  fileprivate mutating func checkNamed(_ classes: [SyncClass]) {
    for name in counters.union(routing).sorted(by: { $0.description < $1.description }) {
      let known = classes.first { $0.name == name.className }
      if known?.properties.contains(where: { $0.name == name.property }) == true { continue }
      if known?.key.name == name.property {
        let isCounter = counters.contains(name)
        refuse(
          isCounter ? .counter : .routing,
          "'\(name)' is a primary key, which cannot be a \(isCounter ? "counter" : "routing property").")
      } else if known?.collections.contains(where: { $0.name == name.property }) == true {
        let isCounter = counters.contains(name)
        refuse(
          isCounter ? .counter : .routing,
          "'\(name)' is a collection, which cannot be a \(isCounter ? "counter" : "routing property").")
      } else if catalogue.table(named: name.className).flatMap({
        catalogue.tables[$0].column(named: name.property)
      }) == nil {
        refuse(.noSuchProperty, "The file has no property '\(name)'.")
      }
    }
  }

  /// Notes classes whose tables would have the same name.
  fileprivate mutating func checkClashes(_ classes: [SyncClass]) {
    var owners: [String: String] = [:]
    for item in classes {
      let collections = item.collections.map {
        (item.name + "." + $0.name, ServerNames.all(of: item.name, collection: $0.name))
      }
      for (owner, names) in [(item.name, ServerNames.all(of: item.name))] + collections {
        for name in names {
          guard let other = owners.updateValue(owner, forKey: name) else { continue }
          refuse(
            .clashingNames,
            "'\(other)' and '\(owner)' both need the name '\(name)' on the server: rename one.")
          // The other names clash, too.
          break
        }
      }
    }
  }
}
