import Foundation
import Testing

@testable import RealmSwift

/// What the documentation says about reading: by primary key, all objects of a class, over relationships, sorted,
/// limited, aggregated.
@Suite struct ReadTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: Library.classes)
    try Library.fill(scratch.realm)
  }

  private var books: Results<Library.Book> { realm.objects(Library.Book.self) }

  @Test func byPrimaryKey() throws {
    #expect(realm.object(ofType: Library.Book.self, forPrimaryKey: "4")?.title == "Dunes")
    #expect(realm.object(ofType: Library.Book.self, forPrimaryKey: "44") == nil)
    let reader = realm.objects(Library.Reader.self).first!
    #expect(realm.object(ofType: Library.Reader.self, forPrimaryKey: reader.id)?.name == "Uma")
  }

  @Test func allObjectsOfAClass() {
    #expect(books.count == 6)
    #expect(Set(books.map(\.isbn)) == ["1", "2", "3", "4", "5", "6"])
    #expect(realm.objects(Library.Author.self).count == 3)
    #expect(books.first != nil && books.last != nil)
    #expect(realm.objects(Library.Reader.self).filter("name == 'nobody'").first == nil)
  }

  @Test func relationships() {
    // To one, to many, and back.
    let uma = realm.objects(Library.Reader.self).where { $0.name == "Uma" }.first!
    #expect(uma.loans.map(\.title) == ["Atlas", "Dunes"])
    #expect(uma.loans.first?.author?.name == "Ada Ng")
    let ada = realm.objects(Library.Author.self).where { $0.name == "Ada Ng" }.first!
    #expect(Set(ada.books.map(\.title)) == ["Atlas", "Birds"])
    let atlas = realm.object(ofType: Library.Book.self, forPrimaryKey: "1")!
    #expect(atlas.readers.map(\.name) == ["Uma"])
    // Over the relationship, without the objects in between.
    #expect(Set(books.where { $0.author.name.starts(with: "Céline") }.map(\.isbn)) == ["4", "5"])
    #expect(
      realm.objects(Library.Reader.self).where { $0.loans.author.name == "Ada Ng" }.map(\.name) == [
        "Uma", "Vik",
      ])
  }

  @Test func embeddedObjects() {
    #expect(Set(books.where { $0.mark.room == 1 }.map(\.isbn)) == ["1"])
    #expect(books.where { $0.mark == nil }.count == 2)
    #expect(books.filter("mark.shelf == 'D'").first?.isbn == "4")
  }

  @Test func dictionaries() {
    let book = realm.object(ofType: Library.Book.self, forPrimaryKey: "6")!
    #expect(book.copiesByBranch["west"] == 3)
    #expect(book.copiesByBranch["east"] == nil)
    #expect(Set(books.where { $0.copiesByBranch.keys == "west" }.map(\.isbn)) == ["5", "6"])
    #expect(Set(books.where { $0.copiesByBranch["north"] > 0 }.map(\.isbn)) == ["1", "6"])
    #expect(Set(books.where { $0.copiesByBranch.values >= 3 }.map(\.isbn)) == ["4", "6"])
  }

  @Test func sets() {
    #expect(Set(books.where { $0.keywords.contains("sea") }.map(\.isbn)) == ["4", "5", "6"])
    #expect(
      Set(books.where { $0.keywords.containsAny(in: ["maps", "dreams"]) }.map(\.isbn)) == ["1", "2", "5"])
  }

  @Test func mixedValues() {
    #expect(Set(books.where { $0.note == .int(1999) }.map(\.isbn)) == ["1"])
    #expect(Set(books.where { $0.note > .int(3) }.map(\.isbn)) == ["1", "4", "5"])
    #expect(books.where { $0.note == .none }.map(\.isbn) == ["3"])
    #expect(books.where { $0.note.contains(.string("ar")) }.map(\.isbn) == ["2"])
  }

  @Test func sorted() {
    #expect(books.sorted(byKeyPath: "pages").map(\.isbn) == ["6", "3", "1", "5", "2", "4"])
    #expect(books.sorted(by: \.pages, ascending: false).first?.isbn == "4")
    #expect(books.sorted(byKeyPath: "author.name").map(\.isbn).last == "6")
    let descriptors = [
      RealmSwift.SortDescriptor(keyPath: "genre"),
      RealmSwift.SortDescriptor(keyPath: "pages", ascending: false),
    ]
    #expect(books.sorted(by: descriptors).map(\.isbn) == ["4", "5", "3", "6", "2", "1"])
    #expect(books.where { $0.isLent }.sorted(byKeyPath: "title").map(\.title) == ["Birds", "Dunes"])
    // By the bytes of the text: small letters come after all capital ones.
    #expect(books.sorted(byKeyPath: "title").last?.title == "atlas of dreams")
  }

  @Test func distinct() {
    #expect(books.distinct(by: ["genre"]).count == 3)
    #expect(books.sorted(byKeyPath: "pages").distinct(by: [\.genre]).map(\.isbn) == ["6", "1", "5"])
    #expect(books.distinct(by: ["author.name"]).count == 3)
  }

  @Test func parts() {
    // Results are lazy: only what is read is made.
    let longest = books.sorted(byKeyPath: "pages", ascending: false).prefix(2)
    #expect(longest.map(\.title) == ["Dunes", "Birds"])
    #expect(books.sorted(byKeyPath: "pages")[1...2].map(\.isbn) == ["3", "1"])
    #expect(books.sorted(byKeyPath: "pages").objects(at: [0, 5]).map(\.isbn) == ["6", "4"])
  }

  @Test func aggregates() {
    #expect(books.sum(of: \.pages) == 1330)
    #expect(books.max(ofProperty: "pages") as Int? == 540)
    #expect(books.min(of: \.rating) == 2.5)
    #expect(books.average(ofProperty: "rating") as Double? == 3.8)
    #expect(books.where { $0.genre == .novel }.max(of: \.price) == 20)
    let uma = realm.objects(Library.Reader.self).where { $0.name == "Uma" }.first!
    #expect(uma.fines.sum() == 3.5)
    #expect(uma.loans.average(ofProperty: "pages") as Double? == 330)
    #expect(books.filter("FALSEPREDICATE").max(of: \.pages) == nil)
  }

  @Test func resultsAreLive() throws {
    let short = books.where { $0.pages < 100 }
    #expect(short.count == 2)
    try realm.write { _ = realm.create(Library.Book.self, value: ["isbn": "7", "pages": 12]) }
    #expect(short.count == 3)
    try realm.write { realm.object(ofType: Library.Book.self, forPrimaryKey: "7")!.pages = 700 }
    #expect(short.count == 2)
    try realm.write { realm.delete(short) }
    #expect(short.isEmpty && books.count == 5)
  }

  @Test func chains() {
    let results = books.filter("pages > 70").where { $0.genre != .poetry }.filter(
      NSPredicate(format: "price < 20"))
    #expect(results.sorted(byKeyPath: "price", ascending: false).map(\.isbn) == ["5", "2", "1"])
    #expect(Array(results.filter { $0.pages > 200 }.map(\.isbn)).sorted() == ["2", "5"])
    #expect(results.index(matching: { $0.isbn == "5" }) == 2)
    #expect(results.index(matching: "isbn == %@", "3") == nil)
  }
}
