extension Command {
  private static let toFolder = CommandOption(
    "--to", .folder("PLACE"),
    "write a file for each class to this folder, which must not be there yet; or, with --format sqlite, one database to this file"
  )
  private static let format = CommandOption(
    "--format", .choice(["jsonl", "json", "csv", "sqlite"]), "JSON Lines (the default), JSON, CSV or SQLite")
  private static let className = CommandOption(
    "--class", .text("CLASS"), "only this class; may be given several times")

  static let export = Command(
    name: "export", summary: "write all objects as JSON Lines, JSON, CSV or a SQLite database",
    discussion: """
      One class goes to the standard output, or all of the chosen ones to files of a folder, called as the classes, with the \
      schema in schema.json: realm import reads them again. Embedded objects lie within their parents. What is written is one version \
      of the file, whatever others write meanwhile.

      Dates are those of ISO 8601, data is base64, and links are the primary keys of their objects, arrays where keys have several \
      properties, or {"$row": 7} where there is none: then the objects have a member $row, in CSV a column #row. In properties of any type, what JSON can not say has a member that does: $date, $data, $objectId, $uuid, $decimal128, \
      $float, or $class and $key for a link.

      In SQLite each class is a table, links are foreign keys, and collections are tables of their own. Indexes are indexes \
      there, and what is unique stays so; objects whose primary key has several properties, and those without one, have a key _row for links. Names that SQLite takes for \
      the same get underscores at their ends.
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
