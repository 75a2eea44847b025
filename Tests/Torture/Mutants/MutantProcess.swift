import Foundation
import LibC

/// A process that meets a mutant, within limits, and what has become of it.
struct MutantProcess {
  enum Fate: Equatable {
    case done
    case error
    case signal(Int32)
    case hung
    case tooMuchMemory(Int)
    case exit(Int32)
  }

  let fate: Fate
  /// What it has told before.
  let numbers: [UInt64]

  private static let seconds = 20.0
  private static let memoryLimit = 700 << 20
  private static let errorExit: Int32 = 77

  /// Runs this program as the child of the suite, whose words go to a file.
  init(_ words: [String], errorPath: String) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      (fate, numbers) = (.exit(-1), [])
      return
    }
    defer { close(ends[0]) }
    let child = Self.start(words, output: ends[1], errorPath)
    close(ends[1])
    fate = child.map { Self.wait(for: $0) } ?? .exit(-3)
    var words = [UInt64](repeating: 0, count: 16)
    let size = read(ends[0], &words, 128)
    numbers = Array(words.prefix(max(size, 0) / 8))
  }

  /// Starts the process; nil when the system has none.
  private static func start(_ words: [String], output: Int32, _ errorPath: String) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let words = [ChildProcess.executable.path, "child", Mutants.name] + words
    var arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child: pid_t = 0
    return posix_spawn(&child, words[0], &actions, nil, arguments, environ) == 0 ? child : nil
  }

  private static func wait(for child: pid_t) -> Fate {
    var status: Int32 = 0
    var usage = rusage()
    let start = Date()
    var isHung = false
    while wait4(child, &status, WNOHANG, &usage) == 0 {
      if !isHung, Date().timeIntervalSince(start) > seconds {
        isHung = true
        kill(child, SIGKILL)
      }
      usleep(500)
    }
    if isHung { return .hung }
    if usage.ru_maxrss * 1024 > memoryLimit { return .tooMuchMemory(usage.ru_maxrss) }
    if status & 0x7F != 0 { return .signal(status & 0x7F) }
    switch status >> 8 {
    case 0: return .done
    case errorExit: return .error
    case let code: return .exit(code)
    }
  }

  // MARK: Within the process

  /// The life of such a process.
  static func live(_ body: () throws -> Void) -> Never {
    // What the file can make it allocate. The map of the file does not count; where encrypted ones are decrypted does.
    var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    do {
      try body()
      _exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      _exit(errorExit)
    }
  }

  static func tell(_ number: UInt64) {
    var number = number
    LibC.write(1, &number, 8)
  }
}
