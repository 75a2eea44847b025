import Foundation
import RealmSwift
import RealmSync
import Synchronization
import TestSupport
import Testing

/// Lists and maps of embedded objects in real sessions, through the interface of the library.
@MainActor @Suite struct DocumentSessionTests {
  private static let classes: [ObjectBase.Type] = [SyncCabinet.self, SyncDrawer.self, SyncSheet.self]

  /// A cabinet in two realms.
  private func built() async throws -> (SyncDatabase, [Realm], [SyncCabinet]) {
    let database = try SyncDatabase(Self.classes)
    let realms = try await database.openCurrent("first.realm", "second.realm")
    let value: [String: Any] = [
      "id": 1, "stack": [["name": "upper"], ["name": "lower"]],
      "drawers": ["left": ["name": "maps", "sheets": [["text": "Po"]]], "right": ["name": "plans"]],
    ]
    try realms[0].write { _ = realms[0].create(SyncCabinet.self, value: value) }
    try await exchange(realms)
    let cabinets = try realms.map {
      try #require($0.object(ofType: SyncCabinet.self, forPrimaryKey: 1))
    }
    return (database, realms, cabinets)
  }

  /// The drawer under a key.
  private func drawer(_ cabinet: SyncCabinet, _ key: String) throws -> SyncDrawer {
    try #require(cabinet.drawers[key] ?? nil)
  }

  @Test func objectsOfOneRealmArriveInAnother() async throws {
    let (database, realms, cabinets) = try await built()
    let left = try drawer(cabinets[1], "left")
    #expect(left.name == "maps" && left.sheets.map(\.text) == ["Po"])
    #expect(cabinets[1].stack.map(\.name) == ["upper", "lower"])
    #expect(
      try database.run(
        "select string_agg(key || ' ' || (value #>> '{v,name,v}'), ', ' order by key) from app.\"SyncCabinet.drawers\""
      ) == "left maps, right plans")
    try realms[1].write {
      left.sheets[0].text = "Adige"
      left.sheets.append(SyncSheet(value: ["text": "Arno"]))
      cabinets[1].drawers["right"] = nil
      cabinets[1].drawers["top"] = SyncDrawer(value: ["name": "new"])
      cabinets[1].stack.move(from: 1, to: 0)
      cabinets[1].stack[0].name = "first"
    }
    let lower = cabinets[0].stack[1]
    try await exchange([realms[1], realms[0]])
    #expect(try drawer(cabinets[0], "left").sheets.map(\.text) == ["Adige", "Arno"])
    #expect(cabinets[0].drawers.keys.sorted() == ["left", "top"])
    #expect(
      cabinets[0].stack.map(\.name) == ["first", "upper"] && cabinets[0].stack[0].isSameObject(as: lower))
  }

  @Test func observersOfAMapAndItsObjectsAreNotifiedOfWhatArrives() async throws {
    let (_, realms, cabinets) = try await built()
    let heard = Mutex<[String]>([])
    let left = try drawer(cabinets[1], "left")
    let tokens = [
      cabinets[1].drawers.observe { change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        heard.withLock { $0.append("map -\(deletions) +\(insertions) ~\(modifications)") }
      },
      left.observe { change in
        guard case .change(_, let properties) = change else { return }
        heard.withLock { $0.append("object \(properties.map(\.name))") }
      },
    ]
    func expectNext(_ expected: [String]) async throws {
      try await exchange(realms)
      try await eventually { heard.withLock { $0.sorted() } == expected }
      heard.withLock { $0 = [] }
    }
    try await exchange(realms)
    let original = try drawer(cabinets[0], "left")
    try realms[0].write { original.name = "charts" }
    try await expectNext(["map -[] +[] ~[\"left\"]", "object [\"name\"]"])
    try realms[0].write { original.sheets[0].text = "Adige" }
    try await expectNext(["map -[] +[] ~[\"left\"]", "object [\"sheets\"]"])
    try realms[0].write {
      cabinets[0].drawers["right"] = nil
      cabinets[0].drawers["top"] = SyncDrawer(value: ["name": "new"])
    }
    try await expectNext(["map -[\"right\"] +[\"top\"] ~[]"])
    #expect(left.name == "charts" && left.sheets.map(\.text) == ["Adige"])
    for token in tokens { token.invalidate() }
  }

  @Test func observersOfAListAndItsObjectsAreNotifiedOfWhatArrives() async throws {
    let (_, realms, cabinets) = try await built()
    let heard = Mutex<[String]>([])
    let upper = cabinets[1].stack[0]
    let tokens = [
      cabinets[1].stack.observe { change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        heard.withLock { $0.append("list -\(deletions) +\(insertions) ~\(modifications)") }
      },
      upper.observe { change in
        guard case .change(_, let properties) = change else { return }
        heard.withLock { $0.append("object \(properties.map(\.name))") }
      },
    ]
    func expectNext(_ expected: [String]) async throws {
      try await exchange(realms)
      try await eventually { heard.withLock { $0.sorted() } == expected }
      heard.withLock { $0 = [] }
    }
    try realms[0].write { cabinets[0].stack[0].name = "top" }
    try await expectNext(["list -[] +[] ~[0]", "object [\"name\"]"])
    try realms[0].write { cabinets[0].stack.append(SyncDrawer(value: ["name": "new"])) }
    try await expectNext(["list -[] +[2] ~[]"])
    try realms[0].write { cabinets[0].stack.move(from: 0, to: 2) }
    try await expectNext(["list -[0] +[2] ~[]"])
    try realms[0].write { cabinets[0].stack.remove(at: 0) }
    try await expectNext(["list -[0] +[] ~[]"])
    #expect(cabinets[1].stack.map(\.name) == ["new", "top"] && cabinets[1].stack[1].isSameObject(as: upper))
    for token in tokens { token.invalidate() }
  }
}

/// A piece of furniture with embedded objects in a map and in a list.
final class SyncCabinet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var drawers: Map<String, SyncDrawer?>
  @Persisted var stack: List<SyncDrawer>
}

/// What a cabinet holds.
final class SyncDrawer: EmbeddedObject {
  @Persisted var name: String
  @Persisted var sheets: List<SyncSheet>
}

/// What a drawer holds.
final class SyncSheet: EmbeddedObject {
  @Persisted var text: String
}
