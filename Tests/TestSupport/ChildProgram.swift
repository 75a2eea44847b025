public import Foundation

/// `posix_spawn_file_actions_addclosefrom_np`, which Swift does not see.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np") @discardableResult
private func addCloseFrom(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32

/// `posix_spawn_file_actions_addchdir_np`, likewise.
@_silgen_name("posix_spawn_file_actions_addchdir_np") @discardableResult
private func addChangeFolder(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ folder: UnsafePointer<CChar>
) -> Int32

/// A program that runs beside the tests, with nothing of theirs but the files that it is given.
///
/// Foundation's `Process` cannot be used where many files are open: to find the ones that it has to close, it copies 256
/// bytes for the name of each entry of /proc/self/fd, of which the last of 1,356 or more do not lie within the memory that
/// was read into. When nothing lies behind that, the whole run of the tests ends.
public final class ChildProgram: Sendable {
  /// How a program has ended.
  public enum End: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)

    /// As a shell tells it: 128 and the number for a signal.
    public var status: Int32 {
      switch self {
      case .exit(let status): status
      case .signal(let number): 128 + number
      }
    }
  }

  /// It cannot be started.
  public struct StartError: Error, CustomStringConvertible {
    /// Which program, and why.
    public let description: String
  }

  /// So many seconds the slowest machine may need for anything.
  public static let patience = 600

  /// The number of its process.
  public let identifier: pid_t
  private let state = State()

  /// Starts a program as users do, with no signal blocked: threads of tests have most of them blocked, which programs inherit.
  ///
  /// - Parameters:
  ///   - words: The path of the program, and its arguments.
  ///   - environment: Is added to that of this process.
  ///   - folder: Where it works; in that of this process, when nil.
  ///   - input: Its standard input; that of this process, when nil.
  ///   - output: Its standard output, likewise. Whoever reads from a pipe has to close this end in this process.
  ///   - error: Its standard error, likewise.
  ///   - blocksSignals: Whether it begins with all signals blocked instead.
  ///   - limit: After so many seconds it is killed; never, when nil.
  public init(
    _ words: [String], environment: [String: String] = [:], folder: URL? = nil, input: FileHandle? = nil,
    output: FileHandle? = nil, error: FileHandle? = nil, blocksSignals: Bool = false,
    limit: Int? = ChildProgram.patience
  ) throws {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let files = [input, output, error]
    for (number, file) in files.enumerated() {
      guard let file else { continue }
      let failure =
        file === FileHandle.nullDevice
        ? posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
        : posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, Int32(number))
      if failure != 0 { throw StartError(description: "\(words): file \(number) is not open") }
    }
    addCloseFrom(&actions, 3)
    if let folder { addChangeFolder(&actions, folder.path) }
    var signals = sigset_t()
    if blocksSignals { sigfillset(&signals) } else { sigemptyset(&signals) }
    posix_spawnattr_setsigmask(&attributes, &signals)
    // A group of its own, that an interrupt typed at the terminal of the tests does not reach.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    identifier = try Self.withStrings(words) { words in
      try Self.withStrings(variables.map { "\($0)=\($1)" }) { variables in
        var identifier = pid_t()
        let failure = withExtendedLifetime(files) {
          posix_spawn(&identifier, words[0]!, &actions, &attributes, words, variables)
        }
        guard failure == 0 else {
          throw StartError(
            description: "\(String(cString: words[0]!)): \(String(cString: strerror(failure)))")
        }
        return identifier
      }
    }
    awaitEnd(limit)
  }

  /// Calls the body with the strings as C has them, behind which stands nil.
  private static func withStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> Value
  ) rethrows -> Value {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return try copies.withUnsafeBufferPointer { try body($0.baseAddress!) }
  }

  /// Its end is taken note of at once, on a thread of its own: a program that has ended and of which nobody took note keeps
  /// the thread busy that waits for the processes of exit tests.
  private func awaitEnd(_ limit: Int?) {
    let (identifier, state) = (identifier, state)
    // Whoever has the object may be gone by then.
    Thread.detachNewThread { state.awaitEnd(of: identifier) }
    guard let limit else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) {
      state.ifRunning {
        print("The program \(identifier) is still running, and killed.")
        // And what it has started, as far as that is in its group.
        kill(-identifier, SIGKILL)
      }
    }
  }

  /// Whether it has not ended.
  public var isRunning: Bool { state.end == nil }

  /// Sends a signal, unless the program has ended.
  public func send(_ signal: Int32) { state.ifRunning { kill(identifier, signal) } }

  /// Waits until it has ended.
  @discardableResult
  public func wait() -> End { state.wait() }

  /// Runs a program to its end. Returns what it said, too.
  ///
  /// - Parameter readsError: Whether that is what stands in its standard error, and not in its standard output.
  public static func run(
    _ words: [String], environment: [String: String] = [:], folder: URL? = nil, readsError: Bool = false
  ) throws -> (end: End, said: Data) {
    let pipe = Pipe()
    let program = try ChildProgram(
      words, environment: environment, folder: folder,
      output: readsError ? nil : pipe.fileHandleForWriting,
      error: readsError ? pipe.fileHandleForWriting : nil)
    try pipe.fileHandleForWriting.close()
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (program.wait(), said)
  }
}

/// Whether a program has ended, and how.
private final class State: @unchecked Sendable {
  // Guarded by the condition.
  private let condition = NSCondition()
  private var known: ChildProgram.End?

  var end: ChildProgram.End? { condition.withLock { known } }

  func wait() -> ChildProgram.End {
    condition.withLock {
      while true {
        if let known { return known }
        condition.wait()
      }
    }
  }

  /// Its number is nobody else's while the body is called.
  func ifRunning(_ body: () -> Void) { condition.withLock { if known == nil { body() } } }

  func awaitEnd(of identifier: pid_t) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    condition.withLock {
      var status: Int32 = 0
      precondition(waitpid(identifier, &status, 0) == identifier, "nobody else takes note of its end")
      let signal = status & 0x7f
      known = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
      condition.broadcast()
    }
  }
}
