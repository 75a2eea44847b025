import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// One to three writers of a ledger, which die at once or one after the other.
struct WritingRound {
  let path: String

  /// How a writer writes. All of them say the number of each transaction that was acknowledged.
  enum Mode: String, CaseIterable {
    case durable
    case relaxed
    /// Asynchronous transactions, each a version.
    case asynchronous
    /// The same in groups, which are staged before they become a version.
    case grouped
    /// Opens the realm anew for each transaction.
    case reopening
    /// Cancels every other transaction.
    case cancelling
    /// Compacts the file between transactions, by hand or on launch, when nobody else has it open.
    case compacting
    /// Copies the file in each transaction, before it is committed.
    case copying

    /// How many transactions may be in the file that were not acknowledged.
    var inFlight: Int {
      switch self {
      case .asynchronous, .grouped: .max
      default: 1
      }
    }

    /// Writes until it is killed.
    func write(_ path: String) throws {
      switch self {
      case .durable, .relaxed:
        let ledger = try Ledger(path: path, durability: self == .durable ? .full : .relaxed)
        while true { ChildProcess.say(try ledger.append(writer: rawValue)) }
      case .reopening:
        while true { ChildProcess.say(try Ledger(path: path, durability: .relaxed).append()) }
      case .cancelling:
        let ledger = try Ledger(path: path, durability: .relaxed)
        while true {
          ledger.realm.beginWrite()
          ledger.change()
          ledger.realm.cancelWrite()
          ChildProcess.say(try ledger.append(writer: rawValue))
        }
      case .compacting:
        while true {
          do {
            let ledger = try Ledger(path: path, durability: .relaxed) { total, _ in total % 8192 == 0 }
            ChildProcess.say(try ledger.append(writer: rawValue))
          }
          try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path))
        }
      case .copying:
        let ledger = try Ledger(path: path, durability: .relaxed)
        while true {
          let number = try ledger.realm.write {
            let number = ledger.change(writer: rawValue)
            try Self.copy(ledger.realm, to: WritingRound.copyPath(path))
            return number
          }
          ChildProcess.say(number)
        }
      case .asynchronous, .grouped:
        try writeAsynchronously(path, allowGrouping: self == .grouped)
      }
    }

    /// In place of a former one; somebody else may do the same.
    private static func copy(_ realm: Realm, to path: String) throws {
      unlink(path)
      do {
        try realm.writeCopy(toFile: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path))
      } catch let error as Realm.Error where error.code == .fileExists {
      }
    }

    private func writeAsynchronously(_ path: String, allowGrouping: Bool) throws {
      let queue = DispatchQueue(label: rawValue)
      try queue.sync {
        let ledger = try Ledger(path: path, queue: queue)
        // As many as wait at a time make groups possible.
        for _ in 0..<8 { Self.next(ledger, allowGrouping) }
      }
      while true { pause() }
    }

    private static func next(_ ledger: Ledger, _ allowGrouping: Bool) {
      ledger.realm.beginAsyncWrite {
        let number = ledger.change()
        ledger.realm.commitAsyncWrite(allowGrouping: allowGrouping) { error in
          precondition(error == nil, "\(error!)")
          ChildProcess.say(number)
        }
        next(ledger, allowGrouping)
      }
    }
  }

  static func copyPath(_ path: String) -> String { path + ".copy" }

  /// Returns how it went.
  func run(_ random: inout SeededGenerator) throws -> String {
    let isNew = !FileManager.default.fileExists(atPath: path)
    // Another process, this one, has the file open or not.
    let survivor = try !isNew && Bool.random(using: &random) ? Ledger(path: path) : nil
    let before = survivor?.number ?? 0
    let modes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Mode.allCases.randomElement(using: &random)!
    }
    let writers = try modes.map { try ChildProcess(Kills.self, [$0.rawValue, path]) }
    var acknowledged: [Int] = []
    for writer in writers where Bool.random(using: &random) {
      for _ in 0..<Int.random(in: 0...5, using: &random) { acknowledged.append(try writer.nextNumber()) }
    }
    // With none of them, that is some time between the start of the process and its first transactions.
    usleep(.random(in: 0...(acknowledged.isEmpty ? 60_000 : 4_000), using: &random))
    for writer in writers {
      acknowledged += try writer.killedNumbers()
      if Bool.random(using: &random) { usleep(.random(in: 0...2_000, using: &random)) }
    }
    let ledger = try survivor ?? Ledger(path: path)
    ledger.realm.refresh()
    try check(ledger, modes, acknowledged, atLeast: before)
    let story = isNew ? "new file" : survivor == nil ? "closed file" : "file open elsewhere"
    return Ledger.encryptionKey(path) == nil ? story : story + ", encrypted"
  }

  private func check(_ ledger: Ledger, _ modes: [Mode], _ acknowledged: [Int], atLeast before: Int) throws {
    let story = "\(modes.map(\.rawValue)), acknowledged \(acknowledged)"
    let reached = max(before, acknowledged.max() ?? 0)
    if ledger.number < reached {
      throw KillFault("\(story): only \(ledger.number) transactions of \(reached)")
    }
    // Who died between its commit and telling others leaves a version that only the next writer need see.
    try ledger.realm.write {}
    let number = ledger.number
    if let fault = ledger.fault { throw KillFault("\(story): \(fault)") }
    if Set(acknowledged).count != acknowledged.count { throw KillFault("\(story): a number twice") }
    let limit = modes.map(\.inFlight).reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
    if !acknowledged.isEmpty, limit < .max, number - reached > limit {
      throw KillFault("\(story): \(number) transactions, of which nobody was told")
    }
    // No lock is left behind.
    let next = try ledger.append(writer: "survivor")
    if next != number + 1 { throw KillFault("\(story): the next transaction has the number \(next)") }
    if let fault = ledger.fault { throw KillFault("\(story), after the next transaction: \(fault)") }
    try Self.verify(path, story)
    try checkCopy(story)
  }

  static func verify(_ path: String, _ story: String) throws {
    let found = try Realm.verify(
      at: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path))
    if !found.isSound { throw KillFault("\(story): \(found)") }
  }

  /// There is a whole copy or none.
  private func checkCopy(_ story: String) throws {
    let copy = Self.copyPath(path)
    if access(copy, F_OK) == 0 {
      let copied = try Ledger(path: copy)
      if let fault = copied.fault { throw KillFault("\(story), in the copy: \(fault)") }
      try Self.verify(copy, "\(story), in the copy")
      if copied.number == 0 { throw KillFault("\(story): a copy of nothing") }
    }
    _ = try Realm.deleteFiles(
      for: Realm.Configuration(fileURL: URL(fileURLWithPath: copy), objectTypes: [LedgerCounter.self]))
    if access(copy + ".new", F_OK) == 0 { throw KillFault("\(story): something was left beside the copy") }
  }
}
