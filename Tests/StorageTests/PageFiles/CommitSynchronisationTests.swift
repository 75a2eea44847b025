#if OWN_PAGES
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import Storage

  /// Commits to files of pages that do not wait for the disk.
  @Suite struct CommitSynchronisationTests {
    /// Many commits, for each of which a caller waits; at the end nothing but these keeps the file open.
    @Test func completionsComeWhenTheDiskHasTheirVersions() async throws {
      var numbers: Numbers? = try Numbers()
      let file = numbers!.file
      let durable = Mutex<[UInt64]>([])
      let done = DispatchGroup()
      for _ in 0..<200 {
        try numbers!.append(.deferred)
        let version = file.newestVersion
        done.enter()
        file.whenSynced(version) { [unowned file] failure in
          #expect(failure == nil)
          #expect(file.environment.store!.durableVersion >= version)
          durable.withLock { $0.append(version) }
          done.leave()
        }
      }
      try file.waitUntilSynced(file.newestVersion)
      numbers = nil
      await withCheckedContinuation { continuation in
        done.notify(queue: .global()) { continuation.resume() }
      }
      #expect(durable.withLock { $0.count } == 200)
    }

    /// Also that of a version which the disk has already when the caller asks.
    @Test func completionsComeInTheOrderOfTheCommits() throws {
      let numbers = try Numbers()
      let file = numbers.file
      let order = Mutex<[Int]>([])
      let (inFirst, gate, done) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      try numbers.append(.relaxed)
      file.whenSynced(file.newestVersion) { _ in
        inFirst.signal()
        gate.wait()
        order.withLock { $0.append(1) }
      }
      inFirst.wait()
      try numbers.append(.relaxed)
      file.whenSynced(file.newestVersion) { _ in order.withLock { $0.append(2) } }
      try file.environment.store!.synchronise()
      file.whenSynced(file.newestVersion) { _ in
        order.withLock { $0.append(3) }
        done.signal()
      }
      gate.signal()
      done.wait()
      #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test func aFileIsClosedWhenTheDiskHasIt() throws {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      for round in 1...20 {
        weak var former: DatabaseFile?
        do {
          let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
          former = snapshot.file
          try snapshot.beginWrite()
          if round == 1 {
            snapshot.setCatalogue(
              Catalogue(tables: [
                TableDescription(name: "Number", columns: [Column(name: "value", type: .int)])
              ]))
          }
          _ = snapshot.table(0).insertRow()
          try snapshot.commitWrite(durability: .deferred)
        }
        // The synchronisation keeps it open.
        while former != nil { usleep(100) }
        let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
        #expect(snapshot.liveCount(table: 0) == round)
      }
    }
  }
#endif
