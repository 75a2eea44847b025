import Foundation
import TestSupport
import Testing

@testable import Storage

/// Files that get another name only where nothing has it.
@Suite struct MovingTests {
  private let folder = ScratchFolder()
  private var old: String { folder.path("old") }
  private var new: String { folder.path("new") }

  private func content(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// As file systems can do that, and where they cannot.
  @Test(arguments: [false, true]) func names(isTaken: Bool) throws {
    let move: (String) throws -> Bool = { target in
      isTaken
        ? try FileLocation.take(target, for: old) : try FileLocation.move(old, unlessThere: target)
    }
    try write("old", old)
    for other in ["there", ""] {
      try write(other, new)
      #expect(try !move(new))
      #expect(content(new) == other && content(old) == "old")
    }
    let dangling = folder.path("dangling")
    try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: folder.path("no"))
    #expect(try !move(dangling))
    try FileManager.default.removeItem(atPath: new)
    #expect(try move(new))
    #expect(content(new) == "old" && content(old) == nil)
    // There is nothing any more that could be moved.
    let other = folder.path("other")
    #expect(throws: StorageError.self) { try move(other) }
    #expect(content(other) == nil)
  }

  /// Of many threads that want the same name one gets it, and all the others' files stay.
  @Test(arguments: [false, true]) func oneOfMany(isTaken: Bool) throws {
    for round in 0..<50 {
      let target = folder.path("\(round)")
      let places = (0..<4).map { folder.path("\(round)-\($0)") }
      for place in places { try write(place, place) }
      let moved = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: places.count) { number in
        let place = places[number]
        let isDone =
          try! isTaken
          ? FileLocation.take(target, for: place) : FileLocation.move(place, unlessThere: target)
        if isDone { moved.withLock { $0.append(place) } }
      }
      let winner = try #require(moved.withLock { $0.count == 1 ? $0[0] : nil })
      #expect(content(target) == winner)
      for place in places where place != winner { #expect(content(place) == place) }
    }
  }

  /// Whoever opens the file in between gets the one that has its place then.
  @Test func whoOpensTheEmptyFileWaits() throws {
    for round in 0..<20 {
      let path = folder.path("\(round).realm")
      let whole = folder.path("\(round).whole")
      let schema = [TableDescription(name: "T", columns: [Column(name: "a", type: .int)])]
      try DatabaseFile.make(at: whole) { snapshot in
        try Writer(snapshot).begin()
        var catalogue = Catalogue()
        catalogue.tables = schema
        Writer(snapshot).setCatalogue(catalogue)
        try Writer(snapshot).commit(durability: .full)
      }
      let isMoved = Mutex(false)
      let isSeen = Mutex(false)
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 {
          isMoved.withLock { $0 = (try? FileLocation.take(path, for: whole)) == true }
        } else {
          let snapshot = try? Snapshot(file: DatabaseFile.open(path: path))
          isSeen.withLock { $0 = snapshot?.catalogue.table(named: "T") != nil }
        }
      }
      // Either the file was there when it was opened, or the one who opened it made it.
      #expect(isMoved.withLock { $0 } == isSeen.withLock { $0 })
      #expect(try FileVerification(path: path).faults == [])
    }
  }
}
