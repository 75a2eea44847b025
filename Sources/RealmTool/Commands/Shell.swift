extension Command {
  static let shell = Command(
    name: "shell", summary: "a prompt for commands on one file",
    discussion: """
      Takes the commands info, schema, query, get, create, set, delete, import, export, copy, diff and verify without the name of the \
      file, with history and completion of commands, classes and properties; help lists them, quit or Ctrl-D ends. Ctrl-C throws the line away, or ends \
      the command that runs. Where the input is no terminal \
      its lines are commands, and the first one that fails ends the shell with its exit status.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")], options: [.keyFile],
    examples: [
      Example("realm shell world.realm", "a prompt"),
      Example("echo 'query City --count' | realm shell world.realm", "commands from another program"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    // That it can be opened at all.
    _ = try RealmFile(path: arguments.operands[0], key: key)
    return try ShellSession(path: arguments.operands[0], key: key, console: console).run()
  }
}
