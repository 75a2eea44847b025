import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples in documentation comments about realms and transactions.
struct CommentsOnRealmsTests {
  @Test func writing() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    do {
      let count = try realm.write {
        hut.beds += 10
        return realm.objects(Hut.self).count
      }
      #expect(count == 3 && hut.beds == 55)
    }
    realm.beginWrite()
    hut.beds += 10
    try realm.commitWrite()
    realm.beginWrite()
    realm.add(Hut(value: ["name": "Eyrie"]))
    try realm.commitWrite()
    realm.beginWrite()
    hut.beds = 0
    realm.cancelWrite()
    #expect(mountains.huts.count == 4 && hut.beds == 65)
  }

  @Test func creating() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    let eyrie = Hut(value: ["name": "Eyrie", "beds": 12])
    try realm.write { realm.add(eyrie) }
    #expect(eyrie.realm == realm && eyrie.beds == 12)
    try realm.write {
      realm.create(Hut.self, value: ["id": hut.id, "beds": 30], update: .modified)
    }
    #expect(hut.beds == 30 && hut.name == "Larch")
    let url = mountains.folder.file("huts.json")
    try Data(#"[{"id": "\#(hut.id)", "beds": 31}, {"name": "Col"}]"#.utf8).write(to: url)
    let json = try Data(contentsOf: url, options: .mappedIfSafe)
    try realm.write {
      try realm.importJSON(json, as: Hut.self, update: .modified)
    }
    #expect(hut.beds == 31 && mountains.huts.count == 5)
  }

  @Test func reading() throws {
    let mountains = try Mountains()
    let (realm, id) = (mountains.realm, mountains.larch.id)
    let small = realm.objects(Hut.self).where { $0.beds < 20 }
    #expect(small.map(\.name) == ["Summit"])
    let hut = realm.object(ofType: Hut.self, forPrimaryKey: id)
    #expect(hut?.name == "Larch")
    for hut in realm.dynamicObjects("Hut") { print(hut.name as? String ?? "") }
    if realm.refresh() { print("another thread or process has committed") }
    for reader in realm.diagnostics.readers { print(reader.version, reader.owner) }
    #expect(realm.dynamicObjects("Hut").count == 3 && !realm.diagnostics.readers.isEmpty)
  }

  @Test func deleting() throws {
    let mountains = try Mountains()
    let (realm, hut, trail) = (mountains.realm, mountains.larch, mountains.ridge)
    try realm.write {
      realm.delete(realm.objects(Hut.self).where { $0.beds < 10 })
    }
    #expect(mountains.names(mountains.huts) == ["Blackrock", "Larch"])
    try realm.write { realm.delete(hut) }
    print(hut.isInvalidated)  // true
    #expect(hut.isInvalidated && mountains.huts.count == 1)
    try realm.write { realm.delete(trail, cascading: true) }
    #expect(mountains.huts.isEmpty && mountains.trails.count == 1)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @MainActor @Test func asynchronously() async throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try await realm.asyncWrite {
      realm.add(Hut(value: ["name": "Eyrie"]))
    }
    #expect(mountains.huts.count == 4)
    realm.writeAsync {
      hut.beds += 10
    } onComplete: { error in
      print(error == nil ? "durable" : "rolled back")
    }
    try await eventually { hut.beds == 55 && !realm.isPerformingAsynchronousWriteOperations }
    let configuration = mountains.configuration
    do {
      let realm = try await Realm.open(configuration: configuration)
      #expect(realm.objects(Hut.self).count == 4)
    }
  }

  @Test func frozen() async throws {
    let mountains = try Mountains()
    let (realm, huts, hut) = (mountains.realm, mountains.huts, mountains.larch)
    do {
      let frozen = realm.freeze()
      Task.detached { print(frozen.objects(Hut.self).count) }
    }
    do {
      let frozen = huts.where { $0.beds < 20 }.freeze()
      Task.detached { print(frozen.count) }
    }
    do {
      let frozen = hut.freeze()
      Task.detached { print(frozen.name) }
    }
    let frozen = hut.freeze()
    let live = frozen.thaw()
    try realm.write { live?.beds += 1 }
    #expect(hut.beds == 46 && frozen.beds == 45)
  }

  @Test func elsewhere() async throws {
    let mountains = try Mountains()
    let (realm, hut, configuration) = (mountains.realm, mountains.larch, mountains.configuration)
    let queue = DispatchQueue(label: "other")
    do {
      @ThreadSafe var shared = hut
      Task.detached {
        guard let hut = shared else { return }  // deleted in the meantime
        try hut.realm!.write { hut.beds += 1 }
      }
    }
    do {
      let reference = ThreadSafeReference(to: hut)
      queue.async {
        let realm = try! Realm(configuration: configuration, queue: queue)
        guard let hut = realm.resolve(reference) else { return }  // deleted in the meantime
        print(hut.name)
      }
    }
    do {
      let reference = ThreadSafeReference(to: hut)
      let hut = realm.resolve(reference)
      print(hut?.name ?? "deleted")
      #expect(hut?.name == "Larch")
    }
    try await eventually {
      try Realm(configuration: configuration, queue: nil).objects(Hut.self).where { $0.beds == 46 }.count == 1
    }
    queue.sync {}
  }
}
