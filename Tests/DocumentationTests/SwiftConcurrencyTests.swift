import Foundation
import RealmSwift
import TestSupport
import Testing

struct SwiftConcurrencyTests {
  @MainActor @Test func frozenObjects() async throws {
    let huts = try Mountains().huts
    let names = await withTaskGroup(of: String.self) { group in
      for hut in huts {
        let frozen = hut.freeze()
        group.addTask { frozen.name }
      }
      var names: [String] = []
      for await name in group { names.append(name) }
      return names
    }
    #expect(names.sorted() == ["Blackrock", "Larch", "Summit"])
  }

  @MainActor @Test func mainActor() async throws {
    let mountains = try Mountains()
    let configuration = mountains.configuration
    @MainActor func rename(_ id: ObjectId, to name: String) async throws {
      let realm = try await Realm(configuration: configuration)
      guard let hut = realm.object(ofType: Hut.self, forPrimaryKey: id) else { return }
      try await realm.asyncWrite {
        hut.name = name
      }
    }
    try await rename(mountains.larch.id, to: "Larch Hut")
    #expect(mountains.hut("Larch Hut").beds == 45)
    let count = try await Task.detached {
      let realm = try Realm(configuration: configuration, queue: nil)
      return realm.objects(Hut.self).count
    }.value
    #expect(count == 3)
  }

  @MainActor @Test func callbacks() async throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    realm.writeAsync {
      hut.beds += 1
    } onComplete: { error in
      print(error.map { "\($0)" } ?? "durable")
    }
    try await eventually { hut.beds == 46 }
    try await realm.asyncWrite {
      hut.beds += 1
    }
    #expect(hut.beds == 47)
    try await eventually { !realm.isPerformingAsynchronousWriteOperations }
  }
}
