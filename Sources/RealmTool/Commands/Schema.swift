extension Command {
  private static let swift = CommandOption("--swift", nil, "write classes of Swift that open the file")

  static let schema = Command(
    name: "schema", summary: "show the classes of a file and their properties",
    discussion: """
      At a terminal, and without an option, one line for each property. --json writes the form that realm import reads with \
      --schema, and programs as a DescribedClass.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")],
    options: [swift, .json, .keyFile],
    examples: [
      Example("realm schema world.realm", "the classes, for people"),
      Example("realm schema world.realm --swift > Models.swift", "classes for a program"),
      Example("realm schema world.realm --json > world.json", "for realm import --schema"),
    ]
  ) { arguments, console in
    if arguments.has(swift) && arguments.has(.json) {
      throw UsageError("--swift and --json exclude each other.")
    }
    let file = try RealmFile.open(arguments)
    let text = SchemaText(file.catalogue, file.classes.map(\.description))
    if arguments.has(swift) {
      try console.output.write(text.swift)
    } else if arguments.has(.json) {
      try console.output.write(text.json)
    } else {
      try console.output.write(text.plain(console.style))
    }
    return file.classes.isEmpty ? .nothingFound : .success
  }
}
