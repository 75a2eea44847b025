import Foundation
import RealmSwift
import TestSupport
import Testing

/// `changes` with Swift key paths: for maps, sections and projections, as for results and objects.
struct TypedChangesTests {
  private let file = ScratchRealm(watchedClasses)

  private func write(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write { try body(realm) }
    }
  }

  /// Expects changes of ages to give no element, and changes of names to give one.
  private func expectNamesOnly<Element>(
    _ feed: @escaping @Sendable (Realm) -> ChangeSequence<Element>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try write { realm in
      realm.deleteAll()
      let dog = realm.create(WatchedDog.self, value: ["id": 1, "name": "Rex"])
      realm.create(WatchedKeeper.self, value: ["id": 1]).dogMap["a"] = dog
    }
    let file = file
    let sequence = try onOtherThread { feed(try file.open()) }
    let names = try onOtherThread {
      try file.open().objects(WatchedDog.self).changes(map: { $0.map { "\($0.name) \($0.age)" } })
    }
    let (elements, all) = (AsyncJournal(), AsyncJournal())
    let tasks = [
      Task { for await _ in sequence { elements.add("element") } },
      Task { for await value in names { all.add("\(value)") } },
    ]
    _ = try await elements.entries(1)
    _ = try await all.entries(1)
    try write { $0.objects(WatchedDog.self)[0].age = 7 }
    _ = try await all.entries(2)
    try write { $0.objects(WatchedDog.self)[0].name = "Max" }
    _ = try await elements.entries(2)
    try write { $0.objects(WatchedDog.self)[0].name = "Rex" }
    #expect(try await elements.entries(3).count == 3, sourceLocation: sourceLocation)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(elements.all.count == 3, sourceLocation: sourceLocation)
  }

  @Test func mapsTakeKeyPathsOfTheirObjects() async throws {
    try await expectNamesOnly { $0.objects(WatchedKeeper.self)[0].dogMap.changes(keyPaths: [\.name]) }
    try await expectNamesOnly {
      $0.objects(WatchedKeeper.self)[0].dogMap.changes(keyPaths: [\.name], map: { $0.count })
    }
  }

  @Test func sectionsTakeKeyPathsOfTheirElements() async throws {
    try await expectNamesOnly { $0.objects(WatchedDog.self).sectioned(by: \.id).changes(keyPaths: [\.name]) }
    try await expectNamesOnly {
      $0.objects(WatchedDog.self).sectioned(by: \.id).changes(keyPaths: [\.name], map: { $0.count })
    }
    try await expectNamesOnly {
      $0.objects(WatchedDogTitle.self).sectioned(by: \.number).changes(keyPaths: [\.title])
    }
    try await expectNamesOnly {
      $0.objects(WatchedDogTitle.self).sectioned(by: \.number).changes(keyPaths: [\.title], map: { $0.count })
    }
  }

  @Test func collectionsOfProjectionsTakeKeyPathsOfProjections() async throws {
    try await expectNamesOnly { $0.objects(WatchedDogTitle.self).changes(keyPaths: [\.title]) }
    try await expectNamesOnly {
      $0.objects(WatchedDogTitle.self).changes(keyPaths: [\.title], map: { $0.count })
    }
  }

  @Test func projectionsTakeKeyPathsOfTheirProperties() async throws {
    try await expectNamesOnly { realm in
      WatchedDogTitle(projecting: realm.objects(WatchedDog.self)[0]).changes(
        keyPaths: [\.title], map: { $0.title })
    }
    // Without a beginning: the first change is that of the name.
    try write { realm in
      realm.deleteAll()
      realm.create(WatchedDog.self, value: ["id": 1, "name": "Rex"])
    }
    let file = file
    let changes = try onOtherThread {
      WatchedDogTitle(projecting: try file.open().objects(WatchedDog.self)[0]).changes(keyPaths: [\.title])
    }
    let names = AsyncJournal()
    let task = Task {
      for await case .change(_, let properties) in changes { names.add("\(properties.map(\.name))") }
    }
    try await eventually {
      try write { $0.objects(WatchedDog.self)[0].age += 1 }
      try write { $0.objects(WatchedDog.self)[0].name += "x" }
      return !names.all.isEmpty
    }
    task.cancel()
    await task.value
    #expect(names.all.allSatisfy { $0 == "[\"title\"]" })
  }
}

final class WatchedDogTitle: Projection<WatchedDog> {
  @Projected(\WatchedDog.name) var title
  @Projected(\WatchedDog.age) var age
  @Projected(\WatchedDog.id) var number
}
