import Foundation
import RealmSwift
import TestSupport
import Testing

class EarlierHut: Object {
  @Persisted var name: String
  @Persisted var height: Int

  override class func _realmObjectName() -> String? { "Hut" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class LaterHut: Object {
  @Persisted var name: String
  @Persisted var altitude: Int
  @Persisted var title: String

  override class func _realmObjectName() -> String? { "Hut" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The samples in documentation comments about observers and migrations.
@MainActor struct CommentsOnChangesTests {
  @Test func observers() throws {
    let mountains = try Mountains()
    let (realm, huts, hut, trail) = (mountains.realm, mountains.huts, mountains.larch, mountains.ridge)
    let lines = PrintedLines()
    func print(_ items: Any...) { lines.add(items) }
    func ofRealm() -> NotificationToken {
      let token = realm.observe { _, realm in
        print(realm.objects(Hut.self).count)
      }
      return token
    }
    func ofCollection() -> NotificationToken {
      let token = trail.huts.observe { change in
        guard case .update(let huts, let deletions, let insertions, _) = change else { return }
        print(huts.count, deletions, insertions)
      }
      return token
    }
    func ofObject() -> NotificationToken {
      let token = hut.observe { (change: ObjectChange<Hut>) in
        if case .change(_, let properties) = change { print(properties.map { $0.name }) }
      }
      return token
    }
    do {
      let token = huts.observe { _ in print("changed") }
      token.invalidate()
    }
    let collection = ofCollection()
    realm.refresh()
    try realm.write { trail.huts.append(hut) }
    realm.refresh()
    #expect(lines.next() == ["3 [] [2]"])
    #expect(collection.invalidate())
    let object = ofObject()
    try realm.write { hut.beds += 1 }
    realm.refresh()
    #expect(lines.next() == ["[\"beds\"]"])
    #expect(object.invalidate())
    let token = ofRealm()
    try realm.write { hut.beds += 1 }
    #expect(lines.next() == ["3"])
    #expect(token.invalidate())
  }

  @Test func sequence() async throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    let follower = Task {
      for await change in realm.objects(Hut.self).changes {
        if case .update(let huts, _, let insertions, _) = change { print(huts.count, insertions) }
      }
    }
    try realm.write { hut.beds += 1 }
    follower.cancel()
    await follower.value
    #expect(hut.beds == 46)
  }

  private let folder = ScratchFolder()

  private func writeOldFile() throws -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.file("huts.realm"), objectTypes: [EarlierHut.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(EarlierHut(value: ["name": "Larch", "height": 1_980]))
      realm.add(EarlierHut(value: ["name": "", "height": 2_600]))
    }
    configuration.objectTypes = [LaterHut.self]
    configuration.schemaVersion = 2
    return configuration
  }

  @Test func block() throws {
    let file = try writeOldFile()
    var configuration = Realm.Configuration(schemaVersion: 2)
    configuration.migrationBlock = { migration, oldVersion in
      if oldVersion < 1 {
        migration.renameProperty(onType: "Hut", from: "height", to: "altitude")
      }
      if oldVersion < 2 {
        migration.enumerateObjects(ofType: "Hut") { old, new in
          new!["title"] = "\(new!["name"]!), \(new!["altitude"]!) m"
        }
      }
    }
    configuration.fileURL = file.fileURL
    configuration.objectTypes = file.objectTypes
    let plan = try Realm.migrationPlan(for: configuration)
    #expect(plan.action == .migration)
    let huts = try Realm(configuration: configuration).objects(LaterHut.self)
    #expect(huts.first?.title == "Larch, 1980 m" && huts.first?.altitude == 1_980)
  }

  @Test func steps() throws {
    var configuration = try writeOldFile()
    configuration.migrationBlock = { migration, _ in
      migration.step("Heights are altitudes", to: 1) {
        migration.renameProperty(onType: "Hut", from: "height", to: "altitude")
      }
      migration.step("No huts without a name", to: 2) {
        migration.enumerateObjects(ofType: "Hut") { _, hut in
          if hut?["name"] as? String == "" { hut?["name"] = "Unnamed" }
        }
      }
    }
    let huts = try Realm(configuration: configuration).objects(LaterHut.self)
    #expect(huts.map(\.name) == ["Larch", "Unnamed"] && huts.map(\.altitude) == [1_980, 2_600])
  }
}

#if !canImport(SwiftUI)
  /// The sample in the documentation comment of `ViewUpdates`.
  @MainActor struct CommentsOnViewsTests {
    @MainActor struct NumberOfHuts {
      @ObservedResults(Hut.self) var huts

      var body: String { "\(huts.count) huts" }
    }

    @Test func updates() throws {
      let mountains = try Mountains()
      var environment = EnvironmentValues()
      environment.realmConfiguration = mountains.configuration
      let view = NumberOfHuts()
      let updates = ViewUpdates(of: view) { print(view.body) }
      withExtendedLifetime(updates) {}
      #expect(ViewUpdates(of: view, environment: environment) { _ = view.body } !== updates)
      #expect(view.body == "3 huts")
    }
  }
#endif
