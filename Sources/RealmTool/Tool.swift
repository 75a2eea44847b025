import LibC
import OfficialFiles
import RealmSwift
import Storage

/// The entry point: finds the command, runs it, and reports errors.
enum Tool {
  static func run(_ words: [String]) -> ExitStatus {
    UnfinishedOutput.watchSignals()
    // A limit of the size of files is an error like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    Logger.shared = Logger(level: .off) { _, _ in }
    let console = Console()
    do {
      defer { UnfinishedOutput.removeAll() }
      let status = try dispatch(words, console)
      try console.output.flush()
      return status
    } catch {
      try? console.output.flush()
      return report(error, words.first ?? "", console)
    }
  }

  /// Finds a command by its name.
  ///
  /// - Throws: `UsageError` when there is none.
  private static func command(named name: String) throws -> Command {
    if let command = Command.named(name) { return command }
    throw UsageError(
      "there is no command '\(name)'." + Spelling.suggestion(for: name, among: Command.all.map(\.name)))
  }

  private static func dispatch(_ words: [String], _ console: Console) throws -> ExitStatus {
    let width = min(console.width ?? 100, 100)
    guard let name = words.first else {
      console.note(HelpText.overview(width: width))
      return .wrongUse
    }
    switch name {
    case "--help", "-h", "help":
      if words.count > 1 {
        try console.output.write(HelpText.command(command(named: words[1]), width: width))
      } else {
        try console.output.write(HelpText.overview(width: width))
      }
      return .success
    case "--version":
      try console.print("realm \(Realm.libraryVersion)")
      return .success
    case "--manual":
      try console.output.write(ManualPage.text)
      return .success
    case "--completion":
      guard let shell = words.dropFirst().first, let script = Completions.script(for: shell) else {
        throw UsageError("--completion needs the name of a shell: bash or zsh.")
      }
      try console.output.write(script)
      return .success
    default: break
    }
    let command = try command(named: name)
    let arguments = try Arguments(Array(words.dropFirst()), for: command)
    if arguments.wantsHelp {
      try console.output.write(HelpText.command(command, width: width))
      return .success
    }
    return try command.run(arguments, console)
  }

  /// Reports an error. Returns the exit status.
  static func report(_ error: any Error, _ command: String?, _ console: Console) -> ExitStatus {
    switch error {
    case let error as UsageError:
      console.complain(error.message)
      let help = command.flatMap(Command.named).map { "realm \($0.name) --help" } ?? "realm --help"
      if command != nil { console.note("\(help) describes the arguments.") }
      return .wrongUse
    case let error as ToolError: console.complain(error.message)
    case let error as Realm.Error:
      let message = error.localizedDescription
      console.complain(message + DamageAdvice.text(error.fileURL?.path, message))
    case let error as StorageError:
      console.complain(error.message + DamageAdvice.text(error.path, error.message))
    case let error as OfficialFileError: console.complain(error.description)
    default: console.complain("\(error)")
    }
    return .failure
  }
}
