import Foundation
import RealmSwift

/// A lending library, to read and to filter.
enum Library {
  enum Genre: String, PersistableEnum {
    case novel
    case poetry
    case science
  }

  final class Shelfmark: EmbeddedObject {
    @Persisted var room = 0
    @Persisted var shelf: String?
  }

  final class Book: Object {
    @Persisted(primaryKey: true) var isbn = ""
    @Persisted(indexed: true) var title = ""
    @Persisted var pages = 0
    @Persisted var price: Decimal128 = 0
    @Persisted var rating: Double?
    @Persisted var genre = Genre.novel
    @Persisted var isLent = false
    @Persisted var subtitle: String?
    @Persisted var acquired = Date(timeIntervalSince1970: 0)
    @Persisted var author: Author?
    @Persisted var mark: Shelfmark?
    @Persisted var keywords: MutableSet<String>
    @Persisted var copiesByBranch: Map<String, Int>
    @Persisted var note: AnyRealmValue
    @Persisted(originProperty: "loans") var readers: LinkingObjects<Reader>
  }

  final class Author: Object {
    @Persisted var name = ""
    @Persisted var born: Int?
    @Persisted(originProperty: "author") var books: LinkingObjects<Book>
  }

  final class Reader: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""
    @Persisted var loans: List<Book>
    @Persisted var fines: List<Double>
  }

  static let classes: [ObjectBase.Type] = [Book.self, Author.self, Reader.self, Shelfmark.self]

  /// Six books by three authors, and three readers.
  static func fill(_ realm: Realm) throws {
    try realm.write {
      let author: (String, Int?) -> Author = { name, born in
        realm.create(Author.self, value: ["name": name, "born": born as Any])
      }
      let (ada, bela, celine) = (author("Ada Ng", 1931), author("Béla Ő", nil), author("Céline Roy", 1970))
      func book(
        _ isbn: String, _ title: String, _ pages: Int, _ price: Decimal128, _ rating: Double?, _ genre: Genre,
        _ author: Author?, _ keywords: [String], _ copies: [String: Int], _ note: AnyRealmValue
      ) {
        let book = Book()
        book.isbn = isbn
        book.title = title
        book.pages = pages
        book.price = price
        book.rating = rating
        book.genre = genre
        book.author = author
        book.note = note
        book.isLent = pages > 300
        book.acquired = Date(timeIntervalSince1970: Double(pages) * 1000)
        book.keywords.insert(objectsIn: keywords)
        for (branch, count) in copies { book.copiesByBranch[branch] = count }
        if genre != .poetry {
          book.mark = Shelfmark(value: ["room": pages / 100, "shelf": title.prefix(1).description])
        }
        realm.add(book)
      }
      book("1", "Atlas", 120, 10, 4.5, .science, ada, ["maps"], ["north": 2, "south": 1], .int(1999))
      book("2", "Birds", 320, "12.5", nil, .science, ada, ["nature", "maps"], ["north": 0], .string("rare"))
      book("3", "Café Songs", 80, 7, 3, .poetry, bela, [], [:], .none)
      book("4", "Dunes", 540, 20, 4, .novel, celine, ["sea"], ["south": 5], .double(3.5))
      book("5", "atlas of dreams", 210, 15, 2.5, .novel, celine, ["dreams", "sea"], ["west": 1], .int(2001))
      book("6", "Eels", 60, 5, 5, .poetry, nil, ["sea"], ["north": 1, "west": 3], .bool(true))
      func reader(_ name: String, _ isbns: [String], _ fines: [Double]) {
        let reader = realm.create(
          Reader.self, value: ["id": ObjectId.generate(), "name": name, "fines": fines])
        reader.loans.append(objectsIn: isbns.map { realm.object(ofType: Book.self, forPrimaryKey: $0)! })
      }
      reader("Uma", ["1", "4"], [1, 2.5])
      reader("Vik", ["2", "3", "6"], [])
      reader("Wen", [], [10])
    }
  }
}
