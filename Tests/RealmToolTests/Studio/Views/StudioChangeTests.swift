import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct StudioChangeTests {
  @Test func changesOfAnotherRealmAreEvents() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(10, in: folder)
    let reader = try StudioReader(path)
    let events = EventReader(reader)
    let view = try await reader.view("StudioDog", "id < 100", sort: [["id", true]])
    _ = try await reader.rows(view)
    _ = try RealmProgram.run("set", path, "StudioDog", "3", "age=99")
    let modified = try await events.next("change")
    #expect(modified["view"] == view["view"] && modified["count"].int == 10)
    if modified["reset"].isNull {
      #expect(modified["modified"] == (try JSON("[[3,1]]")) && modified["deleted"].array.isEmpty)
    }
    _ = try RealmProgram.run("delete", path, "StudioDog", "0", "--yes")
    let deleted = try await events.next("change")
    #expect(deleted["deleted"] == (try JSON("[[0,1]]")) && deleted["count"].int == 9)
    #expect(deleted["from"].int < deleted["version"].int)
    let rows = try await reader.rows(view, columns: "2")
    #expect(rows["rows"][2] == (try JSON("[3,99]")) && rows["version"].int >= deleted["version"].int)
    while try await events.next("file")["counts"]["StudioDog"].int != 9 {}
  }

  @Test func classesOfAnotherProcessAppear() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(3, in: folder)
    let reader = try StudioReader(path)
    let events = EventReader(reader)
    let view = try await reader.view("StudioDog")
    _ = try RealmProgram.run(
      "import", path, "-", "--class", "New", "--format", "jsonl", input: "{\"n\":1}{\"n\":2}")
    while try await events.next("file")["counts"]["New"].int != 2 {}
    let new = try await reader.view("New", "n > 1")
    #expect(try await reader.rows(new)["rows"] == JSON("[[1,2]]"))
    #expect(try await reader.rows(view)["count"].int == 3)
  }

  @Test func aDeletedFileIsGone() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(3, in: folder)
    let reader = try StudioReader(path)
    let events = EventReader(reader)
    try FileManager.default.removeItem(atPath: path)
    #expect(try await events.next("gone")["message"].text == "'\(path)' was deleted or moved.")
  }

  /// Joined changes lead to the same positions as one after the other.
  @Test func changesAreJoined() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    print("seed \(seed)")
    for _ in 0..<300 {
      var (state, next) = (Array(0..<Int.random(in: 0..<20, using: &generator)), 1000)
      let first = state
      var (joined, touched) = (PositionChanges(), Set<Int>())
      for _ in 0..<Int.random(in: 1..<5, using: &generator) {
        let deleted = state.indices.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        for position in deleted.reversed() { state.remove(at: position) }
        var inserted: [Int] = []
        for position in 0..<state.count + 4 where position <= state.count {
          if Int.random(in: 0..<5, using: &generator) != 0 { continue }
          state.insert(next, at: position)
          next += 1
          inserted.append(position)
        }
        let modified = state.indices.filter {
          !inserted.contains($0) && Int.random(in: 0..<5, using: &generator) == 0
        }
        touched.formUnion(modified.map { state[$0] })
        joined.add(
          PositionChanges(
            deleted: PositionRanges(ascending: deleted), inserted: PositionRanges(ascending: inserted),
            modified: PositionRanges(ascending: modified)))
      }
      func positions(_ ranges: PositionRanges) -> [Int] { ranges.ranges.flatMap { Array($0) } }
      #expect(
        positions(joined.deleted) == first.indices.filter { !state.contains(first[$0]) }, "seed \(seed)")
      #expect(positions(joined.inserted) == state.indices.filter { state[$0] >= 1000 }, "seed \(seed)")
      #expect(
        positions(joined.modified)
          == state.indices.filter { state[$0] < 1000 && touched.contains(state[$0]) },
        "seed \(seed)")
    }
  }

  @Test func tooManyRangesAreAReset() {
    let positions = (0..<PositionChanges.limit + 1).map { $0 * 2 }
    var changes = PositionChanges(
      deleted: PositionRanges(ascending: positions), inserted: PositionRanges(), modified: PositionRanges())
    #expect(changes.isReset)
    changes.add(PositionChanges())
    #expect(changes.isReset && !changes.isEmpty)
  }
}
