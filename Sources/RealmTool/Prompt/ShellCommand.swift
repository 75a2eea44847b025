import LibC
import Synchronization

/// A command of a shell at a terminal, as a process of its own: Ctrl-C ends it and not the shell, and so does damage in the
/// file.
struct ShellCommand {
  let name: String
  /// What follows the name, without the file.
  let words: [String]
  let path: String
  let key: [UInt8]?

  /// Runs it to its end.
  ///
  /// - Throws: `ToolError` when it cannot be started.
  func run() throws -> ExitStatus {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = [name]
    var keyPipe: Int32 = -1
    defer { if keyPipe >= 0 { close(keyPipe) } }
    if let key, Command.named(name)?.options.contains(.keyFile) == true,
      !self.words.contains(where: Self.isKey)
    {
      keyPipe = try Self.pipe(holding: key)
      // What is copied to its own number is closed all the same; so it gets another one.
      let number: Int32 = 3
      posix_spawn_file_actions_adddup2(&actions, keyPipe, number)
      words += [CommandOption.keyFile.name, "/dev/fd/\(number)"]
    }
    words += [path] + self.words
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Those that the shell waits for itself.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = (["realm"] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, environ)
    if code != 0 { throw ToolError("Failed to start the command: \(String(cString: strerror(code)))") }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    // The prompt comes on a line of its own, behind what the terminal shows for Ctrl-C.
    if status & 0x7F != 0 { StandardError.write("\n") }
    return ExitStatus(rawValue: status >> 8 & 0xFF) ?? .failure
  }

  private static func isKey(_ word: String) -> Bool {
    word == CommandOption.keyFile.name || word.hasPrefix(CommandOption.keyFile.name + "=")
  }

  /// The end of a pipe from which a key can be read, above all numbers that processes are given.
  private static func pipe(holding key: [UInt8]) throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard LibC.pipe(&ends) == 0 else {
      throw ToolError("Failed to start the command: \(String(cString: strerror(errno)))")
    }
    // It takes much more than a key without a reader.
    _ = write(ends[1], key, key.count)
    close(ends[1])
    let high = fcntl(ends[0], F_DUPFD_CLOEXEC, 10)
    close(ends[0])
    return high
  }
}
