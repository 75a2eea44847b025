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
}

extension HutStore {
  func rename(_ id: ObjectId, to name: String) async throws -> Bool {
    try await realm.asyncWrite {
      guard let hut = realm.object(ofType: Hut.self, forPrimaryKey: id) else { return false }
      hut.name = name
      return true
    }
  }
}

extension HutStore {
  func rows(limit: Int = 50) -> ChangeSequence<[HutSummary]> {
    realm.objects(Hut.self).sorted(by: \.name).changes(map: { huts in
      huts.prefix(limit).map(HutSummary.init)
    })
  }
}

extension HutStore {
  func count(_ visitor: @escaping @Sendable (Int) -> Void) async -> NotificationToken {
    await realm.objects(Hut.self).observe(on: self) { _, change in
      if case .update(let huts, _, _, _) = change { visitor(huts.count) }
    }
  }
}

struct ActorsTests {
  private let folder = ScratchFolder()

  private var configuration: Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.file("actor.realm"),
      objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
  }

  @Test func store() async throws {
    let configuration = configuration
    let store = try await HutStore(configuration)
    let id = try await store.add("Eyrie", beds: 12)
    let beds = await store.beds()
    #expect(beds == 12)
    let counts = Counts()
    let token = await store.count { counts.add($0) }
    _ = try await store.add("Larch", beds: 45)
    try await eventually { counts.last == 2 }
    #expect(token.invalidate())
    #expect(try await store.rename(id, to: "Nest"))
    #expect(try await store.rename(ObjectId.generate(), to: "Nest") == false)
    #expect(try await bedsShown(configuration) == 57)
  }

  @MainActor func bedsShown(_ configuration: Realm.Configuration) async throws -> Int {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    return realm.objects(Hut.self).sum(of: \.beds)
  }

  @Test func feed() async throws {
    let store = try await HutStore(configuration)
    _ = try await store.add("Eyrie", beds: 12)
    let lines = Counts()
    func print(_ names: [String]) { lines.add(names.count) }
    let follower = Task {
      for await rows in await store.rows() {
        print(rows.map(\.name))
        if rows.count == 2 { break }
      }
    }
    try await eventually { lines.last == 1 }
    _ = try await store.add("Larch", beds: 45)
    await follower.value
    #expect(lines.last == 2)
  }
}

/// What an observer was called with.
private final class Counts: Sendable {
  private let counts = Mutex([Int]())

  func add(_ count: Int) { counts.withLock { $0.append(count) } }
  var last: Int? { counts.withLock { $0.last } }
}
