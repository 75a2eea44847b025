import Foundation
import RealmSwift
import TestSupport
import Testing

struct HutBook {
  let realm: Realm

  func beds() -> Int { realm.objects(Hut.self).sum(of: \.beds) }
}

class OldHut: Object {
  @Persisted var name: String

  override class func _realmObjectName() -> String? { "Hut" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class NewHut: Object {
  @Persisted var title: String

  override class func _realmObjectName() -> String? { "Hut" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

struct TestingTests {
  private let scratch = ScratchFolder()
  private var folder: URL { scratch.url }

  @Test func countsBeds() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Hut(value: ["beds": 12]))
    }
    #expect(HutBook(realm: realm).beds() == 12)
  }

  @Test @MainActor func reportsBeds() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    var reported: [Int] = []
    let token = realm.objects(Hut.self).observe { _ in reported.append(HutBook(realm: realm).beds()) }
    realm.refresh()
    try realm.write { realm.add(Hut(value: ["beds": 12])) }
    realm.refresh()
    #expect(reported == [0, 12])
    token.invalidate()
  }

  @Test @MainActor func feedsBeds() async throws {
    let realm = try await Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    let feed = realm.objects(Hut.self).changes(map: { $0.sum(of: \.beds) })
    try await realm.asyncWrite { realm.add(Hut(value: ["beds": 12])) }
    for await beds in feed where beds == 12 { break }
  }

  @Test func namesBecomeTitles() throws {
    let file = folder.appending(path: "huts.realm")
    try autoreleasepool {
      let old = try Realm(configuration: .init(fileURL: file, objectTypes: [OldHut.self]))
      try old.write { old.add(OldHut(value: ["name": "Eyrie"])) }
    }
    var configuration = Realm.Configuration(fileURL: file, schemaVersion: 1, objectTypes: [NewHut.self])
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "Hut", from: "name", to: "title")
    }
    let new = try Realm(configuration: configuration)
    #expect(new.objects(NewHut.self).first?.title == "Eyrie")
  }

  @Test func writesNeedATransaction() async {
    await #expect(processExitsWith: .failure) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "exit"))
      realm.add(Hut())
    }
  }

  /// A test that keeps more versions than that is stopped.
  @Test func versionsAreLimited() async throws {
    let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = ScratchFolder()
      var configuration = Realm.Configuration(fileURL: folder.file("a.realm"), objectTypes: [Warden.self])
      configuration.maximumNumberOfActiveVersions = 3
      let realm = try Realm(configuration: configuration)
      var kept: [Realm] = []
      for _ in 0..<5 {
        try realm.write { realm.add(Warden()) }
        kept.append(realm.freeze())
      }
    }
    expectStop(stopped, saying: "Number of active versions")
  }
}
