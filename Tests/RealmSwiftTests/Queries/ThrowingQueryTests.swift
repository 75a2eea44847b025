import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What stops a Swift program in sorting, distinct, ranking, aggregates and observed key paths is thrown to bindings for
/// other languages.
@Suite struct ThrowingQueryTests {
  private let scratch: ScratchRealm
  private let pets: ResultsCore
  private let numbers: ResultsCore

  init() throws {
    scratch = try ScratchRealm(opening: PetOwner.classes)
    let realm = scratch.realm
    try realm.write {
      for id in 0..<4 { realm.create(HousePet.self, value: ["id": id, "name": id < 2 ? "Rex" : "Max"]) }
      realm.create(PetOwner.self, value: ["id": "o", "numbers": [3, 1, 3]] as [String: Any])
    }
    pets = realm.objects(HousePet.self).core
    numbers = realm.objects(PetOwner.self).first!.numbers._query
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      let refusal = Refusal(of: error)
      return "\(refusal.code): \(refusal.message)"
    }
  }

  @Test func sorting() throws {
    #expect(
      refusal { _ = try pets.sortedOrThrow([SortDescriptor(keyPath: "size")], elementType: .object) }
        == "invalidQuery: Cannot sort on key path 'size': property 'HousePet.size' does not exist.")
    let keys = [SortDescriptor(keyPath: "self"), SortDescriptor(keyPath: "self")]
    #expect(
      refusal { _ = try numbers.sortedOrThrow(keys, elementType: .int) }
        == "invalidQuery: Cannot sort array of 'int' on more than one key path")
    #expect(
      refusal { _ = try numbers.sortedOrThrow([SortDescriptor(keyPath: "x")], elementType: .int) }
        == "invalidQuery: Cannot sort on key path 'x': arrays of 'int' can only be sorted on 'self'")
    let sorted = try pets.sortedOrThrow(
      [SortDescriptor(keyPath: "id", ascending: false)], elementType: .object)
    #expect(sorted.allRows == [3, 2, 1, 0])
  }

  @Test func distinct() throws {
    #expect(
      refusal { _ = try pets.distinctOrThrow(["@count"], elementType: .object) }
        == "invalidQuery: Cannot distinct on keypath '@count': KVC collection operators are not supported.")
    #expect(refusal { _ = try pets.distinctOrThrow(["name.x"], elementType: .object) } != nil)
    #expect(refusal { _ = try pets.distinctOrThrow([""], elementType: .object) } != nil)
    #expect(try pets.distinctOrThrow(["name"], elementType: .object).allRows == [0, 2])
    #expect(
      try Results<Int>(core: numbers.distinctOrThrow(["self"], elementType: .int)).map { $0 } == [3, 1])
  }

  @Test func ranking() throws {
    #expect(
      refusal { _ = try pets.rankedOrThrow(by: ["name"], "rex", limit: -1) }
        == "badArgument: Cannot pass a negative value for 'limit'.")
    #expect(refusal { _ = try pets.rankedOrThrow(by: ["name"], "rex", limit: nil) }?.isEmpty == false)
    #expect(refusal { _ = try pets.rankedOrThrow(by: ["none"], "rex", limit: nil) }?.isEmpty == false)
  }

  @Test func aggregates() throws {
    let schema = ClassSchema.of(HousePet.self)
    #expect(
      refusal { _ = try Aggregation.checked(.sum, "size", schema) }
        == "noSuchProperty: Property 'size' not found in object of type 'HousePet'")
    #expect(
      refusal { _ = try Aggregation.checked(.average, "name", schema) }
        == "wrongType: Operation 'average' not supported for string property 'HousePet.name'")
    #expect(try Aggregation.checked(.sum, "age", schema).name == "age")
    #expect(
      refusal { try Aggregation.checkValues(.sum, "x", Int._rlmKind, name: "List") }
        == "wrongType: Arrays of 'int' can only be aggregated on \"self\"")
    #expect(
      refusal { try Aggregation.checkValues(.sum, "self", String?._rlmKind, name: "MutableSet") }
        == "wrongType: Operation 'sum' not supported for string? set")
    try Aggregation.checkValues(.minimum, "self", Date._rlmKind, name: "Map")
  }

  @Test(arguments: ["size", "", "name.", ".name", "name.length", "name..x"])
  func observedKeyPaths(_ keyPath: String) throws {
    let (core, table) = (pets.realm, pets.classTable.table.number)
    #expect(
      refusal { _ = try core.observedPaths(checking: [keyPath], table: table) }?
        .hasPrefix("noSuchProperty: Invalid property name: property '") == true)
    #expect(try core.observedPaths(checking: ["name"], table: table).map(\.property) == ["name"])
  }
}
