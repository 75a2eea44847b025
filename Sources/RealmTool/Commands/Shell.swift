extension Command {
  static let shell = Command(
    name: "shell", summary: "run commands on one file at a prompt, with history and completion",
    discussion: """
      Accepts the commands info, schema, query, aggregate, get, create, set, delete, import, export, copy, diff and verify without the file \
      name. The Tab key completes commands, classes and properties. help lists the commands; quit or Ctrl-D ends the shell. Ctrl-C discards \
      the line, or ends the running command. If the input is no terminal, each line is a command, and the first one that fails ends the \
      shell with its exit status.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")], options: [.keyFile],
    examples: [
      Example("realm shell world.realm", "a prompt"),
      Example("echo 'query City --count' | realm shell world.realm", "commands from a pipe"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    // Reports a file that cannot be opened before the first prompt.
    _ = try RealmFile(path: arguments.operands[0], key: key)
    return try ShellSession(path: arguments.operands[0], key: key, console: console).run()
  }
}
