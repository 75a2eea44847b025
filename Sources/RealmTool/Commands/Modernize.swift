extension Command {
  private static let write = CommandOption(
    "--write", nil, "write the changed files; without it only the differences are printed")

  static let modernize = Command(
    name: "modernize", summary: "rewrite model classes of the old style with @Persisted",
    discussion: """
      Rewrites @objc dynamic var, RealmOptional, RealmProperty, let x = List<T>(), MutableSet, Map, \
      LinkingObjects(fromType:property:), primaryKey(), indexedProperties(), ignoredProperties() and @objc enum in classes \
      that derive from Object or EmbeddedObject, directly or through classes of the other files. Name all files of the models at once. Prints \
      the changes as diff -u does, and writes them only with --write. Code that has to be changed by hand is listed with file and line on \
      the standard error. The exit status is 1 when there is nothing to rewrite.
      """,
    operands: [Operand(.file("SOURCES"), .atLeastOne, "Swift files, and folders with Swift files")],
    options: [write],
    examples: [
      Example("realm modernize Sources/Models", "print the changes"),
      Example("realm modernize Sources/Models --write", "write them"),
    ]
  ) { arguments, console in
    let modernizer = try Modernizer(paths: SourceFiles.find(arguments.operands))
    var count = 0
    for (path, file) in modernizer.files where !file.edits.isEmpty {
      count += 1
      if arguments.has(write) {
        let new = SourceEdit.applying(file.edits, to: file.source.bytes[...])
        try SourceFiles.replace(path, with: new)
        try console.print("rewrote \(path)")
      } else {
        try printDifference(UnifiedDifference(file.source, file.edits, path: path), console)
      }
    }
    for (path, reason) in modernizer.refused { console.note("\(path): left as it is: \(reason)") }
    for (path, file) in modernizer.files {
      for note in file.notesByLine(after: arguments.has(write) ? file.edits : []) {
        console.note("\(path):\(note.line): \(note.text)")
      }
    }
    if count == 0 && modernizer.refused.isEmpty { console.note("nothing to rewrite") }
    return !modernizer.refused.isEmpty ? .failure : count == 0 ? .nothingFound : .success
  }

  private static func printDifference(_ difference: UnifiedDifference, _ console: Console) throws {
    for line in difference.lines() {
      let painted =
        switch line.first {
        case "+": console.style.added(line)
        case "-": console.style.removed(line)
        case "@": console.style.faint(line)
        default: console.style.plain(line)
        }
      try console.print(painted: painted)
    }
  }
}
