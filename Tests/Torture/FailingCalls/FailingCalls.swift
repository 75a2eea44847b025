import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// One or all of the system calls from some point on fail, wherever that is in the life of a file, and then work again.
///
/// A child process lives that life, see `FailingLife`. What it may answer is success or an error. What it was told to be
/// stored is there afterwards, relaxed commits aside when a synchronisation has failed, and the file is some number of whole transactions.
enum FailingCalls: AttackSuite {
  static let name = "failures"
  static let shortRounds = 24
  /// All there are: the n-th call for every n, of every kind.
  static let longRounds = Int.max

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    var generator = SeededGenerator(seed: seed)
    var attacks: [Attack] = []
    if SmallDisk.isAvailable {
      // The fullest ones are the worst.
      let disks = Attack.smallDisks
      attacks += (disks.prefix(6) + disks.dropFirst(6).shuffled(using: &generator)).prefix(rounds / 4)
    } else {
      print("  without small disks, which this system does not let the program make")
    }
    var others = try Attack.all().shuffled(using: &generator)
    // Few among all, so that short runs might have none.
    if let lock = others.firstIndex(where: { $0.error == ENOLCK }) { others.swapAt(0, lock) }
    attacks += others.prefix(rounds - attacks.count)
    print("  \(attacks.count) attacks")
    try concurrently(attacks) { attack in try run(attack, outcomes) }
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
    let folder = ScratchFolder()
    let life = try FailingLife.start(in: folder, attack)
    let (end, lines) = life.finish(within: 40)
    func fault(_ text: String) {
      outcomes.fault("\(attack.description): \(text)\n    \(lines.suffix(6)) \(life.errorText.prefix(900))")
    }
    let isStopped = attack.mayStop(end, life.errorText)
    let isEnded = end == .exit(0) || isStopped || lines.contains { $0.hasPrefix("fault") }
    guard isEnded else { return fault("\(end)") }
    if let text = lines.first(where: { $0.hasPrefix("fault") }) { return fault(text) }
    if attack.pages != nil { return outcomes.note("on a small disk") }
    let acknowledged =
      lines.last { $0.hasPrefix("stored ") }.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    do {
      let path = FailingLife.path(in: folder, isEncrypted: attack.isEncrypted)
      let ledger = try Ledger(
        path: path, schemaVersion: WideLedger.version(of: path, isWide: false), durability: .relaxed)
      if let text = ledger.fault { return fault(text) }
      // One that was stopped could not say any more how much was lost.
      let isLossKnown =
        attack.isRelaxed && isStopped && lines.contains { $0.contains("could not be synced") }
      if ledger.number < acknowledged && !isLossKnown {
        return fault("\(ledger.number) of \(acknowledged) transactions")
      }
      try ledger.append()
      let found = try Realm.verify(
        at: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path))
      if !found.isSound { return fault("\(found)") }
    } catch {
      return fault("can not be opened again: \(error)")
    }
    let errors = lines.count { $0.hasPrefix("error") }
    if isStopped { return outcomes.note("stopped") }
    if lines.contains(where: { $0.hasSuffix("after a loss") }) {
      return outcomes.note("relaxed commits lost")
    }
    outcomes.note(lines.contains("reopened") ? "after reopening" : errors > 0 ? "error" : "unharmed")
  }

  static func child(_ arguments: [String]) throws { try FailingLife(arguments).run() }
}
