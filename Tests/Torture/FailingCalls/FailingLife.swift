import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// The life of a file in a process whose system calls may fail: it is made, written in all ways, followed, copied, a seed,
/// closed, compacted, migrated to more properties and back, and opened again. Then the calls work again, and so must everything else.
///
/// The process tells "stored <number>" of each transaction that it was told to be stored, "error <text>" when something
/// threw, "reopened" when it took that to go on, and "fault <text>" when something else is wrong.
final class FailingLife: @unchecked Sendable {
  /// Calls count as long as this file is there; it lies outside of the folder whose calls count.
  private let armed: URL
  private let path: String
  private let isRelaxed: Bool
  private let isOnSmallDisk: Bool
  private let writing = DispatchQueue(label: "writing")
  private let following = DispatchQueue(label: "following")
  // Each is only used on its queue.
  private var ledger: Ledger?
  private var followed: Ledger?
  private var token: NotificationToken?
  private var stored = 0
  private var attempts = 0
  private var isFaulty = false

  /// Its name says whether it is encrypted.
  static func path(in folder: ScratchFolder, isEncrypted: Bool) -> String {
    folder.path("files/\(isEncrypted ? "encrypted" : "ledger").realm")
  }

  static func start(in folder: ScratchFolder, _ attack: Attack) throws -> ChildProcess {
    try start(
      in: folder, attack.environment, isRelaxed: attack.isRelaxed, isEncrypted: attack.isEncrypted,
      pages: attack.pages)
  }

  private static func start(
    in folder: ScratchFolder, _ environment: [String: String], isRelaxed: Bool, isEncrypted: Bool,
    pages: Int? = nil
  ) throws -> ChildProcess {
    try FileManager.default.createDirectory(atPath: folder.path("files"), withIntermediateDirectories: true)
    var environment = environment
    environment["FAULT_PREFIX"] = folder.path("files")
    environment["FAULT_ARMED"] = folder.path("armed")
    environment["FAULT_REPORT"] = folder.path("report")
    return try ChildProcess(
      FailingCalls.self,
      [
        path(in: folder, isEncrypted: isEncrypted), folder.path("armed"), isRelaxed ? "relaxed" : "full",
        pages == nil ? "calls" : "disk",
      ],
      environment: environment, preload: pages == nil,
      launcher: pages.map { SmallDisk.launcher(path: folder.path("files"), pages: $0) } ?? [])
  }

  /// How many calls of each kind there are when none fails.
  static func countCalls(isRelaxed: Bool, isEncrypted: Bool) throws -> [String: Int] {
    let folder = ScratchFolder()
    let life = try start(
      in: folder, ["FAULT_CALLS": "all"], isRelaxed: isRelaxed, isEncrypted: isEncrypted)
    let (end, lines) = life.finish(within: 40)
    guard end == .exit(0) else {
      throw UsageError(message: "The life without attack ended with \(end): \(lines.suffix(6))")
    }
    let report = try String(contentsOfFile: folder.path("report"), encoding: .utf8)
    let words = report.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    return Dictionary(uniqueKeysWithValues: words.map { ($0[0], Int($0[1])!) })
  }

  init(_ arguments: [String]) {
    path = arguments[0]
    armed = URL(fileURLWithPath: arguments[1])
    isRelaxed = arguments[2] == "relaxed"
    isOnSmallDisk = arguments[3] == "disk"
  }

