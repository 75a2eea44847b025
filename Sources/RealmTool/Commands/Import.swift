import Storage

extension Command {
  private static let className = CommandOption(
    "--class", .text("CLASS"), "the class of the objects; without it, the file name up to the first dot")
  private static let form = CommandOption(
    "--format", .choice(ImportSource.Form.allCases.map(\.rawValue)),
    "the format of the sources, if their names do not end in .json, .jsonl, .ndjson, .csv or .tsv")
  private static let schemaFile = CommandOption(
    "--schema", .file("SCHEMA"),
    "read the classes from this output of realm schema --json instead of inferring them")

  static let importing = Command(
    name: "import",
    summary: "import JSON, JSON Lines and CSV into a file, which is created if it does not exist",
    discussion: """
      A class that neither the file nor --schema has is inferred from all of its values, and the inferred properties are printed: objects \
      within objects become embedded objects, arrays become lists, texts of ISO 8601 become dates, and numbers become decimal128 if one of \
      them is an integer beyond 64 bits. --type overrides the type of a property. In CSV, an empty field is null and "" is empty text; \
      digits that begin with 0, or that no number type can hold, stay text. A first line of a CSV file that looks like data is refused.

      Keys and columns that are the name of no property are an error, unless --ignore-unknown-keys is given. Objects such as \
      {"$oid": "…"} are read as MongoDB's extended JSON. A JSON file that is one object with an array of objects for each class, as Realm \
      Studio saves it, is imported with all of these classes, unless --class names the class of the one object.

      An import is atomic. A new file gets its name when it is complete; an existing file is changed in one transaction. A link is the \
      primary key of its target, which may come later, or a JSON array if that key has several properties. Objects without a primary key \
      are always added.

      The source - is the standard input. A folder is the output of realm export. Compressed sources are piped in: \
      zcat data.jsonl.gz | realm import FILE - --class CLASS --format jsonl.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"),
      Operand(.file("SOURCE"), .atLeastOne, "files with the objects"),
    ],
    options: [className, form, schemaFile] + ImportOptions.all + [.keyFile],
    examples: [
      Example(
        "realm import world.realm cities.jsonl --class City --key-property id", "a new class from JSON Lines"),
      Example(
        "realm import world.realm more.csv --class City --update modified",
        "adds new cities and changes existing ones"),
      Example(
        "realm import shop.realm orders.csv --class Order --key-property customer,number",
        "a primary key of two properties"),
      Example(
        "realm import people.realm people.csv --header name,zip --type zip=string --null NA",
        "a CSV file without a header"),
      Example(
        "realm import copy.realm world", "the folder that realm export world.realm --to world has written"),
      Example(
        "curl https://… | realm import new.realm - --class Item --format json",
        "the output of another program"),
    ]
  ) { arguments, console in
    let path = arguments.operands[0]
    try checkOrder(arguments.operands)
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

  /// Refuses a Realm file as source where the file to import to is named like a source.
  private static func checkOrder(_ operands: [String]) throws {
    let first = operands[0]
    guard ImportSource.form(String(first.split(separator: ".").last ?? "")) != nil,
      let file = operands.dropFirst().first(where: { $0.hasSuffix(".realm") || isRealm($0) })
    else { return }
    throw UsageError("the Realm file comes first: realm import '\(file)' '\(first)'.")
  }

  private static func isRealm(_ path: String) -> Bool {
    InputFile.exists(path) && !InputFile.isFolder(path)
      && (try? DatabaseFile.open(path: path, readOnly: true)) != nil
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
        "Class '\(name)' has no primary key: its objects were added to the existing ones, also if they are equal. --key-property gives a new class a primary key."
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
