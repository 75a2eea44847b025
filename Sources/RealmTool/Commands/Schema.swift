extension Command {
  private static let swift = CommandOption(
    "--swift", nil, "write the classes as Swift source that can open the file")

  static let schema = Command(
    name: "schema", summary: "print the classes of a file and their properties",
    discussion: """
      Without an option, prints one line for each property. The output of --json is read by realm import --schema, and by programs as \
      DescribedClass. The exit status is 1 when the file has no classes.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")],
    options: [swift, .json, .keyFile],
    examples: [
      Example("realm schema world.realm", "the classes"),
      Example("realm schema world.realm --swift > Models.swift", "Swift source for a program"),
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
