import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport
import Testing

/// Files that several processes copy and compact at once.
@Suite struct SpaceTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("ledger.realm") }

  /// One of several processes copies the seed, and all have it.
  @Test func manySeeds() throws {
    let seed = folder.path("seed.realm")
    for _ in 0..<3 { try Ledger(path: seed).append() }
    for round in 0..<5 {
      let target = folder.path("\(round).realm")
      let workers = try (0..<4).map { _ in try WorkerProcess("seed", target, seed) }
      for worker in workers {
        #expect(worker.finish())
        #expect(worker.lastNumber == 3)
      }
      #expect(try Ledger(path: target).fault == nil)
      #expect(!FileManager.default.fileExists(atPath: target + ".new"))
    }
  }

  /// While one process compacts the file whenever it can, others open, write, and read it.
  @Test func compactedByAnother() throws {
    try Ledger(path: path).append()
    let compactor = try WorkerProcess("compact", path)
    _ = compactor.nextNumber()
    let writer = try WorkerProcess("write", path, "writer", "30")
    var number = 1
    for round in 0..<40 {
      let ledger = try Ledger(path: path, durability: .relaxed)
      number = try ledger.append()
      #expect(ledger.fault == nil, "round \(round)")
    }
    #expect(writer.finish())
    compactor.kill()
    let ledger = try Ledger(path: path)
    #expect(ledger.number == 71)
    #expect(number <= 71 && ledger.fault == nil)
    #expect(compactor.lastNumber ?? 0 > 0)
    #expect(!FileManager.default.fileExists(atPath: path + ".new"))
  }
}
