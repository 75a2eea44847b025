import Foundation
import RealmSwift
import Testing

struct SectionedResultsTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }
  private var books: Results<SectionBook> { realm.objects(SectionBook.self) }

  init() throws {
    scratch = try ScratchRealm(opening: [SectionBook.self, SectionShop.self])
  }

  private func add(_ titles: String...) throws {
    try realm.write { for title in titles { realm.add(SectionBook(title)) } }
  }

  @Test func byAStoredProperty() throws {
    try realm.write {
      for (title, pages) in [("b", 20), ("a", 10), ("c", 20), ("d", 30), ("e", 10)] {
        realm.add(SectionBook(title, pages: pages))
      }
    }
    let sections = books.sectioned(by: \.pages)
    #expect(sections.count == 3)
    #expect(sections.allKeys == [10, 20, 30])
    #expect(sections.contents(\.title) == [.init(10, ["a", "e"]), .init(20, ["b", "c"]), .init(30, ["d"])])
    #expect(sections[1].key == 20)
    #expect(sections[1].id == 20)
    #expect(sections[1].count == 2)
    #expect(sections[1][1].title == "c")
    #expect(sections[IndexPath(item: 1, section: 0)].title == "e")
    #expect(sections[IndexPath(row: 0, section: 2)].title == "d")
    #expect(books.sectioned(by: \.pages, ascending: false).allKeys == [30, 20, 10])
    #expect(sections.realm == realm)
    #expect(sections[0].realm == realm)
    #expect(
      !sections.isFrozen && !sections.isInvalidated && !sections[0].isFrozen && !sections[0].isInvalidated)
  }

  @Test func byAComputedProperty() throws {
    try add("beta", "alpha", "bravo", "", "azure")
    let sections = books.sectioned(by: \.firstLetter)
    #expect(
      sections.contents(\.title)
        == [.init("", [""]), .init("a", ["alpha", "azure"]), .init("b", ["beta", "bravo"])])
    let descending = books.sectioned(
      by: \.firstLetter, sortDescriptors: [.init(keyPath: "title", ascending: false)])
    #expect(
      descending.contents(\.title)
        == [.init("b", ["bravo", "beta"]), .init("a", ["azure", "alpha"]), .init("", [""])])
  }

  @Test func byABlock() throws {
    try add("Beta", "alpha", "bravo", "Azure")
    let sections = books.sectioned(
      by: { $0.title.prefix(1).lowercased() }, sortDescriptors: [SortDescriptor(keyPath: "title")])
    // Keys are merged wherever their elements are: capitals sort first.
    #expect(sections.contents(\.title) == [.init("a", ["Azure", "alpha"]), .init("b", ["Beta", "bravo"])])
    let unsorted = books.sectioned(sortDescriptors: []) { $0.title.prefix(1).lowercased() }
    #expect(unsorted.contents(\.title) == [.init("b", ["Beta", "bravo"]), .init("a", ["alpha", "Azure"])])
  }

  @Test func bySeveralSortDescriptors() throws {
    try realm.write {
      for (title, pages) in [("b", 20), ("a", 10), ("c", 20), ("d", 30), ("e", 10)] {
        realm.add(SectionBook(title, pages: pages))
      }
    }
    let sections = books.sectioned(
      by: \.pages,
      sortDescriptors: [.init(keyPath: "pages", ascending: false), .init(keyPath: "title", ascending: false)])
    #expect(sections.contents(\.title) == [.init(30, ["d"]), .init(20, ["c", "b"]), .init(10, ["e", "a"])])
    // An earlier order decides among equal keys.
    let sorted = books.sorted(byKeyPath: "title", ascending: false).sectioned(by: \.pages)
    #expect(sorted.contents(\.title) == [.init(10, ["e", "a"]), .init(20, ["c", "b"]), .init(30, ["d"])])
  }

  @Test func optionalKeys() throws {
    try realm.write {
      for subtitle in ["x", nil, "y", nil, "x"] {
        let book = SectionBook(subtitle ?? "none")
        book.subtitle = subtitle
        realm.add(book)
      }
    }
    let sections = books.sectioned(by: \.subtitle)
    #expect(sections.allKeys == [nil, "x", "y"])
    #expect(sections[0].key == nil)
    #expect(sections.map(\.count) == [2, 2, 1])
    let lengths = books.sectioned(by: \.length)
    #expect(lengths.contents(\.title) == [.init(nil, ["x", "none", "y", "none", "x"])])
  }

  @Test func keysOfManyTypes() throws {
    try realm.write {
      for number in 0..<4 {
        let book = SectionBook("\(number)")
        book.rating = [0.5, .nan, 0.5, .nan][number]
        book.isLent = number % 2 == 0
        book.published = number == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number / 3))
        book.genre = [.verse, .crime, .travel, .crime][number]
        book.shelf = SectionShelf([2, 1, 1, 2][number])
        book.mixed = [.int(1), .string("a"), .double(1), .none][number]
        realm.add(book)
      }
    }
    #expect(
      books.sectioned(by: \.isLent).contents(\.title) == [
        .init(false, ["1", "3"]), .init(true, ["0", "2"]),
      ])
    #expect(
      books.sectioned(by: \.genre).contents(\.title)
        == [.init(.crime, ["1", "3"]), .init(.travel, ["2"]), .init(.verse, ["0"])])
    #expect(
      books.sectioned(by: \.shelf).contents(\.title)
        == [.init(SectionShelf(1), ["1", "2"]), .init(SectionShelf(2), ["0", "3"])])
    // NaN is one key, and numbers are equal whatever their type.
    #expect(books.sectioned(by: \.rating).map { $0.map(\.title) } == [["1", "3"], ["0", "2"]])
    #expect(books.sectioned(by: \.mixed).map { $0.map(\.title) } == [["3"], ["0", "2"], ["1"]])
    #expect(books.sectioned(by: \.published).map { $0.map(\.title) } == [["0"], ["1", "2"], ["3"]])
  }

  @Test func keysOverLinks() throws {
    try realm.write {
      let shop = realm.create(SectionShop.self, value: ["name": "corner"])
      for number in 0..<3 {
        let book = SectionBook("\(number)")
        book.shop = number == 1 ? nil : shop
        realm.add(book)
      }
    }
    let sections = books.sectioned(by: \.shop?.name)
    #expect(sections.contents(\.title) == [.init("corner", ["0", "2"]), .init(nil, ["1"])])
    // A link that is nil is a key like any other nil, and comes last.
    let unlinked = books.filter("shop == nil").sectioned(
      by: { $0.shop }, sortDescriptors: [SortDescriptor(keyPath: "title")])
    #expect(unlinked.count == 1 && unlinked[0].key == nil)
  }

  @Test func everyKindOfCollection() throws {
    try realm.write {
      let shop = realm.create(
        SectionShop.self,
        value: ["name": "corner", "numbers": [3, 1, 2, 4, 1], "words": ["b", nil, "a", "bb"]])
      for title in ["beta", "alpha", "bravo"] {
        let book = SectionBook(title)
        book.shop = shop
        shop.books.append(book)
        shop.bookSet.insert(book)
      }
      shop.wordSet.insert(objectsIn: ["aa", "ab", "b"])
      shop.flags.append(objectsIn: [true, false, true])
    }
    let shop = realm.objects(SectionShop.self).first!
    let expected: [SectionText<String, String>] = [.init("a", ["alpha"]), .init("b", ["beta", "bravo"])]
    #expect(shop.books.sectioned(by: \.firstLetter).contents(\.title) == expected)
    #expect(shop.bookSet.sectioned(by: \.firstLetter).contents(\.title) == expected)
    #expect(shop.sold.sectioned(by: \.firstLetter).contents(\.title) == expected)
    #expect(AnyRealmCollection(shop.books).sectioned(by: \.firstLetter).contents(\.title) == expected)

    // Values of any type.
    #expect(
      shop.flags.sectioned(by: { $0 }).contents { $0 }
        == [.init(false, [false]), .init(true, [true, true])])
    let parities = shop.numbers.sectioned(by: { $0 % 2 })
    #expect(parities.contents { $0 } == [.init(1, [1, 1, 3]), .init(0, [2, 4])])
    #expect(parities[1][0] == 2)
    #expect(parities[IndexPath(item: 2, section: 0)] == 3)
    #expect(
      shop.numbers.sectioned(by: { $0 % 2 }, ascending: false).contents { $0 }
        == [.init(0, [4, 2]), .init(1, [3, 1, 1])])
    #expect(
      shop.words.sectioned(by: { $0?.count }).contents { $0 }
        == [.init(nil, [nil]), .init(1, ["a", "b"]), .init(2, ["bb"])])
    #expect(
      shop.wordSet.sectioned(by: { $0.count }).contents { $0 } == [.init(2, ["aa", "ab"]), .init(1, ["b"])])
    try realm.write { shop.numbers.removeFirst(4) }
    #expect(parities.contents { $0 } == [.init(1, [1])])
    try realm.write { realm.delete(shop) }
    #expect(parities.count == 0)
  }

  @Test func sectionsAreLive() throws {
    let sections = books.sectioned(by: \.firstLetter)
    #expect(sections.count == 0 && sections.isEmpty && sections.first == nil)
    try add("a1", "b1")
    #expect(sections.allKeys == ["a", "b"])
    let b = sections[1]
    try realm.write {
      realm.add(SectionBook("a2"))
      #expect(sections[0].count == 2)
      realm.add(SectionBook("aa"))
      realm.add(SectionBook("Z"))
      // The section of a key stays that, wherever it moves.
      #expect(sections.allKeys == ["Z", "a", "b"])
      #expect(b.key == "b" && b.count == 1 && b[0].title == "b1")
    }
    try realm.write { b[0].title = "c1" }
    #expect(b.isInvalidated)
    #expect(sections.allKeys == ["Z", "a", "c"])
    try add("b2")
    #expect(!b.isInvalidated)
    #expect(b.map(\.title) == ["b2"])
    try realm.write { realm.deleteAll() }
    #expect(sections.isEmpty && b.isInvalidated)
  }

  @Test func changesOfOthersAreSeenAfterARefresh() throws {
    try add("a")
    let sections = books.sectioned(by: \.firstLetter)
    #expect(sections.allKeys == ["a"])
    let configuration = scratch.configuration
    try onOtherThread {
      let other = try Realm(configuration: configuration)
      try other.write { other.add(SectionBook("b")) }
    }
    #expect(sections.allKeys == ["a"])
    realm.refresh()
    #expect(sections.allKeys == ["a", "b"])
  }

  @Test func nothingIsComputedBeforeItIsAsked() throws {
    try add("a", "b")
    var calls = 0
    let sections = books.sectioned(
      by: { book in
        calls += 1
        return book.firstLetter
      }, sortDescriptors: [SortDescriptor(keyPath: "title")])
    #expect(calls == 0)
    #expect(sections.count == 2)
    #expect(sections[1].count == 1 && sections.allKeys.count == 2)
    #expect(calls == 2)
    try add("c")
    #expect(calls == 2)
    #expect(sections.count == 3)
    #expect(calls == 5)
  }

  @Test func changesDuringAWalk() throws {
    try add("a1", "a2", "b1", "c1")
    let sections = books.sectioned(by: \.firstLetter)
    var seen: [String] = []
    try realm.write {
      for section in sections {
        for book in section {
          seen.append(book.title)
          if book.title == "a1" { realm.delete(books.filter("title == 'b1'")) }
          book.title = "x" + book.title
        }
      }
    }
    #expect(seen == ["a1", "a2", "c1"])
    #expect(sections.allKeys == ["x"])
    #expect(sections[0].map(\.title) == ["xa1", "xa2", "xc1"])
  }

  @Test func equality() throws {
    try add("a", "b")
    let sections = books.sectioned(by: \.firstLetter)
    let copy = sections
    #expect(sections == copy)
    #expect(sections != books.sectioned(by: \.firstLetter))
    #expect(sections[0] == copy[0] && sections[0] != sections[1])
  }

  @Test func slicesAndCollectionAlgorithms() throws {
    try add("a", "b1", "b2", "c")
    let sections = books.sectioned(by: \.firstLetter)
    #expect(sections[1...].map(\.key) == ["b", "c"])
    #expect(sections.last?.key == "c" && sections.first?.key == "a")
    #expect(sections.reversed().map(\.key) == ["c", "b", "a"])
    #expect(Array(sections[1][1...]).map(\.title) == ["b2"])
    #expect(sections.firstIndex { $0.count == 2 } == 1)
    #expect(sections.indices == 0..<3 && sections[1].indices == 0..<2)
  }
}
