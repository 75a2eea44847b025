import RealmSwift
import Storage

/// A class that a file is to get.
struct ClassPlan {
  struct Property {
    var column: Column
    /// The class that links lead to.
    var target: String?
    /// Whether it is mixed only because it has integers that a double would round.
    var wouldBeRounded = false
  }

  var name: String
  var isEmbedded = false
  var properties: [Property] = []
  /// The indexes over several properties.
  var indexes: [PlannedIndex] = []

  /// Adds classes to those of a file. Those that are there already have to be the same.
  ///
  /// - Throws: `ToolError` that names the first difference, or says why the classes cannot be stored together.
  static func add(_ plans: [ClassPlan], to catalogue: Catalogue) throws -> Catalogue {
    let present = catalogue
    var catalogue = catalogue
    for plan in plans { try plan.checkNames() }
    let new = plans.filter { catalogue.table(named: $0.name) == nil }
    let newNames = Set(new.map(\.name))
    for plan in new {
      catalogue.tables.append(TableDescription(name: plan.name, isEmbedded: plan.isEmbedded))
    }
    let tables = catalogue.tables.enumerated().filter { !$1.isRemoved }
    let numbers = Dictionary(tables.map { ($1.name, $0) }) { first, _ in first }
    for plan in plans {
      let number = numbers[plan.name]!
      let columns = try plan.properties.map { property in
        var column = property.column
        if let target = property.target {
          guard let table = numbers[target] else {
            throw ToolError(
              "Property '\(plan.name).\(column.name)' links to class '\(target)', which is neither in the schema nor in the file."
            )
          }
          column.target = table
        }
        return column
      }
      if newNames.contains(plan.name) {
        catalogue.tables[number].columns = columns
        catalogue.tables[number].indexes = try plan.indexes.enumerated().map {
          try $1.index($0, plan.name, columns)
        }
      } else {
        try plan.check(columns, catalogue.tables[number])
      }
    }
    try checkProblems(of: catalogue, beside: present)
    return catalogue
  }

  /// Refuses names that only their bytes tell apart, since programs in Swift could not.
  private func checkNames() throws {
    var known: Set<String> = []
    var exact: Set<ExactText> = []
    for property in properties {
      let isNew = exact.insert(ExactText(property.column.name)).inserted
      if !known.insert(property.column.name).inserted && isNew {
        throw ToolError(
          "Class '\(name)' would have two properties '\(property.column.name)' of different characters that Unicode takes for the same: rename one of them."
        )
      }
    }
  }

  /// Refuses what no file may have, such as two properties of one name. What is wrong with the file already is left to it.
  private static func checkProblems(of catalogue: Catalogue, beside present: Catalogue) throws {
    let known = Set(problems(of: present))
    let new = problems(of: catalogue).filter { !known.contains($0) }
    if new.isEmpty { return }
    throw ToolError(
      "The classes cannot be stored together:\n" + new.map { "- \($0)" }.joined(separator: "\n"))
  }

  private static func problems(of catalogue: Catalogue) -> [String] {
    DescribedClass.problems(
      of: catalogue.tables.filter { !$0.isRemoved }.map { table in
        var description = DescribedClass(table, in: catalogue)
        // Files may have classes without properties, though no program declares one.
        if description.properties.isEmpty { description.properties = [DescribedProperty("_", .int)] }
        return description
      })
  }

  private func check(_ columns: [Column], _ present: TableDescription) throws {
    func differs(_ what: String) -> ToolError {
      ToolError("Class '\(name)' is in the file already, and differs from the schema: \(what).")
    }
    if isEmbedded != present.isEmbedded { throw differs("only one of them is embedded") }
    for column in columns {
      guard let number = present.column(named: column.name) else {
        throw differs("it has no property '\(column.name)'")
      }
      let other = present.columns[number]
      guard column.type == other.type, column.collection == other.collection, column.target == other.target,
        column.isPrimaryKey == other.isPrimaryKey, column.isSequence == other.isSequence,
        column.isUnique == other.isUnique,
        column.linkRule == other.linkRule
      else {
        throw differs(
          "property '\(column.name)' is \(([TypeNames.name(other)] + SchemaText.rules(other)).joined(separator: ", "))"
        )
      }
    }
    for index in indexes {
      let wanted = try index.index(0, name, present.columns)
      if !present.indexes.contains(where: { $0.kind == wanted.kind && $0.columns == wanted.columns }) {
        throw differs("it has no \(index.text)")
      }
    }
  }
}

