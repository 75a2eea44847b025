import Foundation
import RealmSync
import TestSupport
import Testing

final class Beehive: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var place: String
  @Persisted var frames: Int
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

  private func health(of realm: Realm) -> String {
    guard let health = realm.syncSession?.health else { return "local" }
    switch health.status {
    case .current: return "current: version \(health.acknowledgedVersion) is on the server"
    case .behind(let since): return "behind since \(since): \(health.waiting) objects wait"
    case .offline(let since, let reason): return "offline since \(since): \(reason)"
    case .stopped(let reason): return "stopped: \(reason)"
    }
  }
}
