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
}
