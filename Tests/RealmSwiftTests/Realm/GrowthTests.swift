import Foundation
import RealmSwift
import TestSupport
import Testing

import struct Synchronization.Atomic

/// Being told of a file that grows because somebody keeps an old version.
@Suite struct GrowthTests {
  let file = ScratchRealm()

  /// Each makes some 4 MB of pages free.
  private func rewrite(_ realm: Realm, _ round: Int) throws {
    try realm.write {
      for id in 0..<500 {
        let name = String(repeating: "\(round % 10) ", count: 2500)
        realm.create(RealmDog.self, value: ["id": id, "name": name], update: .modified)
      }
    }
  }

  @Test func whoKeepsAnOldVersion() throws {
    nonisolated(unsafe) var reports: [Realm.Diagnostics] = []
    var configuration = file.configuration()
    configuration.durability = .relaxed
    configuration.onVersionGrowth = { reports.append($0) }
    let realm = try Realm(configuration: configuration)
    // Without an old version it stays as it is.
    for round in 0..<12 { try rewrite(realm, round) }
    #expect(reports.isEmpty)
    let before = realm.diagnostics
    let frozen = realm.freeze()
    for round in 12..<40 {
      try rewrite(realm, round)
      if !reports.isEmpty { break }
    }
    let report = try #require(reports.first)
    #expect(report.fileSize >= 16 << 20)
    #expect(report.fileSize < before.fileSize + 32 << 20, "that was late")
    #expect(report.readers.first?.owner == "a frozen Realm")
    #expect(report.readers.first?.version == before.newestVersion)
    #expect(frozen.objects(RealmDog.self).count == 500)
    // Not told again at once.
    try rewrite(realm, 40)
    #expect(reports.count == 1)
  }

  /// A file that grows because there is more in it.
  @Test func data() throws {
    let reports = Atomic(0)
    var configuration = file.configuration()
    configuration.durability = .relaxed
    configuration.onVersionGrowth = { _ in reports.add(1, ordering: .relaxed) }
    let realm = try Realm(configuration: configuration)
    let frozen = realm.freeze()
    for round in 0..<15 {
      try realm.write {
        for id in 0..<200 {
          realm.add(
            RealmDog(value: ["id": round * 200 + id, "name": String(repeating: "long ", count: 1000)]))
        }
      }
    }
    #expect(realm.diagnostics.fileSize > 20 << 20)
    #expect(reports.load(ordering: .relaxed) == 0)
    withExtendedLifetime(frozen) {}
  }
}
