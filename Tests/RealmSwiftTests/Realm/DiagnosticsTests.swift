import Foundation
import RealmSwift
import Testing

/// Who keeps which versions of a file.
@Suite struct DiagnosticsTests {
  let file = ScratchRealm([AsyncNote.self])

  private func write(_ realm: Realm, _ ids: Range<Int>) throws {
    for id in ids { try realm.write { realm.add(AsyncNote(value: [id, ""])) } }
  }

  @Test func whoKeepsTheOldestVersion() throws {
    let writer = QueueRealm(file)
    let idle = QueueRealm(file)
    idle.sync { $0.autorefresh = false }
    try writer.sync { realm in
      let before = realm.diagnostics
      #expect(before.readers.count == 2)
      #expect(before.activeVersionCount == 1)
      try write(realm, 0..<10)
      let diagnostics = realm.diagnostics
      #expect(diagnostics.newestVersion == before.newestVersion + 10)
      #expect(diagnostics.activeVersionCount == 11)
      #expect(diagnostics.readers.map(\.version) == [before.newestVersion, diagnostics.newestVersion])
      #expect(diagnostics.readers.allSatisfy { $0.owner == "the queue 'queue realm'" })
      #expect(diagnostics.readers[0].since.map { abs($0.timeIntervalSinceNow) < 3600 } ?? false)
      #expect(diagnostics.missingRuntimeFacts == [])
      #expect(diagnostics.usedSize > 0 && diagnostics.usedSize <= diagnostics.fileSize)
      #expect("\(diagnostics)".contains("version \(before.newestVersion): the queue 'queue realm' since "))
    }
    idle.sync { #expect($0.refresh()) }
    #expect(writer.sync { $0.diagnostics.activeVersionCount } == 1)
  }

  @Test func frozenRealms() throws {
    let writer = QueueRealm(file)
    try writer.sync { realm in
      try write(realm, 0..<1)
      let frozen = realm.freeze()
      try write(realm, 1..<4)
      let diagnostics = realm.diagnostics
      #expect(diagnostics.activeVersionCount == 4)
      #expect(diagnostics.readers.first?.owner == "a frozen Realm")
      #expect(frozen.objects(AsyncNote.self).count == 1)
    }
    #expect(writer.sync { $0.diagnostics.activeVersionCount } == 1)
  }

  /// A realm that was invalidated does not keep what it showed before.
  @Test func invalidatedRealms() throws {
    let writer = QueueRealm(file)
    let idle = QueueRealm(file)
    idle.sync { $0.autorefresh = false }
    try writer.sync { try write($0, 0..<5) }
    #expect(writer.sync { $0.diagnostics.activeVersionCount } == 6)
    idle.sync { $0.invalidate() }
    #expect(writer.sync { $0.diagnostics.activeVersionCount } == 1)
    #expect(idle.sync { $0.objects(AsyncNote.self).count } == 5)
  }

  /// A realm that follows the others keeps no version that nobody else uses.
  @Test func followers() async throws {
    let writer = QueueRealm(file)
    let follower = QueueRealm(file)
    try writer.sync { try write($0, 0..<50) }
    try await follower.wait(until: { $0.objects(AsyncNote.self).count == 50 })
    #expect(writer.sync { $0.diagnostics.activeVersionCount } == 1)
  }
}
