import Foundation
import Testing

@testable import RealmSwift

/// What the documentation says about filtering, with typed queries and in predicate syntax side by side.
@Suite struct FilterTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: Library.classes)
    try Library.fill(scratch.realm)
  }

  /// The books that both ways of asking find, by their numbers.
  private func expect(
    _ isbns: String, _ condition: (Query<Library.Book>) -> Query<Bool>, _ format: String, _ arguments: Any...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let books = realm.objects(Library.Book.self)
    let wanted = isbns.map(String.init)
    #expect(books.where(condition).map(\.isbn) == wanted, sourceLocation: sourceLocation)
    let predicate = NSPredicate(format: format, argumentArray: arguments)
    #expect(books.filter(predicate).map(\.isbn) == wanted, "\(format)", sourceLocation: sourceLocation)
  }

  @Test func comparisons() {
    expect("4", { $0.pages > 320 }, "pages > 320")
    expect("24", { $0.pages >= 320 }, "pages >= %@", 320)
    expect("36", { $0.pages < 120 }, "pages < %d", 120)
    expect("136", { $0.pages <= 120 }, "pages =< 120")
    expect("2", { $0.title == "Birds" }, "title == 'Birds'")
    expect("13456", { $0.title != "Birds" }, "title <> \"Birds\"")
    expect("2", { $0.rating == nil }, "rating == nil")
    expect("13456", { $0.rating != nil }, "rating != NULL")
    expect("125", { $0.pages.contains(100...320) }, "pages BETWEEN {100, 320}")
    expect("15", { $0.pages.contains(100..<320) }, "pages >= 100 AND pages < 320")
    expect("25", { $0.price.contains(12.5...15) }, "price BETWEEN %@", [12.5, 15])
    expect("16", { $0.isbn.in(["1", "6", "9"]) }, "isbn IN %@", ["1", "6", "9"])
    expect("16", { $0.isbn.in(["1", "6", "9"]) }, "isbn IN {'1', '6', '9'}")
    expect("45", { $0.genre == .novel }, "genre == %@", Library.Genre.novel)
    expect("45", { $0.genre == .novel }, "genre == 'novel'")
    expect("24", { $0.isLent }, "isLent == true")
    expect("1356", { !$0.isLent }, "isLent == NO")
    let date = Date(timeIntervalSince1970: 300_000)
    expect("24", { $0.acquired > date }, "acquired > %@", date as NSDate)
  }

  @Test func logic() {
    expect("2", { $0.isLent && $0.genre == .science }, "isLent == true AND genre == 'science'")
    expect("124", { $0.isLent || $0.genre == .science }, "isLent == true OR genre == 'science'")
    expect("3456", { !($0.genre == .science) }, "NOT genre == 'science'")
    expect("356", { !($0.genre == .science || $0.pages > 300) }, "!(genre == 'science' || pages > 300)")
    expect(
      "1356", { !($0.genre == .science && $0.isLent) && $0.pages < 500 },
      "NOT (genre == 'science' && isLent == 1) && pages < 500")
    // AND binds tighter than OR.
    expect(
      "1246", { $0.pages == 60 || $0.genre == .science || $0.isLent && $0.pages > 400 },
      "pages == 60 OR genre == 'science' OR isLent == true AND pages > 400")
    expect("123456", { $0.pages > 0 }, "TRUEPREDICATE")
    expect("", { $0.pages < 0 }, "FALSEPREDICATE")
  }

  @Test func strings() {
    expect("1", { $0.title.starts(with: "At") }, "title BEGINSWITH 'At'")
    expect("15", { $0.title.starts(with: "AT", options: .caseInsensitive) }, "title BEGINSWITH[c] 'AT'")
    expect("24", { $0.title.ends(with: "s") && $0.isLent }, "title ENDSWITH 's' AND isLent == true")
    expect("5", { $0.title.contains("of") }, "title CONTAINS %@", "of")
    expect(
      "3", { $0.title.contains("cafe", options: [.caseInsensitive, .diacriticInsensitive]) },
      "title CONTAINS[cd] 'cafe'")
    expect(
      "3", { $0.author.name.starts(with: "Bela", options: .diacriticInsensitive) },
      "author.name BEGINSWITH[d] 'Bela'")
    expect("2", { $0.title.like("?ir*") }, "title LIKE '?ir*'")
    expect("15", { $0.title.like("ATLAS*", caseInsensitive: true) }, "title LIKE[c] 'ATLAS*'")
    expect("1", { $0.title.equals("ATLAS", options: .caseInsensitive) }, "title ==[c] 'ATLAS'")
    expect("23456", { $0.title.notEquals("ATLAS", options: .caseInsensitive) }, "title !=[c] 'ATLAS'")
    expect("", { $0.title.contains("") }, "title CONTAINS ''")
    expect("123456", { $0.subtitle == nil }, "subtitle == %@", NSNull())
    expect("5", { $0.title > "E" && $0.title != "Eels" }, "title > 'E' AND title != 'Eels'")
  }

  @Test func links() {
    expect("45", { $0.author.born > 1950 }, "author.born > 1950")
    expect("6", { $0.author == nil }, "author == nil")
    expect("36", { $0.author.born == nil }, "author.born == nil")
    let ada = realm.objects(Library.Author.self).first!
    expect("12", { $0.author == ada }, "author == %@", ada)
    expect("3456", { $0.author != ada }, "author != %@", ada)
    expect("126", { $0.author.in([ada, nil]) }, "author IN %@", [ada, NSNull()])
    expect("12", { $0.author.name == "Ada Ng" }, "%K == %@", "author.name", "Ada Ng")
    // Back links.
    expect("14", { $0.readers.name == "Uma" }, "ANY readers.name == 'Uma'")
    expect("5", { $0.readers.count == 0 }, "readers.@count == 0")
  }

  @Test func collections() {
    expect("456", { $0.keywords.contains("sea") }, "'sea' IN keywords")
    expect("456", { $0.keywords == "sea" }, "ANY keywords == %@", "sea")
    expect("123", { !$0.keywords.contains("sea") }, "NONE keywords == 'sea'")
    expect("125", { $0.keywords.containsAny(in: ["maps", "dreams"]) }, "ANY keywords IN {'maps', 'dreams'}")
    expect("25", { $0.keywords.count > 1 }, "keywords.@count > 1")
    expect(
      "46", { $0.keywords == "sea" && $0.keywords.count == 1 },
      "ALL keywords == 'sea' AND keywords.@count > 0")
    expect(
      "156", { $0.copiesByBranch["north"] > 0 || $0.copiesByBranch.keys == "west" },
      "copiesByBranch['north'] > 0 OR ANY copiesByBranch.@allKeys == 'west'")
    expect("46", { $0.copiesByBranch.values > 2 }, "SOME copiesByBranch.@allValues > 2")
    expect("46", { $0.copiesByBranch.sum >= 4 }, "copiesByBranch.@sum >= 4")
  }

  @Test func aggregates() {
    let readers = realm.objects(Library.Reader.self)
    #expect(readers.where { $0.loans.count == 3 }.map(\.name) == ["Vik"])
    #expect(readers.where { $0.loans.pages.avg > 200 }.map(\.name) == ["Uma"])
    #expect(readers.filter("loans.@avg.pages > 200").map(\.name) == ["Uma"])
    #expect(readers.where { $0.loans.pages.max < 400 }.map(\.name) == ["Vik"])
    #expect(readers.where { $0.loans.pages.min == 60 }.map(\.name) == ["Vik"])
    #expect(readers.where { $0.loans.pages.sum == 0 }.map(\.name) == ["Wen"])
    #expect(readers.filter("loans.@min.pages == nil").map(\.name) == ["Wen"])
    #expect(readers.where { $0.fines.sum > 3 }.map(\.name) == ["Uma", "Wen"])
    #expect(readers.where { $0.fines.contains(0...3) }.map(\.name) == ["Uma"])
    #expect(readers.filter("fines.@max > 2 AND fines.@min < 2").map(\.name) == ["Uma"])
  }

  @Test func subqueries() {
    let readers = realm.objects(Library.Reader.self)
    #expect(
      readers.where { ($0.loans.pages > 100 && $0.loans.genre == .science).count > 0 }.map(\.name) == [
        "Uma", "Vik",
      ])
    #expect(readers.where { ($0.loans.genre == .poetry).count == 2 }.map(\.name) == ["Vik"])
    #expect(
      readers.filter("SUBQUERY(loans, $book, $book.pages > 100 AND $book.author.born > 1950).@count == 1")
        .map(\.name)
        == ["Uma"])
    #expect(
      readers.filter("SUBQUERY(loans, $b, ANY $b.keywords == 'sea').@count > 0").map(\.name) == [
        "Uma", "Vik",
      ])
    let authors = realm.objects(Library.Author.self)
    #expect(authors.where { ($0.books.rating >= 4).count >= 1 }.map(\.name) == ["Ada Ng", "Céline Roy"])
  }

  @Test func collectionsAreFilteredAsWell() {
    let vik = realm.objects(Library.Reader.self).where { $0.name == "Vik" }.first!
    #expect(vik.loans.where { $0.pages < 100 }.map(\.isbn) == ["3", "6"])
    #expect(vik.loans.filter("genre == 'poetry'").sorted(byKeyPath: "pages").map(\.isbn) == ["6", "3"])
    #expect(vik.loans.index(matching: { $0.isbn == "6" }) == 2)
    #expect(AnyRealmCollection(vik.loans).where { $0.pages < 100 }.count == 2)
    let bela = realm.objects(Library.Author.self).where { $0.name.starts(with: "B") }.first!
    #expect(bela.books.filter("pages == 80").count == 1)
  }

  @Test func propertiesWithOneAnother() {
    expect("12345", { $0.title > $0.author.name }, "title > author.name")
    expect("15", { $0.keywords.count >= $0.mark.room }, "keywords.@count >= mark.room")
    expect(
      "", { $0.title.contains($0.author.name, options: .caseInsensitive) }, "title CONTAINS[c] author.name")
  }
}
