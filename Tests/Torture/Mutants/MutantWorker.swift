import Foundation
import Glibc
import ProcessTestModels
import RealmSwift
import TestSupport

/// Makes mutants and lets each meet its fate in a process of its own.
///
/// A mere copy of this process would start sooner, but Swift's runtime can stop in one: its locks know threads by
/// numbers that `fork` changes.
struct MutantWorker {
  private let folder: String
  private let name: String
  private let errorPath: String
  private var bases: [MutantBase: Base] = [:]

  private struct Base {
    var bytes: [UInt8]
    var older: [UInt8]
    var digest: UInt64
    var values: StoredValues
  }

  private static let seconds = 20.0
  private static let memoryLimit = 700 << 20

  static func path(of base: MutantBase, in folder: String) -> String { "\(folder)/\(base.rawValue).realm" }

  init(folder: String, name: String) throws {
    self.folder = folder
    self.name = name
    errorPath = "\(folder)/mutant-\(name).err"
    for base in MutantBase.allCases {
      let path = Self.path(of: base, in: folder)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let older = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".older")))
      let place = place(base)
      try write(bytes, to: place)
      let sound = meet(place)
      guard case .read(let digest) = sound else {
        throw UsageError(message: "The base file '\(base)' is not sound: \(sound) \(errorText)")
      }
      bases[base] = Base(bytes: bytes, older: older, digest: digest, values: StoredValues(bytes))
    }
  }

  /// Where mutants of a base lie, whose name tells whether they are encrypted.
  private func place(_ base: MutantBase) -> String { "\(folder)/mutant-\(name)-\(base.rawValue).realm" }

  /// Returns the outcome's name, or "fault" and a description.
  func run(round: Int, seed: UInt64) throws -> String {
    let kinds: [MutantBase] = [
      .full, .full, .full, .full, .encrypted, .encrypted, .tiny, .tiny, .empty, .pending,
    ]
    let base = kinds[round % kinds.count]
    let sound = bases[base]!
    // Neighbouring seeds would give the same numbers one after the other.
    var seeds = SeededGenerator(seed: seed &+ UInt64(round))
    let mutant = Mutation.apply(to: sound.bytes, older: sound.older, seed: seeds.next() ^ seeds.next() >> 7)
    let path = place(base)
    try write(mutant.bytes, to: path)
    let fate = meet(path)
    let text = errorText
    switch fate {
    case .read(let found):
      if found == sound.digest { return "unharmed" }
      // Which version is read of a file with a record is not known here.
      if base != .pending && sound.values.areAll(thatDifferIn: mutant.bytes) {
        return "fault mutant \(round), \(base) (\(mutant.description)): changed values are believed"
      }
      // The process has written to it.
      try write(mutant.bytes, to: path)
      let key = Ledger.encryptionKey(path)
      let verification = try? Realm.verify(at: URL(fileURLWithPath: path), encryptionKey: key)
      return verification?.isSound == true ? "different data, sound" : "different data, found by verifying"
    case .error: return "error"
    case .signal(SIGILL), .signal(SIGTRAP):
      if text.contains("is damaged") && text.contains(path) { return "stop with words" }
      return
        "fault mutant \(round), \(base) (\(mutant.description)): stopped without saying why: \(firstLine(text))"
    default: return "fault mutant \(round), \(base) (\(mutant.description)): \(fate) \(firstLine(text))"
    }
  }

  private func firstLine(_ text: String) -> String {
    text.split(separator: "\n").prefix(3).joined(separator: " / ")
  }

  private var errorText: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

  private func write(_ bytes: [UInt8], to path: String) throws {
    for suffix in [".lock", "-lock", ".note"] { unlink(path + suffix) }
    unlink(path)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private enum Fate {
    case read(UInt64)
    case error
    case signal(Int32)
    case hung
    case tooMuchMemory(Int)
    case exit(Int32)
  }

  // MARK: Processes

  /// What becomes of who opens the file.
  private func meet(_ path: String) -> Fate {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return .exit(-1) }
    defer { close(ends[0]) }
    let started = start(path, output: ends[1])
    close(ends[1])
    guard let child = started else { return .exit(-3) }
    var status: Int32 = 0
    var usage = rusage()
    let start = Date()
    var isHung = false
    while wait4(child, &status, WNOHANG, &usage) == 0 {
      if !isHung, Date().timeIntervalSince(start) > Self.seconds {
        isHung = true
        kill(child, SIGKILL)
      }
      usleep(500)
    }
    if isHung { return .hung }
    if usage.ru_maxrss * 1024 > Self.memoryLimit { return .tooMuchMemory(usage.ru_maxrss) }
    if status & 0x7F != 0 { return .signal(status & 0x7F) }
    switch status >> 8 {
    case 0:
      var digest: UInt64 = 0
      return read(ends[0], &digest, 8) == 8 ? .read(digest) : .exit(-2)
    case Self.errorExit: return .error
    case let code: return .exit(code)
    }
  }

  private static let errorExit: Int32 = 77

  /// Starts a process that is to open the file; nil when the system has none.
  private func start(_ path: String, output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let words = [ChildProcess.executable.path, "child", Mutants.name, "meet", path]
    var arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child: pid_t = 0
    return posix_spawn(&child, words[0], &actions, nil, arguments, environ) == 0 ? child : nil
  }

  /// The life of such a process, whose standard output gets what stands for all that it read.
  static func meet(_ path: String) -> Never {
    // What the file can make it allocate; the map of the file does not count.
    var limit = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    do {
      var reader = MutantReader(path: path)
      var digest = try reader.run()
      Glibc.write(1, &digest, 8)
      _exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      _exit(errorExit)
    }
  }
}