extension ClassPlan {
  /// The classes in the form that `realm schema --json` writes, which is that of the library's `DescribedClass`; the array alone will do.
  ///
  /// - Throws: `ToolError` that says what is wrong with the text.
  static func read(_ path: String) throws -> (classes: [ClassPlan], version: UInt64) {
    let bytes = try InputFile(path: path).readAll()
    func wrong(_ what: String) -> ToolError {
      let end = what.hasSuffix("?") ? "" : "."
      return ToolError(
        "'\(path)' is no schema: \(what)\(end) realm schema FILE --json writes one to begin with.")
    }
    let root: JSONValue
    do {
      root = try JSONParser.parse(String(decoding: bytes, as: UTF8.self))
    } catch let fault as JSONScanner.Fault {
      throw wrong(fault.message)
    }
    let list: JSONValue? = if case .array = root { root } else { root["classes"] }
    guard case .array(let classes)? = list else { throw wrong("it has no array 'classes'") }
    try SchemaMembers.check(root, SchemaMembers.ofSchema) { wrong($0) }
    let version = try version(root["schemaVersion"]) { wrong($0) }
    let plans = try classes.map { description in
      guard case .string(let name)? = description["name"], !name.isEmpty else {
        throw wrong("a class has no name")
      }
      guard case .array(let all)? = description["properties"] else {
        throw wrong("class '\(name)' has no array 'properties'")
      }
      // Linking objects are not in files.
      let properties = all.filter { $0["type"] != .string("linkingObjects") }
      let columnNames = Dictionary(
        properties.map { (ExactText($0["name"]?.text ?? ""), $0["columnName"]?.text) }
      ) { $1 }
      try SchemaMembers.check(description, SchemaMembers.ofClass) { wrong("class '\(name)': \($0)") }
      return ClassPlan(
        name: name, isEmbedded: description["embedded"] == .bool(true),
        properties: try properties.map { try Property($0) { wrong("class '\(name)': \($0)") } },
        indexes: try PlannedIndex.all(description["indexes"], columnNames) {
          wrong("class '\(name)': \($0)")
        })
    }
    return (plans, version)
  }

  private static func version(_ value: JSONValue?, _ wrong: (String) -> ToolError) throws -> UInt64 {
    switch value {
    case nil: return 0
    case .int(let number)? where number >= 0: return UInt64(number)
    case .number(let text)? where UInt64(text) != nil: return UInt64(text)!
    case let value?: throw wrong("the schemaVersion \(value.shown) is not a number of 0 or more")
    }
  }
}

extension ClassPlan.Property {
  fileprivate init(_ description: JSONValue, _ wrong: (String) -> ToolError) throws {
    guard case .string(let declaredName)? = description["name"],
      case let name = description["columnName"]?.text ?? declaredName, !name.isEmpty
    else { throw wrong("a property has no name") }
    try SchemaMembers.check(description, SchemaMembers.ofProperty) { wrong("property '\(name)': \($0)") }
    guard case .string(let typeName)? = description["type"], let type = TypeNames.type(named: typeName) else {
      throw wrong(
        "property '\(name)' has none of the types \(TypeNames.all.map(\.1).joined(separator: ", "))")
    }
    var collection = CollectionType.none
    switch description["collection"] {
    case nil, .null?: break
    case .string("list")?: collection = .list
    case .string("set")?: collection = .set
    case .string("map")?: collection = .map
    default: throw wrong("the collection of property '\(name)' is none of list, set, map")
    }
    target = description["class"]?.text
    if (type == .link) != (target != nil) {
      throw wrong("property '\(name)' is to have a class if, and only if, its type is object")
    }
    func has(_ flag: String) -> Bool { description[flag] == .bool(true) }
    let isPrimaryKey = has("primaryKey")
    if isPrimaryKey, collection != .none || ![.int, .string, .objectId, .uuid].contains(type) {
      throw wrong("property '\(name)' cannot be a primary key: those are int, string, objectId or uuid")
    }
    if has("fullText"), type != .string || collection != .none {
      throw wrong("property '\(name)' cannot have an index of words: only strings can")
    }
    let isLink = type == .link && collection == .none || type == .link && collection == .map
    column = Column(
      name: name, type: type, collection: collection,
      isNullable: has("optional") || isLink || type == .mixed,
      isIndexed: has("indexed") || isPrimaryKey, isPrimaryKey: isPrimaryKey, isFullText: has("fullText"))
    try readRules(description, wrong)
  }

  /// Which numbers and deletions the property says something about.
  private mutating func readRules(_ description: JSONValue, _ wrong: (String) -> ToolError) throws {
    column.isUnique = description["unique"] == .bool(true)
    column.isSequence = description["autoIncrement"] == .bool(true)
    if column.isSequence, !column.isPrimaryKey || column.type != .int || column.isNullable {
      throw wrong(
        "property '\(column.name)' cannot be numbered: only primary keys of type int can, which are not optional"
      )
    }
    switch description["onDelete"] {
    case nil, .null?: break
    case .string(let ruleName)? where TypeNames.rule(named: ruleName) != nil:
      column.linkRule = TypeNames.rule(named: ruleName)!
    default:
      throw wrong(
        "the onDelete of property '\(column.name)' is none of \(TypeNames.rules.map(\.1).joined(separator: ", "))"
      )
    }
    if column.linkRule != .nullify && column.type != .link && column.type != .mixed {
      throw wrong("property '\(column.name)' cannot have onDelete: it never has links")
    }
  }
}
