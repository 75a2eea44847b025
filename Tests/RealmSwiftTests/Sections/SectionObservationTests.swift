import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// A realm of a queue, in which sections are observed, and threads that write beside it.
private struct SectionWatch {
  let file: ScratchRealm
  let realm: Realm
  var books: Results<SectionBook> { realm.objects(SectionBook.self) }

  static func run(_ titles: [String], _ body: (SectionWatch) throws -> Void) throws {
    let file = ScratchRealm([SectionBook.self, SectionShop.self])
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let watch = SectionWatch(
        file: file, realm: try Realm(configuration: file.configuration, queue: queue))
      try watch.realm.write { for title in titles { watch.realm.add(SectionBook(title)) } }
      try body(watch)
    }
  }

  /// Writes on another thread and delivers.
  func change(_ body: @escaping @Sendable (Results<SectionBook>, Realm) throws -> Void) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write { try body(realm.objects(SectionBook.self), realm) }
    }
    realm.refresh()
  }
}

extension Results<SectionBook> {
  fileprivate func titled(_ title: String) -> SectionBook { filter("title == %@", title).first! }
}

/// What an observer was told.
private final class SectionLog {
  struct Update: Equatable {
    var deletions: [IndexPath] = []
    var insertions: [IndexPath] = []
    var modifications: [IndexPath] = []
    var sectionsToInsert: IndexSet = []
    var sectionsToDelete: IndexSet = []
  }

  private var updates: [Update?] = []
  var token: NotificationToken?

  /// The updates since the last time; nil is the initial call.
  func take() -> [Update?] {
    defer { updates = [] }
    return updates
  }

  func add<C>(_ change: SectionedResultsChange<C>) {
    switch change {
    case .initial: updates.append(nil)
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      updates.append(
        Update(
          deletions: deletions, insertions: insertions, modifications: modifications,
          sectionsToInsert: inserted, sectionsToDelete: deleted))
    }
  }
}

