import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport
import Testing

/// Several processes on one file.
@Suite struct ProcessTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("ledger.realm") }

  @Test func tooFewDescriptorsAreAnError() throws {
    let worker = try WorkerProcess("descriptors", folder.url.path)
    var isOpened: [Int] = []
    while let number = worker.nextNumber() { isOpened.append(number) }
    #expect(worker.finish())
    #expect(isOpened.count == 16 && isOpened.first == 0 && isOpened.last == 1, "\(isOpened)")
  }

  /// A program's main thread serves the main queue in its run loop only, also while it writes.
  @Test func waitingForTheMainQueueWithinAWrite() throws {
    let worker = try WorkerProcess("turn", path)
    // The first has completed while the second is written; the one that waits comes after it.
    for expected in [1, 2, 3, 3] { #expect(worker.nextNumber() == expected) }
    #expect(worker.finish())
    let ledger = try Ledger(path: path)
    #expect(ledger.number == 3 && ledger.fault == nil)
  }

  /// A writer that is killed, at any moment, leaves exactly a committed state: all that it had reported, and at
  /// most one transaction more.
  @Test(arguments: [("ledger.realm", 60), ("encrypted.realm", 15)])
  func killedWriters(_ name: String, rounds: Int) throws {
    let path = folder.path(name)
    let seed = UInt64.random(in: 0...UInt64.max)
    print("killedWriters seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    var reached = 0
    for round in 0..<rounds {
      // Another process, this one, has the file open or not.
      let open = round > 0 && Bool.random(using: &random) ? try Ledger(path: path) : nil
      let worker = try WorkerProcess("loop", path)
      let wanted = Int.random(in: 0...8, using: &random)
      for _ in 0..<wanted { _ = worker.nextNumber() }
      usleep(.random(in: 0...4000, using: &random))
      worker.kill()
      let reported = max(worker.lastNumber ?? 0, reached)
      let ledger = try open ?? Ledger(path: path)
      ledger.realm.refresh()
      let number = ledger.number
      #expect(number == reported || number == reported + 1, "round \(round)")
      #expect(ledger.fault == nil, "round \(round)")
      // No lock is left behind.
      if Bool.random(using: &random) {
        #expect(try ledger.append(writer: "survivor") == number + 1)
        #expect(ledger.fault == nil, "round \(round)")
      }
      reached = ledger.number
    }
    #expect(reached > rounds)
  }

  /// A process that is killed while it makes a new file leaves none, an empty one or a whole one.
  @Test func killedCreators() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("killedCreators seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    for round in 0..<40 {
      let path = folder.path("\(round).realm")
      let worker = try WorkerProcess("loop", path)
      // Starting a process takes the better part of this.
      usleep(.random(in: 0...60_000, using: &random))
      worker.kill()
      let ledger = try Ledger(path: path)
      let reported = worker.lastNumber ?? 0
      #expect(ledger.number == reported || ledger.number == reported + 1, "round \(round)")
      #expect(ledger.fault == nil, "round \(round)")
      try ledger.append()
      #expect(ledger.fault == nil, "round \(round)")
    }
  }

  /// A transaction that is open when its process dies is as if it had never been.
  @Test func killedHolders() throws {
    let ledger = try Ledger(path: path)
    for round in 1...5 {
      try ledger.append()
      let worker = try WorkerProcess("hold", path)
      #expect(worker.nextNumber() == 0)
      worker.kill()
      ledger.realm.refresh()
      #expect(ledger.number == round)
      #expect(ledger.fault == nil)
    }
  }

  /// The same for asynchronous transactions, of which several may be visible and not reported yet.
  @Test func killedAsynchronousWriters() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("killedAsynchronousWriters seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    var reached = 0
    for round in 0..<20 {
      let open = round > 0 && Bool.random(using: &random) ? try Ledger(path: path) : nil
      let worker = try WorkerProcess("async", path)
      let wanted = Int.random(in: 1...20, using: &random)
      for _ in 0..<wanted { _ = worker.nextNumber() }
      usleep(.random(in: 0...4000, using: &random))
      worker.kill()
      let ledger = try open ?? Ledger(path: path)
      ledger.realm.refresh()
      #expect(ledger.number >= max(worker.lastNumber ?? 0, reached), "round \(round)")
      #expect(ledger.fault == nil, "round \(round)")
      // Neither a lock nor a record that nobody ends is left behind.
      let number = ledger.number
      #expect(try ledger.append(writer: "survivor") == number + 1)
      #expect(ledger.fault == nil, "round \(round)")
      reached = ledger.number
    }
    #expect(reached > 20)
  }

  /// Processes hear of each other's transactions, also while others of them are killed.
  @Test(arguments: ["ledger.realm", "encrypted.realm"]) func followers(_ name: String) throws {
    let path = folder.path(name)
    let ledger = try Ledger(path: path)
    try ledger.append()
    var followers = try (0..<3).map { _ in try WorkerProcess("follow", path) }
    for follower in followers { #expect(follower.nextNumber() == 1) }
    for round in 1...30 {
      let number = try ledger.append()
      for follower in followers {
        // One that is slow may miss a transaction for the next one, and may have seen it at its start.
        var last = follower.lastNumber ?? 0
        while last < number {
          let next = follower.nextNumber() ?? .max
          #expect(next >= last && next <= number)
          last = next
        }
      }
      if round % 10 == 0 {
        followers.removeFirst().kill()
        let new = try WorkerProcess("follow", path)
        #expect(new.nextNumber() == number)
        followers.append(new)
      }
    }
    for follower in followers { follower.kill() }
    try ledger.append()
    #expect(ledger.fault == nil)
  }

  /// This process hears of the transactions of another one, until that is killed and after.
  @Test func following() throws {
    try Ledger(path: path).append()
    let queue = DispatchQueue(label: "following")
    let path = path
    let arrived = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var kept: NotificationToken?
    try queue.sync {
      let ledger = try Ledger(path: path, queue: queue)
      kept = ledger.realm.observe { _, _ in arrived.signal() }
    }
    for _ in 0..<5 {
      let worker = try WorkerProcess("loop", path)
      for _ in 0..<10 { _ = worker.nextNumber() }
      worker.kill()
      let number = try #require(worker.lastNumber)
      while try queue.sync(execute: { try Ledger(path: path, queue: queue).number }) < number {
        arrived.waitOrStop()
      }
    }
    withExtendedLifetime(kept) {}
  }

  /// This process also hears of a transaction whose process was killed before it could tell of it.
  @Test func followingTheDead() throws {
    try Ledger(path: path).append()
    let queue = DispatchQueue(label: "following")
    let path = path
    let arrived = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var kept: NotificationToken?
    try queue.sync {
      let ledger = try Ledger(path: path, queue: queue)
      kept = ledger.realm.observe { _, _ in arrived.signal() }
    }
    for number in 2...6 {
      #expect(try !WorkerProcess("vanish", path).finish())
      arrived.waitOrStop()
      #expect(try queue.sync { try Ledger(path: path, queue: queue).number } == number)
    }
    withExtendedLifetime(kept) {}
  }

  @Test(arguments: [("ledger.realm", 1000), ("encrypted.realm", 200)])
  func twoWriters(_ name: String, count: Int) throws {
    let path = folder.path(name)
    let workers = try ["a", "b"].map { try WorkerProcess("write", path, $0, "\(count)") }
    // What a reader sees meanwhile is always one of the states, and never goes back.
    let ledger = try Ledger(path: path)
    var last = 0
    for worker in workers {
      for step in 1...count {
        guard worker.nextNumber() != nil else { break }
        guard step % 25 == 0 else { continue }
        ledger.realm.refresh()
        #expect(ledger.fault == nil)
        #expect(ledger.number >= last)
        last = ledger.number
      }
    }
    for worker in workers { #expect(worker.finish()) }
    ledger.realm.refresh()
    #expect(ledger.number == 2 * count)
    #expect(ledger.fault == nil)
    let verification = try Realm.verify(
      at: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path))
    #expect(verification.isSound, "\(verification)")
  }

  /// Processes that make the same new file at once make one.
  @Test func manyCreators() throws {
    for round in 0..<5 {
      let path = folder.path("\(round)\(round == 4 ? "encrypted" : "").realm")
      let workers = try (0..<4).map { try WorkerProcess("write", path, "\($0)", "5") }
      for worker in workers { #expect(worker.finish()) }
      let ledger = try Ledger(path: path)
      #expect(ledger.number == 20)
      #expect(ledger.fault == nil)
      #expect(Set(ledger.realm.objects(LedgerEntry.self).map(\.writer)) == ["0", "1", "2", "3"])
    }
  }

  /// A file that another process has open may be read, and shows what it commits.
  @Test func readersOfOtherProcesses() throws {
    try Ledger(path: path).append()
    let worker = try WorkerProcess("loop", path)
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    configuration.objectTypes = [LedgerCounter.self, LedgerEntry.self]
    configuration.readOnly = true
    let reader = try Realm(configuration: configuration)
    let seen = reader.object(ofType: LedgerCounter.self, forPrimaryKey: 0)?.value ?? 0
    while let number = worker.nextNumber(), number < seen + 10 {}
    // A read-only realm shows the version that it was opened with.
    #expect(reader.objects(LedgerCounter.self).allSatisfy { $0.value == seen })
    worker.kill()
  }
}
