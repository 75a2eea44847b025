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

  /// Each seat goes to one process, also when one of them is killed at any time.
  @Test(arguments: [false, true]) func noSeatIsTakenTwice(isOneKilled: Bool) throws {
    let path = folder.path("registry.realm")
    let workers = try (0..<3).map { _ in try WorkerProcess("seats", path, "150") }
    if isOneKilled {
      for _ in 0..<Int.random(in: 1...20) { _ = workers[0].nextNumber() }
      workers[0].kill()
    }
    var seats: [Int] = []
    for worker in workers.dropFirst(isOneKilled ? 1 : 0) {
      while let seat = worker.nextNumber() { seats.append(seat) }
      #expect(worker.finish())
    }
    #expect(Set(seats).count == seats.count)
    #expect(isOneKilled || seats.sorted() == Array(0..<150))
    try autoreleasepool {
      let registry = try Registry(path: path)
      let realm = registry.realm
      #expect(realm.objects(Seat.self).count == 150 && registry.faultOfSeats == nil)
      #expect(realm.objects(Seat.self).where { $0.place == 7 && $0.row >= 3 && $0.row < 9 }.count == 6)
    }
    #expect(try Realm.verify(at: URL(fileURLWithPath: path)).faults == [])
  }

  /// Each finds a file that is to be deleted, and one of them deletes it: not what the others make in its place.
  @Test func processesThatStartAnewTogether() throws {
    for round in 0..<8 {
      var path = folder.path("registry \(round).realm")
      _ = try autoreleasepool { try Registry(path: path).append() }
      if round % 2 == 1 {
        // What links to the file goes on doing so.
        let link = folder.path("link \(round).realm")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        path = link
      }
      let workers = try (0..<4).map { _ in try WorkerProcess("anew", path, "3") }
      var numbers: [Int] = []
      for worker in workers {
        while let number = worker.nextNumber() { numbers.append(number) }
        #expect(worker.finish(), "round \(round)")
      }
      #expect(numbers.sorted() == Array(1...12), "round \(round)")
      let realm = try Registry(path: path, startsAnew: true).realm
      #expect(realm.objects(Seat.self).count == 12 && realm.objects(Ticket.self).isEmpty, "round \(round)")
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      #expect((link != nil) == (round % 2 == 1))
    }
  }
}