private func place(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

struct SectionObservationTests {
  @Test func placesOfElementsAndSections() throws {
    try SectionWatch.run(["a1", "a2", "b1", "c1", "c2"]) { watch in
      let log = SectionLog()
      let sections = watch.books.sectioned(by: \.firstLetter)
      log.token = sections.observe { [unowned log] in log.add($0) }
      #expect(log.take() == [])
      watch.realm.refresh()
      #expect(log.take() == [nil])

      try watch.change { _, realm in realm.add(SectionBook("a0")) }
      #expect(log.take() == [.init(insertions: [place(0, 0)])])
      // An element that moves within its section.
      try watch.change { books, _ in books.titled("a1").title = "a3" }
      #expect(log.take() == [.init(deletions: [place(0, 1)], insertions: [place(0, 2)])])
      try watch.change { books, _ in books.titled("a3").title = "a1" }
      #expect(log.take() == [.init(deletions: [place(0, 2)], insertions: [place(0, 1)])])
      try watch.change { books, _ in books.titled("c2").pages = 3 }
      #expect(log.take() == [.init(modifications: [place(2, 1)])])
      try watch.change { books, realm in realm.delete(books.titled("a1")) }
      #expect(log.take() == [.init(deletions: [place(0, 1)])])
      // Elements of a section that goes are not listed, those of one that comes are.
      try watch.change { books, realm in
        realm.delete(books.titled("b1"))
        realm.add(SectionBook("Z"))
      }
      #expect(log.take() == [.init(insertions: [place(0, 0)], sectionsToInsert: [0], sectionsToDelete: [1])])
      // From Z, a0 a2, c1 c2 to Z, a0, c1 c2 c3.
      try watch.change { books, _ in books.titled("a2").title = "c3" }
      #expect(log.take() == [.init(deletions: [place(1, 1)], insertions: [place(2, 2)])])
      try watch.change { _, realm in realm.add(SectionShop(value: ["name": "corner"])) }
      #expect(log.take() == [])
      try watch.realm.write { watch.realm.delete(watch.books) }
      watch.realm.refresh()
      #expect(log.take() == [.init(sectionsToDelete: [0, 1, 2])])
      log.token?.invalidate()
      try watch.change { _, realm in realm.add(SectionBook("a")) }
      #expect(log.take() == [])
    }
  }

  @Test func keysThatChangeWithoutAMove() throws {
    try SectionWatch.run(["a", "b", "c"]) { watch in
      let log = SectionLog()
      let few = SectionLog()
      let sections = watch.books.sectioned(
        by: { $0.pages / 10 }, sortDescriptors: [SortDescriptor(keyPath: "title")])
      log.token = sections.observe { [unowned log] in log.add($0) }
      few.token = sections.observe(keyPaths: [\.rating]) { [unowned few] in few.add($0) }
      watch.realm.refresh()
      #expect(log.take() == [nil] && few.take() == [nil])
      try watch.change { books, _ in books.titled("b").pages = 15 }
      // The key paths do not name what the key is computed from.
      let moved = SectionLog.Update(
        deletions: [place(0, 1)], insertions: [place(1, 0)], sectionsToInsert: [1])
      #expect(log.take() == [moved] && few.take() == [moved])
      try watch.change { books, _ in books.titled("b").pages = 16 }
      #expect(log.take() == [.init(modifications: [place(1, 0)])] && few.take() == [])
      try watch.change { books, _ in books.titled("c").rating = 1 }
      #expect(log.take() == [.init(modifications: [place(0, 1)])])
      #expect(few.take() == [.init(modifications: [place(0, 1)])])
      // The order of the sections changes: one of them has moved.
      try watch.change { books, _ in books.titled("a").pages = 15 }
      #expect(log.take().count == 1 && sections.allKeys == [1, 0])
    }
  }

  @Test func oneSection() throws {
    try SectionWatch.run(["a1", "b1", "b2", "c1"]) { watch in
      let log = SectionLog()
      let sections = watch.books.sectioned(by: \.firstLetter)
      let b = sections[1]
      log.token = b.observe { [unowned log] in log.add($0) }
      watch.realm.refresh()
      #expect(log.take() == [nil])
      try watch.change { books, realm in
        books.titled("a1").pages = 2
        realm.add(SectionBook("c0"))
      }
      #expect(log.take() == [])
      try watch.change { books, realm in
        books.titled("b1").pages = 2
        realm.add(SectionBook("b3"))
        books.titled("b2").title = "a2"
      }
      #expect(
        log.take()
          == [.init(deletions: [place(1, 1)], insertions: [place(1, 1)], modifications: [place(1, 0)])])
      // The section moves, and changes nothing else.
      try watch.change { books, realm in
        realm.delete(books.filter("title BEGINSWITH 'a'"))
      }
      #expect(log.take() == [])
      try watch.change { books, realm in realm.delete(books.filter("title BEGINSWITH 'b'")) }
      #expect(log.take() == [.init(sectionsToDelete: [0])] && b.isInvalidated)
      try watch.change { _, realm in realm.add(SectionBook("d")) }
      #expect(log.take() == [])
      try watch.change { _, realm in for title in ["b4", "b5", "a"] { realm.add(SectionBook(title)) } }
      #expect(log.take() == [.init(insertions: [place(1, 0), place(1, 1)], sectionsToInsert: [1])])
      #expect(b.count == 2)
    }
  }

  @Test func values() throws {
    try SectionWatch.run([]) { watch in
      try watch.realm.write {
        watch.realm.add(SectionShop(value: ["name": "corner", "numbers": [1, 2, 3, 4]]))
      }
      let log = SectionLog()
      let sections = watch.realm.objects(SectionShop.self)[0].numbers.sectioned(by: { $0 % 2 })
      log.token = sections.observe { [unowned log] in log.add($0) }
      watch.realm.refresh()
      _ = log.take()
      try watch.change { _, realm in
        let shop = realm.objects(SectionShop.self)[0]
        shop.numbers.remove(at: 1)
        shop.numbers.append(5)
      }
      // From 1 3, 2 4 to 1 3 5, 4.
      #expect(log.take() == [.init(deletions: [place(1, 0)], insertions: [place(0, 2)])])
    }
  }

  @Test func unknownKeyPaths() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try SectionWatch.run([]) { watch in
        _ = watch.books.sectioned(by: \.title).observe(keyPaths: ["nothing"]) { _ in }
      }
    }
    expectStop(unknown, saying: "property 'nothing' not found in object of type 'SectionBook'")
  }

  /// Sections to which each change is applied.
  private final class Replay<Key: _Persistable & Hashable> {
    let name: String
    private let sections: SectionedResults<Key, SectionBook>
    private var copy: [[String?]] = []
    private(set) var updates = 0
    private var token: NotificationToken?

    init(_ name: String, _ sections: SectionedResults<Key, SectionBook>) {
      self.name = name
      self.sections = sections
      token = sections.observe { [unowned self] in receive($0) }
    }

    private var current: [[String]] {
      sections.map { section in section.map { Self.content($0, section.key) } }
    }

    private static func content(_ book: SectionBook, _ key: Key) -> String {
      "\(key): \(book.title) \(book.pages) \(book.subtitle ?? "-") \(book.shop?.name ?? "-")"
    }

    private func receive(_ change: SectionedResultsChange<SectionedResults<Key, SectionBook>>) {
      guard
        case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted) = change
      else {
        copy = current
        return
      }
      updates += 1
      #expect(deletions == deletions.sorted() && insertions == insertions.sorted())
      #expect(!deletions.contains { deleted.contains($0.section) }, "elements of deleted sections")
      for place in modifications { copy[place.section][place.item] = nil }
      for place in deletions.reversed() { copy[place.section].remove(at: place.item) }
      for section in deleted.reversed() { copy.remove(at: section) }
      for section in inserted { copy.insert([], at: section) }
      for place in insertions { copy[place.section].insert(nil, at: place.item) }
      let counts = sections.map(\.count)
      guard copy.map(\.count) == counts else {
        Issue.record("\(name): \(copy.map(\.count)) elements, not \(counts), after \(change)")
        copy = current
        return
      }
      for (number, section) in sections.enumerated() {
        for item in copy[number].indices where copy[number][item] == nil {
          copy[number][item] = Self.content(section[item], section.key)
        }
      }
    }

    func check(_ comment: Comment) { #expect(copy == current, "\(name), \(comment)") }
  }

  @Test(arguments: [UInt64(1), 2, 3, UInt64.random(in: 0...UInt64.max)])
  func changesLeadFromOneVersionToTheNext(seed: UInt64) throws {
    print("seed of the observed sections: \(seed)")
    nonisolated(unsafe) var random = SeededGenerator(seed: seed)
    try SectionWatch.run([]) { watch in
      try watch.realm.write {
        for name in ["x", "y"] { watch.realm.add(SectionShop(value: ["name": name])) }
      }
      let books = watch.books
      let letters = Replay("letters", books.sectioned(by: \.firstLetter))
      let pages = Replay(
        "pages", books.sectioned(by: { $0.pages / 10 }, sortDescriptors: ["title", "mixed"]))
      let subtitles = Replay(
        "subtitles", books.filter("pages > 15").sectioned(by: \.subtitle, ascending: false))
      let shops = Replay("shops", books.sectioned(by: \.shop?.name))
      watch.realm.refresh()
      for step in 0..<500 {
        try watch.change { books, realm in
          for _ in 0..<Int.random(in: 1...6, using: &random) {
            let count = books.count
            if count == 0 || (count < 40 && Int.random(in: 0..<3, using: &random) == 0) {
              realm.add(
                SectionBook(value: [
                  "title": ["a", "ab", "b", "ca", ""].randomElement(using: &random)!,
                  "pages": Int.random(in: 0..<40, using: &random), "mixed": step,
                ]))
              continue
            }
            let book = books[Int.random(in: 0..<count, using: &random)]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: realm.delete(book)
            case 1: book.title = ["a", "bb", "c", "d"].randomElement(using: &random)!
            case 2: book.pages = Int.random(in: 0..<40, using: &random)
            case 3: book.subtitle = ["s", "t", nil].randomElement(using: &random)!
            case 4:
              book.shop =
                Bool.random(using: &random)
                ? realm.objects(SectionShop.self).randomElement(using: &random) : nil
            default: book.rating += 1
            }
          }
        }
        let comment = Comment(rawValue: "seed \(seed), step \(step)")
        letters.check(comment)
        pages.check(comment)
        subtitles.check(comment)
        shops.check(comment)
      }
      #expect([letters.updates, pages.updates, subtitles.updates, shops.updates].allSatisfy { $0 > 100 })
    }
  }
}
