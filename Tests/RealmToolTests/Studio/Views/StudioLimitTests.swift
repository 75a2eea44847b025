import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct StudioLimitTests {
  /// Many commits lead to few events, and the last one has the final count.
  @Test func manyCommitsAreFewEvents() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(10, in: folder)
    let reader = try StudioReader(path)
    let events = EventReader(reader)
    let view = try await reader.view("StudioDog", "age >= 0")
    let realm = try StudioFiles.open(path, isDurable: false)
    let begin = Date()
    for id in 10..<1010 { try realm.write { _ = realm.create(StudioDog.self, value: ["id": id]) } }
    let duration = Date().timeIntervalSince(begin)
    var changes = 0
    while true {
      let change = try await events.next("change")
      changes += 1
      if change["count"].int == 1010 { break }
    }
    #expect(Double(changes) <= duration * 10 + 3, "\(changes) events in \(duration) seconds")
    #expect(try await reader.rows(view, from: 1009)["rows"].array.count == 1)
  }

  /// What takes long does not keep a version once it has answered.
  @Test func answersReleaseTheirVersions() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(100, in: folder)
    let reader = try StudioReader(path)
    let view = "\(try await reader.view("StudioDog", "age > 1")["view"].int)"
    for age in 1...2 {
      _ = try await reader.get("view", view, "summary", query: ["property": "2"])
      _ = try await reader.get("view", view, "explain")
      _ = try await reader.reply(.get, ["view", view, "export"])
      _ = try RealmProgram.run("set", path, "StudioDog", "1", "age=\(age)")
    }
    try await eventually {
      // The session moves to the newest version by itself, and so do its observers.
      let diagnostics = try await reader.session.run { $0.realm.diagnostics }
      return diagnostics.readers.allSatisfy { $0.version == diagnostics.newestVersion }
    }
  }

  /// Reading them, which happens on the queue of the session, too, would take minutes.
  @Test func queriesAndOrdersOfExcessiveLengthAreRefused() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(1, in: folder))
    let terms = Array(repeating: "age > 1", count: 10_000).joined(separator: " OR ")
    let filter = try await reader.fault { try await reader.view("StudioDog", terms) }
    #expect(filter.status == 422 && filter.details["to"].int == terms.utf16.count)
    let keys = Array(repeating: ["age", true] as [Any], count: StudioQuery.keyLimit + 1)
    #expect(try await reader.fault { try await reader.view("StudioDog", sort: keys) }.status == 422)
    let path = Array(repeating: "friend", count: 10_000).joined(separator: ".")
    let order = try await reader.fault { try await reader.view("StudioDog", sort: [[path, true]]) }
    #expect(order.status == 422)
    let view = try await reader.view("StudioDog", String(repeating: "NOT ", count: 1_000) + "age > 1")
    let columns = Array(repeating: "1", count: 100).joined(separator: ",")
    #expect(try await reader.fault { try await reader.rows(view, columns: columns) }.status == 400)
    #expect(try await reader.rows(view, columns: "1,2")["rows"].array.count <= 1)
  }

  @Test func longQueriesAreRefused() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(1, in: folder))
    let (session, release) = (reader.session, DispatchSemaphore(value: 0))
    for _ in 0..<StudioSession.overdueLimit {
      let fault = try await reader.fault {
        try await session.runBeside(limit: 0.01) { _ in release.wait() }
      }
      #expect(fault.status == 408)
    }
    #expect(try await reader.fault { try await reader.view("StudioDog", "age > 1") }.status == 408)
    #expect(try await reader.view("StudioDog")["count"].int == 1)
    for _ in 0..<StudioSession.overdueLimit { release.signal() }
    while true {
      // The evaluations end soon.
      do {
        _ = try await reader.view("StudioDog", "age > 1")
        break
      } catch let fault as StudioFault where fault.status == 408 {
        await Task.yield()
      }
    }
  }

  /// Slow views answer as others do, and tell that anything may have changed.
  @Test func slowViewsAreFoundBesideTheQueue() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(100, in: folder)
    let reader = try StudioReader(path)
    let events = EventReader(reader)
    let query = StudioQuery(
      className: "StudioDog", filter: "age > 10", sort: [StudioQuery.Key(keyPath: "id", isAscending: false)])
    let number = try await reader.session.runOnQueue { try $0.views.view(for: query, isSlow: true).number }
    func ids() async throws -> [Int] {
      let answer = try await reader.get("view", "\(number)", "rows", query: ["columns": "0", "from": "1"])
      return answer["rows"].array.map(\.self[1].int)
    }
    let expected = (0..<100).filter { $0 * 7 % 23 > 10 }.reversed().dropFirst()
    #expect(try await ids() == Array(expected))
    let last = "\(expected.last ?? -1)"
    #expect(
      try await reader.get("view", "\(number)", "find", query: ["key": last])["position"].int
        == expected.count)
    _ = try RealmProgram.run("set", path, "StudioDog", last, "age=0")
    let change = try await events.next("change")
    #expect(change["reset"].int == 1 && change["view"].int == number)
    #expect(try await ids() == Array(expected.dropLast()))
  }

  @Test func closedFilesAreOpenedAgain() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(20, in: folder)
    let reader = try StudioReader(path)
    let events = EventReader(reader)
    let view = try await reader.view("StudioDog")
    try await eventually {
      try await reader.session.runClosed {
        try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: nil)
      }
    }
    _ = try await events.next("reload")
    #expect(try await reader.fault { try await reader.rows(view) }.status == 404)
    #expect(try await reader.view("StudioDog")["count"].int == 20)
  }

  @Test func hugeTextsAreCut() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(1, in: folder)
    let realm = try StudioFiles.open(path)
    try realm.write { realm.objects(StudioDog.self).first?.name = String(repeating: "é", count: 1 << 20) }
    let reader = try StudioReader(path)
    let cell = try await reader.rows(try await reader.view("StudioDog"), columns: "1")["rows"][0][1]
    #expect(cell["length"].int == 1 << 20 && cell["text"].text.count == 200)
    #expect(try await reader.get("object", "StudioDog", "0")["cells"][1][1]["hash"] == cell["hash"])
    #expect(try await reader.get("object", "StudioDog", "0", "1")["text"].text.count == 1 << 20)
  }
}
