extension Command {
  private static let toFolder = CommandOption(
    "--to", .folder("PLACE"),
    "write a file for each class to this new folder or, with --format sqlite, one database to this new file"
  )
  private static let format = CommandOption(
    "--format", .choice(["jsonl", "json", "csv", "sqlite"]), "JSON Lines (the default), JSON, CSV or SQLite")
  private static let className = CommandOption(
    "--class", .text("CLASS"), "export this class only; may be given several times")

  static let export = Command(
    name: "export", summary: "write all objects as JSON Lines, JSON, CSV or a SQLite database",
    discussion: """
      One class is written to the standard output, or all chosen classes to a folder: one file named after each class, and the schema in \
      schema.json. realm import reads the folder. Embedded objects are written within their parents. The export is one version of the file; \
      other processes can write at the same time.

      Dates are texts of ISO 8601, data is base64. A link is the primary key of its target, a JSON array if that key has several properties, \
      or {"$row": 7} if the class has no primary key; objects of such a class have a member $row, in CSV a column #row. In mixed properties, \
      values that JSON has no form for are objects with one of the members $date, $data, $objectId, $uuid, $decimal128 and $float, or with \
      $class and $key for a link.

      In SQLite each class is a table, a link is a foreign key, and a collection is a table of its own. Indexes and unique constraints are \
      kept. Tables whose primary key has several properties, or that have none, have a key _row for links. Names that are equal for SQLite \
      get underscores at their ends.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")],
    options: [className, format, toFolder, RecordFormat.escapeFormulas, .keyFile],
    examples: [
      Example("realm export world.realm --class City > cities.jsonl", "the cities as JSON Lines"),
      Example(
        "realm export world.realm --to world --format csv", "a CSV file for each class, in the folder world"),
      Example("realm export world.realm --to world.sqlite --format sqlite", "a database for SQLite"),
    ]
  ) { arguments, console in
    let file = try RealmFile.open(arguments)
    let names = arguments.all(className)
    let classes = try names.isEmpty ? file.classes : names.map { try file.classReader($0) }
    let format = arguments[Self.format] ?? "jsonl"
    let escapesFormulas = arguments.has(RecordFormat.escapeFormulas)
    guard let place = arguments[toFolder] else {
      if format == "sqlite" { throw UsageError("--format sqlite needs --to and the name of the database.") }
      let written = classes.filter { !$0.isEmbedded || !names.isEmpty }
      guard written.count == 1 else {
        throw UsageError(
          "'\(file.path)' has \(Numbers.count(written.count, "class", "classes")): choose one with --class, or give a folder with --to."
        )
      }
      try ClassExport(
        written[0], RecordFormat(rawValue: format)!, LinkedClasses(file.version),
        escapesFormulas: escapesFormulas
      ).write(to: console.output, console.style)
      return .success
    }
    let progress = Progress("Exporting")
    let count =
      if format == "sqlite" {
        try SQLiteExport(file, classes).write(to: place, progress)
      } else {
        try FolderExport(
          file, classes, RecordFormat(rawValue: format)!, escapesFormulas: escapesFormulas
        ).write(to: place, progress)
      }
    progress.finish()
    try console.print(
      "Exported \(Numbers.count(count, "object")) of \(Numbers.count(classes.count, "class", "classes")) to '\(place)'."
    )
    return .success
  }
}
