import RealmSwift
import TestSupport
import Testing

actor HutStore {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ name: String, beds: Int) async throws -> ObjectId {
    try await realm.asyncWrite {
      realm.create(Hut.self, value: ["name": name, "beds": beds]).id
    }
  }

  func beds() -> Int {
    realm.objects(Hut.self).sum(of: \.beds)
  }

  func count(_ visitor: @escaping @Sendable (Int) -> Void) async -> NotificationToken {
    await realm.objects(Hut.self).observe(on: self) { _, change in
      if case .update(let huts, _, _, _) = change { visitor(huts.count) }
    }
  }
}

struct ActorsTests {
  @Test func store() async throws {
    let folder = ScratchFolder()
    let configuration = Realm.Configuration(
      fileURL: folder.file("actor.realm"),
      objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
    try await {
      let store = try await HutStore(configuration)
      let id = try await store.add("Eyrie", beds: 12)
      let beds = await store.beds()
      #expect(beds == 12)
      let counts = Counts()
      let token = await store.count { counts.add($0) }
      _ = try await store.add("Larch", beds: 45)
      try await eventually { counts.last == 2 }
      #expect(token.invalidate())
      #expect(id != ObjectId())
    }()
  }
}

/// What an observer has told.
private final class Counts: Sendable {
  private let counts = Mutex([Int]())

  func add(_ count: Int) { counts.withLock { $0.append(count) } }
  var last: Int? { counts.withLock { $0.last } }
}
