import Storage

extension Command {
  private static let className = CommandOption(
    "--class", .text("CLASS"), "the class of the objects; without it that of each file's name")
  private static let form = CommandOption(
    "--format", .choice(ImportSource.Form.allCases.map(\.rawValue)),
    "what the sources are, where their names do not tell")
  private static let schemaFile = CommandOption(
    "--schema", .file("SCHEMA"), "the classes, as realm schema --json writes them, instead of inferring them")
  static let importing = Command(
    name: "import", summary: "bring JSON, JSON Lines and CSV to a file, which is made when there is none",
    discussion: """
      A class that neither the file nor --schema has is inferred from all of its values, and what was inferred is told: objects \
      within objects become embedded ones, arrays become lists, dates are those of ISO 8601, and numbers among which there are \
      integers beyond 64 bits become decimal128. --type says what the values of a property are instead. In CSV, nothing is null \
      and "" is empty text; text of digits that begins with 0 stays text. A first line of a CSV file that looks like data is refused.

      Objects such as {"$oid": "…"} are the values that MongoDB's extended JSON means by them. A JSON file that is one object with an array of \
      objects for each class, as Realm Studio saves it, brings all of these classes, unless --class says what class the one object is of.

      All is imported, or nothing. A new file is written in parts and gets its name at the end; one that is there gets everything in one \
      transaction, which readers see as a whole. A link is the primary key of its object, which may come later, and an array where that \
      key has several properties. Objects without a primary key are always added.

      The source - is the standard input; a folder is one that realm export has made.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"),
      Operand(.file("SOURCE"), .atLeastOne, "files with the objects"),
    ],
    options: [className, form, schemaFile] + ImportOptions.all + [.keyFile],
    examples: [
      Example(
        "realm import world.realm cities.jsonl --class City --key-property id", "a new class from JSON Lines"),
      Example("realm import world.realm more.csv --class City --update modified", "new and changed cities"),
      Example(
        "realm import shop.realm orders.csv --class Order --key-property customer,number",
        "a key of two properties: each customer counts its own orders"),
      Example(
        "realm import people.realm people.csv --header name,zip --type zip=string --null NA",
        "a file without a line of names"),
      Example("realm import copy.realm world", "all that realm export world.realm --to world has written"),
      Example("curl https://… | realm import new.realm - --class Item --format json", "from another program"),
    ]
  ) { arguments, console in
    let path = arguments.operands[0]
    let (sources, schema) = try sources(arguments)
    let outcome = try ImportRun(
      path: path, key: try KeyFile.read(.keyFile, arguments, isNew: !InputFile.exists(path)),
      sources: sources, declared: try schema.map { try ClassPlan.read($0) } ?? ([], 0),
      options: try ImportOptions(arguments)
    ).run()
    try showInferred(outcome.inferred, console)
    try showCounts(outcome, console)
    for note in outcome.notes { console.note(note) }
    return .success
  }

  /// The sources, and the file with the schema if there is one.
  private static func sources(_ arguments: Arguments) throws -> ([ImportSource], schema: String?) {
    var sources: [ImportSource] = []
    var schema = arguments[schemaFile]
    if arguments.operands.dropFirst().count(where: { $0 == "-" }) > 1 {
      throw UsageError("- is given twice: the standard input can be read once only.")
    }
    for source in arguments.operands.dropFirst() {
      if InputFile.isFolder(source) {
        let found = try ImportSource.all(inFolder: source)
        let hasSchema = InputFile.exists("\(source)/schema.json")
        if found.isEmpty && !hasSchema {
          throw ToolError(
            "The folder '\(source)' has nothing to import: no file in it ends in .json, .jsonl or .csv.")
        }
        sources += found
        if schema == nil && hasSchema { schema = "\(source)/schema.json" }
      } else {
        sources.append(try ImportSource(path: source, className: arguments[className], form: arguments[form]))
      }
    }
    return (sources, schema)
  }

  private static func showCounts(_ outcome: ImportRun.Outcome, _ console: Console) throws {
    for (name, source, added, updated, unchanged) in outcome.counts {
      var text = "\(name): \(Numbers.count(added, "object")) added"
      if updated > 0 { text += ", \(Numbers.separated(updated)) updated" }
      if unchanged > 0 { text += ", \(Numbers.separated(unchanged)) unchanged" }
      try console.print("\(text), from \(source)")
    }
    for name in outcome.repeated.sorted() {
      console.note(
        "Class '\(name)' has no primary key, so that its objects were added to those that were there, even if they are the same. --key-property gives a new class one."
      )
    }
  }

  private static func showInferred(_ inferred: [ClassPlan], _ console: Console) throws {
    if inferred.isEmpty { return }
    let catalogue = try ClassPlan.add(inferred, to: Catalogue())
    try console.print("Inferred:")
    try console.output.write(SchemaText(catalogue, catalogue.tables).plain(console.style))
    try console.print()
    for plan in inferred {
      for property in plan.properties where property.wouldBeRounded {
        console.note(
          "\(plan.name).\(property.column.name) is mixed: it has integers that a double would round.")
      }
    }
  }
}
