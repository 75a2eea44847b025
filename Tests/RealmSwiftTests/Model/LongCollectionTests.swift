import Foundation
import RealmSwift
import TestSupport
import Testing

/// Collections of thousands of elements, changed at random and compared with plain ones.
@Suite struct LongCollectionTests {
  final class Shelf: Object {
    @Persisted var numbers: List<Int?>
    @Persisted var texts: List<String>
    @Persisted var books: List<LongBook>
    @Persisted var numberSet: MutableSet<Int>
    @Persisted var textSet: MutableSet<String>
    @Persisted var bookSet: MutableSet<LongBook>
    @Persisted var textMap: Map<String, String>
    @Persisted var bookMap: Map<String, LongBook?>
  }

  final class LongBook: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(originProperty: "books") var shelves: LinkingObjects<Shelf>
  }

  private struct Expected: Equatable {
    var numbers: [Int?] = []
    var texts: [String] = []
    var books: [Int] = []
    var numberSet: Set<Int> = []
    var textSet: Set<String> = []
    var bookSet: Set<Int> = []
    var textMap: [String: String] = [:]
    var bookMap: [String: Int?] = [:]

    init() {}

    init(of shelf: Shelf) {
      numbers = Array(shelf.numbers)
      texts = Array(shelf.texts)
      books = shelf.books.map(\.id)
      numberSet = Set(shelf.numberSet)
      textSet = Set(shelf.textSet)
      bookSet = Set(shelf.bookSet.map(\.id))
      for (key, value) in shelf.textMap.asKeyValueSequence() { textMap[key] = value }
      for (key, value) in shelf.bookMap.asKeyValueSequence() { bookMap.updateValue(value?.id, forKey: key) }
    }
  }

  private static let bookCount = 400

  @Test(arguments: TestLength.seeds([11, 12], short: 1) + [UInt64.random(in: 0...UInt64.max)])
  func randomChanges(_ seed: UInt64) throws {
    print("LongCollectionTests seed \(seed)")
    var values = ModelValues(seed: seed)
    let file = ScratchRealm([Shelf.self, LongBook.self])
    var expected = Expected()
    try file.write { realm in
      realm.create(Shelf.self)
      for id in 0..<Self.bookCount { realm.create(LongBook.self, value: [id]) }
    }
    var deleted: Set<Int> = []
    for round in 0..<14 {
      let before = (expected, deleted)
      try file.read { realm in
        let shelf = try #require(realm.objects(Shelf.self).first)
        let books = Dictionary(uniqueKeysWithValues: realm.objects(LongBook.self).map { ($0.id, $0) })
        realm.beginWrite()
        change(shelf, books, &expected, &values)
        if round % 3 == 2, let id = values.pick(books.keys.sorted()) {
          realm.delete(books[id]!)
          deleted.insert(id)
          expected.books.removeAll { $0 == id }
          expected.bookSet.remove(id)
          expected.bookMap = expected.bookMap.mapValues { $0 == id ? nil : $0 }
        }
        #expect(Expected(of: shelf) == expected, "seed \(seed), round \(round), before the end")
        if values.chance(20) {
          realm.cancelWrite()
          (expected, deleted) = before
        } else {
          try realm.commitWrite()
        }
        #expect(Expected(of: shelf) == expected, "seed \(seed), round \(round)")
      }
      try file.read { realm in
        let shelf = try #require(realm.objects(Shelf.self).first)
        #expect(Expected(of: shelf) == expected, "seed \(seed), round \(round), reopened")
        #expect(realm.objects(LongBook.self).count == Self.bookCount - deleted.count)
        for position in stride(from: 0, to: expected.numbers.count, by: 37) {
          #expect(shelf.numbers[position] == expected.numbers[position])
        }
        for book in realm.objects(LongBook.self).prefix(20) {
          #expect(book.shelves.count == expected.books.count { $0 == book.id })
          #expect(shelf.bookSet.contains(book) == expected.bookSet.contains(book.id))
        }
        for number in expected.numberSet.prefix(20) { #expect(shelf.numberSet.contains(number)) }
        #expect(Array(shelf.numberSet) == expected.numberSet.sorted())
        for key in expected.textMap.keys.prefix(20) { #expect(shelf.textMap[key] == expected.textMap[key]) }
        let sum = expected.numbers.reduce(0) { $0 + ($1 ?? 0) }
        #expect(shelf.numbers.sum() == sum)
      }
    }
  }

  private func change(
    _ shelf: Shelf, _ books: [Int: LongBook], _ expected: inout Expected, _ values: inout ModelValues
  ) {
    let ids = books.keys.sorted()
    // Blocks at random places, so that inner parts of the lists split, shrink and grow.
    for _ in 0..<6 {
      let block = (0..<values.roll(700)).map { _ in
        values.chance(10) ? nil : values.roll(1 << values.roll(40))
      }
      change(shelf.numbers, &expected.numbers, block, &values) { $0 }
      let texts = (0..<values.roll(150)).map { "text \($0) \(values.text())" }
      change(shelf.texts, &expected.texts, texts, &values) { $0 }
      let more = (0..<values.roll(200)).map { _ in values.pick(ids)! }
      change(shelf.books, &expected.books, more, &values) { books[$0]! }
    }
    for _ in 0..<400 {
      let number = values.roll(3_000) * (values.chance(3) ? 1 << 30 : 1)
      if values.chance(65) {
        shelf.numberSet.insert(number)
        expected.numberSet.insert(number)
      } else {
        shelf.numberSet.remove(number)
        expected.numberSet.remove(number)
      }
      let text = "\(values.roll(600)) \(values.text())"
      if values.chance(70) {
        shelf.textSet.insert(text)
        expected.textSet.insert(text)
      } else {
        shelf.textSet.remove(text)
        expected.textSet.remove(text)
      }
      let id = values.pick(ids)!
      if values.chance(60) {
        shelf.bookSet.insert(books[id]!)
        expected.bookSet.insert(id)
      } else {
        shelf.bookSet.remove(books[id]!)
        expected.bookSet.remove(id)
      }
      let key = "key \(values.roll(1_500))"
      if values.chance(70) {
        shelf.textMap[key] = text
        expected.textMap[key] = text
        shelf.bookMap[key] = values.chance(20) ? .some(nil) : books[id]
        expected.bookMap.updateValue(shelf.bookMap[key]!?.id, forKey: key)
      } else {
        shelf.textMap[key] = nil
        expected.textMap[key] = nil
        shelf.bookMap.removeObject(for: key)
        expected.bookMap.removeValue(forKey: key)
      }
    }
  }

  private func change<Element: RealmCollectionValue, Plain>(
    _ list: List<Element>, _ array: inout [Plain], _ block: [Plain], _ values: inout ModelValues,
    _ element: (Plain) -> Element
  ) {
    let position = values.roll(array.count + 1)
    let end = min(array.count, position + values.roll(300))
    switch values.roll(array.isEmpty ? 2 : 7) {
    case 0:
      list.append(objectsIn: block.map(element))
      array += block
    case 1:
      list.insert(contentsOf: block.map(element), at: position)
      array.insert(contentsOf: block, at: position)
    case 2:
      list.removeSubrange(position..<end)
      array.removeSubrange(position..<end)
    case 3:
      list.replaceSubrange(position..<end, with: block.map(element))
      array.replaceSubrange(position..<end, with: block)
    case 4:
      for new in block.prefix(60) {
        let position = values.roll(array.count + 1)
        list.insert(element(new), at: position)
        array.insert(new, at: position)
      }
    case 5:
      for new in block.prefix(60) {
        let position = values.roll(array.count)
        list[position] = element(new)
        array[position] = new
      }
    default:
      for _ in 0..<min(40, array.count) {
        let (from, to) = (values.roll(array.count), values.roll(array.count))
        list.move(from: from, to: to)
        array.insert(array.remove(at: from), at: to)
        let position = values.roll(array.count)
        list.remove(at: position)
        array.remove(at: position)
        if array.isEmpty { break }
      }
    }
  }
}
