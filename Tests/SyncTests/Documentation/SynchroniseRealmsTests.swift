import Foundation
import RealmSync
import Sync
import TestSupport
import Testing

final class Beehive: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var place: String
  @Persisted var frames: Int
}

final class GuestBook: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(counter: true) var likes: Int
}

/// The samples of the article.
@MainActor @Suite struct SynchroniseRealmsTests {
  private func open(_ url: String, _ fileURL: URL) async throws -> Realm {
    let configuration = Realm.Configuration(
      sync: SyncConfiguration(
        url: url,
        onRejected: { rejections in
          for rejection in rejections { print(rejection.objectType, rejection.message) }
        }),
      fileURL: fileURL, objectTypes: [Beehive.self])
    let realm = try await Realm.open(configuration: configuration)
    return realm
  }

  @Test func whatIsWrittenArrives() async throws {
    let database = try SyncDatabase([Beehive.self])
    let url = database.server.connectionString(database: database.name)
    let folder = ScratchFolder()
    let realm = try await open(url, folder.file("first.realm"))

    try realm.write {
      realm.create(Beehive.self, value: ["id": UUID(), "place": "North meadow", "frames": 10])
    }
    try await realm.syncSession?.wait(for: .upload)
    #expect(try database.run("select place, frames from app.\"Beehive\"") == "North meadow|10")

    let other = try await open(url, folder.file("second.realm"))
    try await other.syncSession?.wait(for: .download)
    other.refresh()
    #expect(other.objects(Beehive.self).first?.place == "North meadow")
    #expect(health(of: realm).contains("current"))
  }

  /// The sample in the comment of the attribute.
  @Test func incrementsOfTwoRealmsAddUp() async throws {
    let database = try SyncDatabase([GuestBook.self])
    let first = try await Realm.open(configuration: database.configuration("first.realm"))
    let second = try await Realm.open(configuration: database.configuration("second.realm"))
    try first.write { first.add(GuestBook(value: ["id": 1, "likes": 1])) }
    try await first.syncSession?.wait(for: .upload)
    try await second.syncSession?.wait(for: .download)
    second.refresh()
    for realm in [first, second] {
      try realm.write { realm.object(ofType: GuestBook.self, forPrimaryKey: 1)!.likes += 2 }
    }
    for realm in [first, second] { try await realm.syncSession?.wait(for: .upload) }
    #expect(try database.run("select likes from app.\"GuestBook\"") == "5")
  }

  private func writeOrchard(_ fileURL: URL) throws {
    let local = try Realm(
      configuration: Realm.Configuration(fileURL: fileURL, objectTypes: [Beehive.self]))
    try local.write { local.create(Beehive.self, value: ["id": UUID(), "place": "Orchard", "frames": 8]) }
  }

  /// The sample of *From Device Sync to PostgreSQL*.
  @Test func theObjectsOfALocalFileAreUploaded() async throws {
    let database = try SyncDatabase([Beehive.self])
    let url = database.server.connectionString(database: database.name)
    let folder = ScratchFolder()
    let fileURL = folder.file("converted.realm")
    try writeOrchard(fileURL)

    let configuration = Realm.Configuration(
      sync: SyncConfiguration(url: url), fileURL: fileURL, objectTypes: [Beehive.self])
    let realm = try await Realm.open(configuration: configuration)
    try await realm.syncSession?.wait(for: .upload)
    #expect(try database.run("select place, frames from app.\"Beehive\"") == "Orchard|8")
  }

  @Test func onlyWhatIsSubscribedToArrives() async throws {
    let database = try SyncDatabase([Beehive.self], routing: [PropertyName("Beehive", "place")])
    let url = database.server.connectionString(database: database.name)
    let folder = ScratchFolder()
    for place in ["North meadow", "South meadow", "Orchard"] {
      try database.run("insert into app.\"Beehive\" (id, place) values (gen_random_uuid(), '\(place)')")
    }
    let configuration = Realm.Configuration(
      sync: SyncConfiguration(
        url: url,
        initialSubscriptions: { subscriptions in
          subscriptions.append(QuerySubscription<Beehive>(name: "mine") { $0.place == "North meadow" })
        }),
      fileURL: folder.file("north.realm"), objectTypes: [Beehive.self])
    let realm = try await Realm.open(configuration: configuration)
    try await realm.syncSession?.wait(for: .download)
    realm.refresh()
    #expect(realm.objects(Beehive.self).map(\.place) == ["North meadow"])

    let subscriptions = realm.subscriptions
    try await subscriptions.update {
      subscriptions.append(QuerySubscription<Beehive>(name: "mine") { $0.place.ends(with: "meadow") })
    }
    realm.refresh()
    #expect(realm.objects(Beehive.self).map(\.place).sorted() == ["North meadow", "South meadow"])
    let orchard = try await realm.objects(Beehive.self).where { $0.place == "Orchard" }.subscribe()
    #expect(orchard.count == 1)
  }

  private func health(of realm: Realm) -> String {
    guard let health = realm.syncSession?.health else { return "local" }
    switch health.status {
    case .current: return "current: version \(health.acknowledgedVersion) is on the server"
    case .behind(let since): return "behind since \(since): \(health.waiting) objects wait"
    case .offline(let since, let reason): return "offline since \(since): \(reason)"
    case .refused(let since, let reason): return "role or password refused since \(since): \(reason)"
    case .stopped(let reason): return "stopped: \(reason)"
    }
  }
}
