import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport
import Testing

/// What other processes and later openers see of a durable commit for which the file could not be synced.
@Suite struct FailingDiskTests {
  private let folder = ScratchFolder()

  @Test(arguments: ["ledger.realm", "encrypted.realm"])
  func aDurableCommitThatThrewIsNotShown(_ name: String) throws {
    let path = folder.path(name)
    let known = try Ledger(path: path)
    var environment = FailingCalls.environment("fdatasync,fsync", error: EIO, in: folder.url.path)
    environment["FAULT_ARMED"] = folder.path("armed")
    let worker = try WorkerProcess("failing-disk", path, folder.path("armed"), environment: environment)
    #expect(worker.nextNumber() == 20)
    // The disk has all that is shown.
    #expect(known.realm.refresh())
    #expect(known.number == 20 && known.fault == nil)
    let writing = #expect(throws: Realm.Error.self) { try known.append() }
    #expect(writing?.localizedDescription.contains("could not be synced") == true)
    let isRefused = Mutex(false)
    let thread = Foundation.Thread {
      #expect((try? Ledger(path: path))?.number == 20)
      isRefused.withLock { $0 = true }
    }
    thread.start()
    try waitUntil { isRefused.withLock { $0 } }
    known.realm.invalidate()
    worker.kill()
  }

  @Test func theLastDurableCommitIsThereAfterwards() throws {
    let path = folder.path("ledger.realm")
    var environment = FailingCalls.environment("fdatasync,fsync", error: EIO, in: folder.url.path)
    environment["FAULT_ARMED"] = folder.path("armed")
    let worker = try WorkerProcess("failing-disk", path, folder.path("armed"), environment: environment)
    #expect(worker.nextNumber() == 20)
    worker.kill()
    let ledger = try Ledger(path: path)
    #expect(ledger.number == 20 && ledger.fault == nil)
    #expect(try ledger.append() == 21)
  }

  @Test func aDiskThatCannotBeReadIsNotTakenForAnotherFile() throws {
    var environment = FailingCalls.environment("pread", error: EIO, in: folder.url.path)
    environment["FAULT_ARMED"] = folder.path("armed")
    let path = folder.path("ledger.realm")
    let worker = try WorkerProcess("failing-reads", path, folder.path("armed"), environment: environment)
    #expect(worker.nextNumber() == 1)
    #expect(worker.nextNumber() == 2)
    #expect(worker.finish())
  }

  @Test(arguments: ["ledger.realm", "encrypted.realm"])
  func aDiskThatTakesNothingOfAWriteIsFull(_ name: String) throws {
    let path = folder.path(name)
    let ledger = try Ledger(path: path)
    try ledger.append()
    // Each write takes half, at last nothing.
    var environment = FailingCalls.environment("write,pwrite", error: ENOSPC, in: folder.url.path)
    environment["FAULT_SHORT"] = "1"
    let worker = try WorkerProcess("write", path, "a", "2", environment: environment)
    #expect(!worker.finish())
    ledger.realm.refresh()
    #expect(ledger.number == 1)
    #expect(try ledger.append() == 2 && ledger.fault == nil)
  }

  /// File systems of networks and of user programs interrupt also locks that do not wait, and syncs.
  @Test(arguments: [("fcntl", 40), ("fallocate", 6), ("fdatasync", 4)])
  func aCallThatASignalInterruptsIsTriedAgain(call: String, count: Int) throws {
    var interrupted = 0
    for number in 1...count {
      let path = folder.path("\(call)-\(number).realm")
      var environment = FailingCalls.environment(call, error: EINTR, in: path)
      environment["FAULT_AT"] = "\(number)"
      environment["FAULT_COUNT"] = "1"
      environment["FAULT_REPORT"] = folder.path("\(call)-\(number).report")
      let worker = try WorkerProcess("write", path, "a", "2", environment: environment)
      #expect(worker.finish(), "call \(number)")
      let report = try String(contentsOfFile: folder.path("\(call)-\(number).report"), encoding: .utf8)
      if report.contains("failed") { interrupted += 1 }
    }
    #expect(interrupted >= count / 4)
  }

  @Test func aWorkFolderThatCannotBeOpenedIsNotSaidToBeInTheWay() throws {
    let path = folder.path("ledger.realm")
    try Ledger(path: path).append()
    let new = folder.path("new.realm")
    let environment = FailingCalls.environment("open", error: EMFILE, in: new + ".new")
    let worker = try WorkerProcess("copy", path, new, environment: environment)
    #expect(worker.finish())
    #expect(!FileManager.default.fileExists(atPath: new))
  }
}
