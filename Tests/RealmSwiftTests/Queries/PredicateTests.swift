import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// `NSPredicate` made from format strings: what it filters, what its compounds do, and what is refused.
struct PredicateTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: QueryThing.classes)
    try realm.write { [realm = scratch.realm] in
      for id in 0..<10 {
        let thing = realm.create(
          QueryThing.self, value: ["id": id, "int": id % 4, "string": "s\(id)", "bool": id % 2 == 0])
        if id > 0 { thing.link = realm.object(ofType: QueryThing.self, forPrimaryKey: id - 1) }
      }
      let first = realm.object(ofType: QueryThing.self, forPrimaryKey: 0)!
      for thing in realm.objects(QueryThing.self) {
        first.list.append(thing)
        first.set.insert(thing)
        first.map["k\(thing.id)"] = thing
      }
    }
  }

  /// Constants are equal by their value, as Foundation's numbers are.
  @Test func equalPredicates() {
    let zero = NSPredicate(format: "int == 0")
    for format in ["int == 0", "int == 0.0", "int == FALSE", "int = 0"] {
      #expect(zero == NSPredicate(format: format) && zero.hash == NSPredicate(format: format).hash)
    }
    #expect(NSPredicate(format: "int == %@", 2) == NSPredicate(format: "int == %@", 2.0 as Float))
    #expect(NSPredicate(format: "int IN {1, 2}") == NSPredicate(format: "int IN %@", [1.0, 2.0]))
    #expect(
      NSPredicate(format: "SUBQUERY(list, $x, $x.int == 1).@count > 0 AND NOT int == 3")
        == NSPredicate(format: "SUBQUERY(list, $x, $x.int == 1.0).@count > 0.0 AND NOT int == 3.0"))
    for format in ["int == 1", "int == 0.5", "int == '0'", "int == nil", "id == 0", "int != 0"] {
      #expect(zero != NSPredicate(format: format))
    }
  }

  /// Nothing is greater than null; null is as great.
  @Test func comparedWithNull() throws {
    try realm.write { things[3].optInt = 5 }
    for name in ["optInt", "link.optInt"] {
      let nulls = things.filter("\(name) == nil").count
      #expect(nulls == 9)
      #expect(
        things.filter("\(name) >= nil").count == nulls && things.filter("\(name) <= nil").count == nulls)
      #expect(things.filter("\(name) > nil").isEmpty && things.filter("\(name) < nil").isEmpty)
    }
  }

  /// Objects with a null link on the way come last, and are in no group.
  @Test func keyPathsOverNullLinks() {
    #expect(things.sorted(byKeyPath: "link.id").map(\.id) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    #expect(
      things.sorted(byKeyPath: "link.id", ascending: false).map(\.id) == [0, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    #expect(things.sorted(byKeyPath: "link.link.int").map(\.id).suffix(2) == [0, 1])
    #expect(things.distinct(by: ["link.int"]).map(\.id) == [1, 2, 3, 4])
    #expect(things.distinct(by: ["link.link.bool"]).map(\.id) == [2, 3])
  }

  private var things: Results<QueryThing> { realm.objects(QueryThing.self) }
  private var first: QueryThing { things.first! }

  private func ids(_ predicate: NSPredicate) -> [Int] { things.filter(predicate).map(\.id) }

  @Test func formats() {
    #expect(ids(NSPredicate(format: "int == 3")) == [3, 7])
    #expect(ids(NSPredicate(format: "int == %@ AND string BEGINSWITH %@", 3, "s7")) == [7])
    #expect(ids(NSPredicate(format: "%K == %d", "int", 3)) == [3, 7])
    #expect(ids(NSPredicate(format: "int == %@ AND id > %@", argumentArray: [3, 4])) == [7])
    #expect(ids(NSPredicate(format: "id IN %@", [1, 2, 77])) == [1, 2])
    #expect(ids(NSPredicate(format: "id IN %@", argumentArray: [[1, 2, 77]])) == [1, 2])
    #expect(ids(NSPredicate(format: "id == 3", argumentArray: nil)) == [3])
    #expect(ids(NSPredicate(format: "link == %@", things[4])) == [5])
    #expect(ids(NSPredicate(format: "link IN %@", things.filter("int == 3"))) == [4, 8])
    #expect(ids(NSPredicate(format: "link == %@ OR link == nil", NSNull())) == [0])
    #expect(ids(NSPredicate(format: "int == %@", Optional(3) as Any)) == [3, 7])
  }

  @Test func constantsAndCompounds() {
    let (a, b) = (NSPredicate(format: "int == 3"), NSPredicate(format: "id > 4"))
    #expect(ids(NSPredicate(value: true)).count == 10)
    #expect(ids(NSPredicate(value: false)).isEmpty)
    #expect(ids(NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])) == [7])
    #expect(ids(NSCompoundPredicate(orPredicateWithSubpredicates: [a, b])) == [3, 5, 6, 7, 8, 9])
    #expect(ids(NSCompoundPredicate(notPredicateWithSubpredicate: b)) == [0, 1, 2, 3, 4])
    #expect(ids(NSCompoundPredicate(type: .and, subpredicates: [])).count == 10)
    #expect(ids(NSCompoundPredicate(type: .or, subpredicates: [])).isEmpty)
    let nested = NSCompoundPredicate(
      type: .not,
      subpredicates: [NSCompoundPredicate(type: .or, subpredicates: [a, NSPredicate(value: false)])])
    #expect(ids(nested) == [0, 1, 2, 4, 5, 6, 8, 9])
  }

  @Test func everyCollection() {
    let predicate = NSPredicate(format: "int == 3")
    #expect(Array(first.list.filter(predicate).map(\.id)) == [3, 7])
    #expect(Set(first.set.filter(predicate).map(\.id)) == [3, 7])
    #expect(Set(first.map.filter(predicate).map { $0!.id }) == [3, 7])
    #expect(Array(AnyRealmCollection(first.list).filter(predicate).map(\.id)) == [3, 7])
    #expect(Array(things[3].linkers.filter(NSPredicate(format: "id == 4")).map(\.id)) == [4])
    #expect(things.index(matching: predicate) == 3)
    #expect(first.list.index(matching: predicate) == 3)
    #expect(AnyRealmCollection(things).index(matching: predicate) == 3)
    #expect(things[3].linkers.index(matching: NSPredicate(format: "id == 4")) == 0)
    #expect(things.filter("id > 5").index(matching: predicate) == 1)
    #expect(things.index(matching: NSPredicate(value: false)) == nil)
  }

  @Test func throughTheProtocol() {
    func count<C: RealmCollection>(_ collection: C) -> [Int?] where C.Element == QueryThing {
      [
        collection.filter("int == %@", 3).count, collection.filter(NSPredicate(format: "int == 3")).count,
        collection.where { $0.int == 3 }.count, collection.index(matching: NSPredicate(format: "int == 3")),
        collection.index(matching: "int == %d", 3), collection.index(matching: { $0.int == 3 }),
      ]
    }
    #expect(count(things) == [2, 2, 2, 3, 3, 3])
    #expect(count(first.list) == [2, 2, 2, 3, 3, 3])
    #expect(count(AnyRealmCollection(first.list)) == [2, 2, 2, 3, 3, 3])
  }

  @Test func listsInMemory() {
    let list = List<Int>()
    list.append(objectsIn: [5, 7, 9])
    #expect(list.index(matching: NSPredicate(format: "SELF > 6")) == 1)
    #expect(list.index(matching: NSPredicate(format: "SELF IN %@", [9, 7])) == 1)
    let places = List<QueryPlace>()
    places.append(objectsIn: [QueryPlace(1), QueryPlace(2, "b"), QueryPlace(2, "c")])
    #expect(places.index(matching: { $0 == QueryPlace(2, "c") }) == 2)
    #expect(places.index(matching: { $0 != QueryPlace(1) }) == 1)
  }

  @Test func evaluation() {
    let predicate = NSPredicate(format: "int == 3 AND ANY list.string == 's1'")
    let thing = QueryThing()
    #expect(!predicate.evaluate(with: thing))
    thing.int = 3
    #expect(!predicate.evaluate(with: thing))
    thing.list.append(QueryThing(value: ["string": "s1"]))
    #expect(predicate.evaluate(with: thing))
    #expect(NSCompoundPredicate(notPredicateWithSubpredicate: predicate).evaluate(with: thing) == false)
    #expect(NSPredicate(format: "SELF BEGINSWITH[c] 'a'").evaluate(with: "Ab"))
    #expect(NSPredicate(format: "SELF == nil").evaluate(with: nil))
    #expect(NSPredicate(format: "SELF > 3").evaluate(with: 4))
    for thing in things {
      #expect(NSPredicate(format: "link.int == 2").evaluate(with: thing) == (thing.link?.int == 2))
    }
    let all = NSPredicate(format: "ALL list.int < 4")
    #expect(all.evaluate(with: first) && all.evaluate(with: QueryThing()))
    #expect(!NSPredicate(format: "ALL list.int < 3").evaluate(with: first))
    #expect(NSPredicate(format: "NONE list.int > 3").evaluate(with: first))
  }

  @Test func equalityAndText() {
    let predicate = NSPredicate(format: "int == %@ && name LIKE[c] 'a*' OR NOT TRUEPREDICATE", 3)
    #expect(predicate == NSPredicate(format: "(int = 3 AND name LIKE[c] %@) or !truepredicate", "a*"))
    #expect(predicate != NSPredicate(format: "int == 3"))
    #expect(predicate.hash == NSPredicate(format: "int == 3 && name LIKE[c] 'a*' OR NOT TRUEPREDICATE").hash)
    #expect(predicate.description == "(int == 3 AND name LIKE[c] 'a*') OR (NOT TRUEPREDICATE)")
    #expect(predicate.copy() as? NSPredicate == predicate)
  }

  @Test func allElements() {
    func ids(_ format: String) -> [Int] { things.filter(format).map(\.id) }
    try! realm.write {
      things[1].ints.append(objectsIn: [4, 5])
      things[2].ints.append(objectsIn: [4, 6])
      things[3].list.append(objectsIn: [things[3], things[7]])
      things[4].list.append(objectsIn: [things[3], things[5]])
      things[5].intMap["a"] = 1
      things[6].intMap["ab"] = 8
    }
    // There is nothing to fail in an empty collection.
    #expect(ids("ALL ints < 6") == [0, 1, 3, 4, 5, 6, 7, 8, 9])
    #expect(ids("ALL ints != 4") == [0, 3, 4, 5, 6, 7, 8, 9])
    #expect(ids("ALL ints < 6 AND ints.@count > 0") == [1])
    #expect(ids("ALL ints IN {4, 5} AND ints.@count > 0") == [1])
    #expect(ids("ALL list.int == 3 AND list.@count > 0") == [3])
    #expect(ids("NOT ALL list.int == 3") == [0, 4])
    #expect(ids("ALL intMap.@allKeys == 'a' AND intMap.@count > 0") == [5])
    #expect(ids("ALL intMap.@allValues > 5 AND intMap.@count > 0") == [6])
    #expect(ids("ALL holders.id == 4 AND holders.@count > 0") == [])
  }

  @Test func objectsOfOtherRealms() async throws {
    let other = try ScratchRealm(opening: QueryThing.classes)
    try other.realm.write { _ = other.realm.create(QueryThing.self, value: ["id": 4]) }
    let stranger = other.realm.objects(QueryThing.self).first!
    #expect(throws: Realm.Error.self) { try things.filter(checking: "link == %@", [stranger]) }
    #expect(throws: Realm.Error.self) { try things.filter(checking: "link IN %@", [[stranger]]) }
    // Objects in memory equal nothing.
    #expect(ids(NSPredicate(format: "link == %@", QueryThing())).isEmpty)
    #expect(ids(NSPredicate(format: "link != %@", QueryThing())).count == 10)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (one, two) = (
        try ScratchRealm(opening: QueryThing.classes), try ScratchRealm(opening: QueryThing.classes)
      )
      try two.realm.write { _ = two.realm.create(QueryThing.self, value: ["id": 4]) }
      let stranger = two.realm.objects(QueryThing.self).first!
      _ = one.realm.objects(QueryThing.self).where { $0.link == stranger }
    }
    expectStop(result, saying: "Object must be from the Realm being queried")
  }

  @Test func deletedObjects() throws {
    let doomed = things[9]
    let predicate = NSPredicate(format: "link == %@", doomed)
    try realm.write { realm.delete(doomed) }
    #expect(ids(predicate).isEmpty)
    #expect(ids(NSPredicate(format: "link != %@", doomed)).count == 9)
  }

  @Test func textOfUsers() throws {
    func message(_ body: () throws -> Void) -> String? {
      do {
        try body()
        return nil
      } catch let error as Realm.Error {
        return error.code == .invalidInput ? error.localizedDescription : nil
      } catch {
        return nil
      }
    }
    #expect(try Array(things.filter(checking: NSPredicate(checking: "int == %@", [3])).map(\.id)) == [3, 7])
    #expect(try things.filter(checking: "int == %@", [3]).count == 2)
    #expect(try first.map.filter(checking: "int == 3").count == 2)
    #expect(
      message { _ = try NSPredicate(checking: "int == ") }
        == "Unable to parse the format string \"int == \": expected a value or key path instead of end at position 7."
    )
    #expect(
      message { _ = try things.filter(checking: "int >< 3") }
        == "Unable to parse the format string \"int >< 3\": expected a value or key path instead of '<' at position 5."
    )
    #expect(
      message { _ = try things.filter(checking: "nope == 3") }
        == "Invalid keypath 'nope': Property 'nope' not found in object of type 'QueryThing'")
    #expect(
      message { _ = try things.filter(checking: NSPredicate(format: "nope == 3")) }
        == "Invalid keypath 'nope': Property 'nope' not found in object of type 'QueryThing'")
    #expect(
      message { _ = try things.filter(checking: NSPredicate { _, _ in true }) }
        == "Only support compound, comparison, and constant predicates")
    #expect(
      message { _ = try things.filter(checking: "int == 'x'") }
        == "Cannot compare value 'x' of type 'String' to property 'int' of type 'int'")
  }

  @Test func blocks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: QueryThing.classes)
      _ = scratch.realm.objects(QueryThing.self).filter(NSPredicate { _, _ in true })
    }
    expectStop(result, saying: "Only support compound, comparison, and constant predicates")
  }

  @Test func malformed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "a ==")
    }
    expectStop(result, saying: "Unable to parse the format string \"a ==\"")
  }
}