  func run() throws {
    try Data().write(to: armed)
    live()
    close()
    attempt { try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: key) }
    migrate()
    // Also when nothing was opened.
    live(isShort: true)
    try FileManager.default.removeItem(at: armed)
    if isOnSmallDisk && !SmallDisk.enlarge(path: (path as NSString).deletingLastPathComponent) {
      fault("the disk can not be made larger")
    }
    goOn()
    close()
    if !migrate() { fault("it can not be migrated any more") }
    if isFaulty { exit(1) }
  }

  private func live(isShort: Bool = false) {
    open()
    // Several chains of records.
    for _ in 0..<(isShort ? 1 : 12) { append() }
    if !isShort { appendAsynchronously(3) }
    refresh()
    append()
    copy(isWithinTransaction: isShort)
    if !isShort { seed() }
    refresh()
  }

  /// Calls work again.
  private func goOn() {
    open()
    var isStored = append()
    appendAsynchronously(1)
    if ledger == nil || followed == nil || !isStored {
      // A failure may be for good until the file was closed.
      close()
      ChildProcess.say("reopened")
      open()
      isStored = append()
    }
    if !isStored { fault("no transaction can be made any more") }
    refresh()
    following.sync {
      if let followed, let token, followed.number != stored {
        withExtendedLifetime(token) { fault("the follower is at \(followed.number), not \(stored)") }
      }
      if let text = followed?.fault { fault(text) }
    }
    writing.sync { if let text = ledger?.fault { fault(text) } }
    for path in [copyPath, seededPath] { checkCopy(path) }
    if isOnSmallDisk { attempt { try verify(path) } ?? fault("it can not be verified") }
  }

  // MARK: Steps

  private func open() {
    writing.sync {
      if ledger == nil {
        ledger = attempt { try usual(path, writing) }
        if let ledger { noteLoss(ledger.number) }
      }
    }
    following.sync {
      if followed == nil {
        followed = attempt { try usual(path, following) }
        token = followed?.realm.observe { _, _ in }
      }
    }
  }

  /// Migrates it back when it has more properties.
  private func usual(_ path: String, _ queue: DispatchQueue? = nil, seed: String? = nil) throws -> Ledger {
    let version = try WideLedger.version(of: seed ?? path, isWide: false)
    return try Ledger(
      path: path, schemaVersion: version, durability: durability, queue: queue, seed: seed)
  }

  private var durability: Realm.Durability { isRelaxed ? .relaxed : .full }
  private var key: Data? { Ledger.encryptionKey(path) }

  private func close() {
    writing.sync { ledger = nil }
    following.sync {
      token?.invalidate()
      token = nil
      followed = nil
    }
  }

  @discardableResult
  private func append() -> Bool {
    writing.sync {
      guard let ledger else { return false }
      attempts += 1
      let number = attempt { try ledger.append() }
      if let number { store(number) }
      check(ledger)
      return number != nil
    }
  }

  private func appendAsynchronously(_ count: Int) {
    let ended = DispatchSemaphore(value: 0)
    let isBegun = writing.sync {
      guard let ledger else { return false }
      attempts += count
      for _ in 0..<count {
        ledger.realm.beginAsyncWrite { [self] in
          let number = ledger.change()
          ledger.realm.commitAsyncWrite(allowGrouping: number % 2 == 0) { [self] error in
            if let error { tell(error) } else { store(number) }
            ended.signal()
          }
        }
      }
      return true
    }
    if !isBegun { return }
    for _ in 0..<count where ended.wait(timeout: .now() + 15) == .timedOut {
      return fault("an asynchronous commit never ended")
    }
    writing.sync { if let ledger { check(ledger) } }
  }

  private func refresh() {
    following.sync {
      guard let followed else { return }
      followed.realm.refresh()
      check(followed)
    }
  }

  /// Returns whether it was.
  @discardableResult
  private func migrate() -> Bool {
    writing.sync {
      guard let wide = attempt({ try WideLedger(path: path, durability: durability, queue: writing) }) else {
        return false
      }
      noteLoss(wide.number)
      if !(stored...max(stored, attempts)).contains(wide.number) {
        fault("\(wide.number) transactions after a migration, of \(stored) to \(attempts)")
      }
      if let text = wide.fault { fault("after a migration: \(text)") }
      return true
    }
  }

  private var copyPath: String { path + ".copy" }
  private var seededPath: String { path + ".seeded" }

  private func copy(isWithinTransaction: Bool) {
    writing.sync {
      guard let ledger else { return }
      // Removed without the library that lets calls fail: nothing here depends on it.
      try? FileManager.default.removeItem(atPath: copyPath)
      let target = URL(fileURLWithPath: copyPath)
      if !isWithinTransaction {
        attempt { try ledger.realm.writeCopy(toFile: target, encryptionKey: key) }
        return
      }
      attempt {
        try ledger.realm.write {
          ledger.change()
          defer { ledger.realm.cancelWrite() }
          try ledger.realm.writeCopy(toFile: target, encryptionKey: key)
        }
      }
    }
  }

  /// Another file begins with what this one has.
  private func seed() {
    writing.sync {
      if ledger != nil { attempt { try usual(seededPath, writing, seed: path) } }
    }
  }

  /// The copy is whole, or there is none.
  private func checkCopy(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    attempt {
      if let text = try usual(path).fault { fault("in \(path): \(text)") }
      try verify(path)
    } ?? fault("\(path) can not be opened")
  }

  private func verify(_ path: String) throws {
    let found = try Realm.verify(at: URL(fileURLWithPath: path), encryptionKey: key)
    if !found.isSound { fault("in \(path): \(found)") }
  }

  // MARK: Telling

  private func store(_ number: Int) {
    stored = max(stored, number)
    ChildProcess.say("stored \(stored)")
  }

  /// What the disk did not have yet is lost with a synchronisation that fails: only for relaxed commits is that no fault.
  private func noteLoss(_ number: Int) {
    if !isRelaxed || number >= stored || !hasSynchronisationFailed { return }
    stored = number
    ChildProcess.say("stored \(stored) after a loss")
  }

  private var hasSynchronisationFailed: Bool {
    guard let path = ProcessInfo.processInfo.environment["FAULT_REPORT"],
      let report = try? String(contentsOfFile: path, encoding: .utf8)
    else { return false }
    return report.split(separator: "\n").contains { line in
      line.hasPrefix("failed") && ["fdatasync", "fsync", "msync"].contains { line.contains(" \($0)") }
    }
  }

  /// What is read is some number of whole transactions, of those that were made.
  private func check(_ ledger: Ledger) {
    if ledger.number > attempts { fault("\(ledger.number) transactions after \(attempts) attempts") }
    let values = Set(ledger.realm.objects(LedgerCounter.self).map(\.value))
    if values.count > 1 { fault("a part of a transaction") }
  }

  @discardableResult
  private func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      tell(error)
      return nil
    }
  }

  private func tell(_ error: any Error) {
    if !(error is Realm.Error) { fault("an error of another kind: \(error)") }
    ChildProcess.say("error \("\(error)".split(separator: "\n").joined(separator: " "))")
  }

  private func fault(_ text: String) {
    ChildProcess.say("fault \(text)")
    isFaulty = true
  }
}
