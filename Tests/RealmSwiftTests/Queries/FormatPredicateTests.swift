import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Predicates made from format strings are parsed once, while arguments that are objects or collections mean what they are
/// when the predicate is used.
@Suite struct FormatPredicateTests {
  @Test func fixedArgumentsAreConvertedOnce() throws {
    let scratch = try ScratchRealm(opening: QueryThing.classes)
    let counted = CountedSequence([1, 2, 3])
    let predicate = NSPredicate(format: "int IN %@", counted)
    #expect(counted.iterations == 1)
    _ = try predicate.expression(in: scratch.realm.core)
    #expect(counted.iterations == 2, "A sequence of an unknown type is read at each use.")
    let fixed = NSPredicate(format: "int IN %@ AND string == %@ AND id < 3", [1, 2, 3], "a")
    let first = try fixed.expression(in: scratch.realm.core)
    #expect(try fixed.expression(in: nil) == first)
  }

  @Test func objectsAndCollectionsAreReadWhenThePredicateIsUsed() throws {
    let scratch = try ScratchRealm(opening: QueryThing.classes)
    let realm = scratch.realm
    let things = realm.objects(QueryThing.self)
    let unmanaged = QueryThing(value: ["id": 1, "int": 1])
    let numbers = List<Int>()
    let isSame = NSPredicate(format: "SELF == %@", unmanaged)
    let isAmong = NSPredicate(format: "SELF IN %@", [unmanaged])
    let hasNumber = NSPredicate(format: "int IN %@", numbers)
    #expect(
      things.filter(isSame).isEmpty && things.filter(isAmong).isEmpty && things.filter(hasNumber).isEmpty)
    try realm.write { realm.add(unmanaged) }
    numbers.append(1)
    #expect(things.filter(isSame).count == 1 && things.filter(isAmong).count == 1)
    #expect(things.filter(hasNumber).count == 1)
    try realm.write { realm.delete(unmanaged) }
    #expect(things.filter(isSame).isEmpty && things.filter(isAmong).isEmpty)
  }
}

/// Counts how often it is gone through.
private final class CountedSequence: Sequence {
  private let elements: [Int]
  private(set) var iterations = 0

  init(_ elements: [Int]) { self.elements = elements }

  var underestimatedCount: Int { 0 }

  func makeIterator() -> [Int].Iterator {
    iterations += 1
    return elements.makeIterator()
  }
}
