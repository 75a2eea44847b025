import Foundation
import LibC
import RealmSwift
import TestSupport
import Testing

/// What stops the program names the place in the program, not the one in the library.
@Suite struct StopPlaceTests {
  private static func realm() throws -> Realm {
    unsetenv("SWIFT_BACKTRACE")
    return try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: ScratchRealm.classes))
  }

  private static func place(_ line: Int) -> String { "Realm/StopPlaceTests.swift:\(line): Fatal error: " }

  // The code that stops is in functions of this file: that of macros has no place in it.

  private static let addingLine = #line + 2
  private static func addOutsideWrite() throws {
    try realm().add(RealmDog())
  }

  @Test func methods() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try StopPlaceTests.addOutsideWrite()
    }
    expectStop(result, saying: Self.place(Self.addingLine) + "Can only add, remove, or create objects")
  }

  private static let changingLine = #line + 4
  private static func changeOutsideWrite() throws {
    let realm = try realm()
    let dog = try realm.write { realm.create(RealmDog.self) }
    dog.age = 3
  }

  @Test func properties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try StopPlaceTests.changeOutsideWrite()
    }
    expectStop(
      result,
      saying: Self.place(Self.changingLine) + "Attempting to modify object outside of a write transaction")
  }

  private static let filteringLine = #line + 3
  private static func filterByNothing() throws {
    let dogs = try realm().objects(RealmDog.self)
    _ = dogs.filter("nothing == 1")
  }

  @Test func queries() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try StopPlaceTests.filterByNothing()
    }
    expectStop(result, saying: Self.place(Self.filteringLine), "nothing")
  }

  /// The innermost code of the program counts.
  private static let creatingLine = #line + 5
  private static func createTwice() throws {
    let realm = try realm()
    try realm.write {
      for _ in 0..<2 {
        realm.create(RealmDog.self, value: ["id": 1])
      }
    }
  }

  @Test func blocks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try StopPlaceTests.createTwice()
    }
    expectStop(
      result, saying: Self.place(Self.creatingLine) + "Attempting to create an object of type 'RealmDog'")
  }

  /// Without debug information, or when backtraces are switched off, it is the place in the library.
  @Test func unknownPlaces() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try StopPlaceTests.realm()
      setenv("SWIFT_BACKTRACE", "enable=no", 1)
      realm.add(RealmDog())
    }
    expectStop(
      result, saying: "RealmSwift/RealmCore+Transactions.swift:", "Can only add, remove, or create objects")
  }
}
