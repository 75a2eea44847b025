import Foundation
import RealmSwift
import RealmSync
import TestSupport
import Testing

/// A shelf with lists of values and of links.
final class SyncShelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var titles: List<String>
  @Persisted var marks: List<Double?>
  @Persisted var moods: List<SyncMood>
  @Persisted var dogs: List<SyncDog>
}

/// Lists between two realms.
@MainActor @Suite struct ListSessionTests {
  @Test func listsArriveInAnotherRealmAndMerge() async throws {
    let database = try SyncDatabase([SyncShelf.self, SyncDog.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    let shelf = SyncShelf()
    shelf.id = 1
    shelf.titles.append(objectsIn: ["a", "b", "c"])
    shelf.marks.append(objectsIn: [0.5, nil])
    shelf.moods.append(.merry)
    shelf.dogs.append(SyncDog(value: ["id": 7, "name": "Rex"]))
    shelf.dogs.append(SyncDog(value: ["id": 8, "name": "Ada"]))
    try first.write { first.add(shelf) }
    try await transfer(from: first, to: second)
    let copy = try #require(second.object(ofType: SyncShelf.self, forPrimaryKey: 1))
    #expect(Array(copy.titles) == ["a", "b", "c"] && Array(copy.marks) == [0.5, nil])
    #expect(Array(copy.moods) == [.merry] && copy.dogs.map(\.name) == ["Rex", "Ada"])
    first.syncSession!.suspend()
    second.syncSession!.suspend()
    try first.write {
      shelf.titles.move(from: 2, to: 0)
      shelf.titles.insert("x", at: 2)
    }
    try second.write {
      copy.titles.remove(at: 1)
      copy.titles.append("y")
      second.delete(copy.dogs[0])
    }
    first.syncSession!.resume()
    second.syncSession!.resume()
    try await transfer(from: first, to: second)
    try await transfer(from: second, to: first)
    #expect(Array(shelf.titles) == ["c", "a", "x", "y"] && Array(copy.titles) == Array(shelf.titles))
    #expect(shelf.dogs.map(\.name) == ["Ada"] && copy.dogs.map(\.name) == ["Ada"])
    #expect(
      try database.run(
        "select string_agg(value, ',' order by _key, _el) from app.\"SyncShelf.titles\"") == "c,a,x,y")
  }
}
