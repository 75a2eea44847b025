import Foundation
import RealmSwift
import TestSupport
import Testing

/// Random changes, with the sections compared after each to grouping in plain Swift.
struct SectionModelTests {
  private struct Book: Hashable {
    let id: Int
    var title: String
    var pages: Int
    var subtitle: String?
    var rating: Double
  }

  /// Books in a realm and as plain values, and the numbers that change both.
  private struct Shelf {
    let books: Results<SectionBook>
    var model: [Book] = []
    var random: SeededGenerator
    private var next = 0

    init(_ realm: Realm, seed: UInt64) {
      books = realm.objects(SectionBook.self)
      random = SeededGenerator(seed: seed)
    }

    /// Returns whether the sections are to be asked within the transaction.
    mutating func change(_ realm: Realm) -> Bool {
      let choice = model.isEmpty ? 0 : Int.random(in: 0..<6, using: &random)
      if choice < 3 {
        add(to: realm)
        return false
      }
      let index = model.indices.randomElement(using: &random)!
      let managed = books.filter("mixed == %@", model[index].id).first!
      if choice == 3 {
        realm.delete(managed)
        model.remove(at: index)
      } else if choice == 4 {
        model[index].title = ["", "a", "d"].randomElement(using: &random)!
        managed.title = model[index].title
      } else {
        model[index].subtitle = ["x", nil, "z"].randomElement(using: &random)!
        managed.subtitle = model[index].subtitle
        model[index].rating = [0, 2].randomElement(using: &random)!
        managed.rating = model[index].rating
      }
      return choice == 4 && index % 3 == 0
    }

    private mutating func add(to realm: Realm) {
      next += 1
      let book = Book(
        id: next, title: ["", "a", "b", "ab", "ba", "c"].randomElement(using: &random)!,
        pages: Int.random(in: 0..<600, using: &random),
        subtitle: ["x", nil, "y"].randomElement(using: &random)!,
        rating: [0, 0.5, 1].randomElement(using: &random)!)
      realm.add(
        SectionBook(value: [
          "title": book.title, "pages": book.pages, "subtitle": book.subtitle as Any,
          "rating": book.rating, "mixed": book.id,
        ]))
      model.append(book)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, UInt64.random(in: 0...UInt64.max)])
  func sectionsAreThoseOfPlainSwift(seed: UInt64) throws {
    print("seed of the sections: \(seed)")
    let scratch = try ScratchRealm(opening: [SectionBook.self, SectionShop.self])
    let realm = scratch.realm
    var shelf = Shelf(realm, seed: seed)
    let books = shelf.books
    let letters = books.sectioned(by: \.firstLetter, ascending: seed % 2 == 0)
    let lengths = books.filter("pages > 200").sectioned(
      by: { $0.pages / 100 }, sortDescriptors: [.init(keyPath: "title"), .init(keyPath: "mixed")])
    let subtitles = books.sorted(byKeyPath: "mixed", ascending: false).sectioned(by: \.subtitle)
    let ratings = books.sectioned(by: \.rating, sortDescriptors: ["rating", "mixed"])

    for step in 0..<150 {
      try realm.write {
        for _ in 0..<Int.random(in: 1...8, using: &shelf.random) {
          if shelf.change(realm) { _ = letters.count }
        }
      }
      let model = shelf.model
      let comment = Comment(rawValue: "seed \(seed), step \(step)")
      expectSame(
        letters, model.stable { seed % 2 == 0 ? $0.title < $1.title : $0.title > $1.title },
        by: { $0.title.first.map { String($0) } ?? "" }, comment)
      expectSame(
        lengths,
        model.filter { $0.pages > 200 }.stable { ($0.title, $0.id) < ($1.title, $1.id) },
        by: { $0.pages / 100 },
        comment)
      expectSame(
        subtitles,
        model.reversed().stable {
          guard let first = $0.subtitle else { return $1.subtitle != nil }
          return $1.subtitle.map { first < $0 } ?? false
        }, by: { $0.subtitle }, comment)
      expectSame(
        ratings, model.stable { ($0.rating, $0.id) < ($1.rating, $1.id) }, by: { $0.rating }, comment)
    }
  }

  private func expectSame<Key: _Persistable & Hashable>(
    _ sections: SectionedResults<Key, SectionBook>, _ books: [Book], by key: (Book) -> Key, _ comment: Comment
  ) {
    var expected: [SectionText<Key, Int>] = []
    for book in books {
      if let index = expected.firstIndex(where: { $0.key == key(book) }) {
        expected[index].elements.append(book.id)
      } else {
        expected.append(SectionText(key(book), [book.id]))
      }
    }
    #expect(sections.contents { $0.mixed.intValue! } == expected, comment)
    #expect(sections.count == expected.count && sections.allKeys == expected.map(\.key), comment)
    for (index, section) in expected.enumerated() {
      #expect(sections[index].count == section.elements.count, comment)
      let last = section.elements.count - 1
      #expect(sections[index][last].mixed.intValue == section.elements[last], comment)
    }
  }
}

extension Sequence {
  /// Sorted without changing the order of equal elements.
  fileprivate func stable(_ areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted {
      if areInIncreasingOrder($0.element, $1.element) { return true }
      return !areInIncreasingOrder($1.element, $0.element) && $0.offset < $1.offset
    }.map(\.element)
  }
}
