import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport
import Testing

/// Several processes that make numbered objects, and delete others with what they own.
@Suite struct RegistryTests {
  private let folder = ScratchFolder()

  @Test func noNumberIsGivenTwice() throws {
    let path = folder.path("registry.realm")
    let registry = try Registry(path: path)
    let workers = try (0..<3).map { try WorkerProcess("tickets", path, "\($0)", "40") }
    var numbers: [Int] = []
    for _ in 0..<40 { numbers.append(try registry.append()) }
    for worker in workers {
      while let number = worker.nextNumber() { numbers.append(number) }
      #expect(worker.finish())
    }
    registry.realm.refresh()
    #expect(numbers.sorted() == Array(1...160))
    #expect(registry.fault == nil)
  }

  @Test(arguments: ["registry.realm", "encrypted.realm"]) func killedWriters(_ name: String) throws {
    let path = folder.path(name)
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max))
    var reached = 0
    for round in 0..<15 {
      let worker = try WorkerProcess("tickets", path, "writer", "1000000")
      for _ in 0..<Int.random(in: 1...8, using: &random) { _ = worker.nextNumber() }
      usleep(.random(in: 0...4000, using: &random))
      worker.kill()
      let registry = try Registry(path: path)
      let newest = registry.realm.objects(Ticket.self).max(of: \.number) ?? 0
      let reported = worker.lastNumber ?? 0
      #expect(newest == reported || newest == reported + 1, "round \(round)")
      #expect(newest > reached && registry.fault == nil, "round \(round)")
      reached = try registry.append()
      #expect(reached == newest + 1 && registry.fault == nil, "round \(round)")
    }
  }
}
