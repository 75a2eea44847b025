import Foundation
import ProcessTestModels
import RealmSwift

/// One or all of the system calls from some point on fail, wherever that is in the life of a file, and then work again.
///
/// A child process lives that life, see `FailingLife`. What it may answer is success or an error. What it was told to be
/// stored is there afterwards, and the file is some number of whole transactions.
enum FailingCalls: AttackSuite {
  static let name = "failures"
  static let shortRounds = 24
  static let longRounds = 4000

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    var generator = SeededGenerator(seed: seed)
    let attacks = try Attack.all().shuffled(using: &generator).prefix(rounds)
    print("  \(attacks.count) attacks")
    try concurrently(Array(attacks)) { attack in try run(attack, outcomes) }
  }

  /// As many rounds at once as there are processors: most of the time of each is waiting.
  private static func concurrently(
    _ attacks: [Attack], _ body: @escaping @Sendable (Attack) throws -> Void
  ) throws {
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: attacks.count) { number in
      do { try body(attacks[number]) } catch { failures.add(error) }
    }
    if let first = failures.first { throw first }
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [any Error] = []
    func add(_ error: any Error) { lock.withLock { all.append(error) } }
    var first: (any Error)? { lock.withLock { all.first } }
  }

  private static func run(_ attack: Attack, _ outcomes: Outcomes) throws {
    let folder = try ScratchFolder()
    let life = try FailingLife.start(in: folder, attack)
    let (end, lines) = life.finish(within: 40)
    func fault(_ text: String) {
      outcomes.fault("\(attack.description): \(text)\n    \(lines.suffix(6)) \(life.errorText.suffix(600))")
    }
    guard case .exit(0) = end else { return fault("\(end)") }
    if let text = lines.first(where: { $0.hasPrefix("fault") }) { return fault(text) }
    let acknowledged = lines.last { $0.hasPrefix("stored ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
    do {
      let ledger = try Ledger(path: FailingLife.path(in: folder), durability: .relaxed)
      if let text = ledger.fault { return fault(text) }
      if ledger.number < acknowledged { return fault("\(ledger.number) of \(acknowledged) transactions") }
      try ledger.append()
    } catch {
      return fault("can not be opened again: \(error)")
    }
    let errors = lines.count { $0.hasPrefix("error") }
    outcomes.note(lines.contains("reopened") ? "after reopening" : errors > 0 ? "error" : "unharmed")
  }

  static func child(_ arguments: [String]) throws { try FailingLife(arguments).run() }
}

/// Which calls fail, and how.
struct Attack: Sendable, CustomStringConvertible {
  var calls: String
  var number: Int
  /// Whether all that follow fail as well.
  var isLasting: Bool
  var error: Int32
  /// Whether writes write half of it instead.
  var isShort = false
  var isRelaxed: Bool

  var description: String {
    let text = isShort ? "short" : String(cString: strerror(error))
    let calls = calls == Self.fileCalls ? "calls" : calls
    return "\(calls) \(number)\(isLasting ? " and later" : "") \(text)\(isRelaxed ? ", relaxed" : "")"
  }

  var environment: [String: String] {
    var variables = [
      "FAULT_CALLS": calls, "FAULT_AT": "\(number)", "FAULT_COUNT": isLasting ? "0" : "1",
      "FAULT_ERRNO": "\(error)",
    ]
    if isShort { variables["FAULT_SHORT"] = "1" }
    return variables
  }

  /// The n-th of all calls for every n, with what the disk may say; and of single kinds with what only they may say.
  static func all() throws -> [Attack] {
    var attacks: [Attack] = []
    for isRelaxed in [false, true] {
      let counts = try FailingLife.countCalls(isRelaxed: isRelaxed)
      func add(_ calls: String, _ errors: [Int32], lasting: [Bool] = [false, true], isShort: Bool = false) {
        for number in 1...max(1, counts[calls] ?? 0) {
          for error in errors {
            for isLasting in lasting {
              attacks.append(
                Attack(
                  calls: calls, number: number, isLasting: isLasting, error: error, isShort: isShort,
                  isRelaxed: isRelaxed))
            }
          }
        }
      }
      add(fileCalls, [ENOSPC, EIO])
      add("write,pwrite", [ENOSPC, EIO, EFBIG])
      add("write,pwrite", [ENOSPC], isShort: true)
      add("fdatasync,fsync,msync", [EIO])
      add("flock,fcntl", [ENOLCK])
      add("open", [EMFILE])
      add("mmap", [ENOMEM])
      // Those that dispatch queues run on are among them: they wait for ever when there is none.
      add("pthread_create", [EAGAIN], lasting: [false])
      // What a signal interrupts is tried again.
      add("open,write,pwrite,fdatasync,fsync,ftruncate,fallocate,flock,fcntl", [EINTR], lasting: [false])
    }
    return attacks
  }

  private static let fileCalls =
    "open,read,pread,write,pwrite,fdatasync,fsync,msync,ftruncate,fallocate,mmap,flock,fcntl,fstat,rename,link,unlink"

  /// The kinds of calls that are counted together.
  static let kinds = [
    fileCalls, "write,pwrite", "fdatasync,fsync,msync", "flock,fcntl", "open", "mmap", "pthread_create",
    "open,write,pwrite,fdatasync,fsync,ftruncate,fallocate,flock,fcntl",
  ]
}
