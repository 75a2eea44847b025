import Foundation
import RealmSwift

enum SectionGenre: String, PersistableEnum {
  case crime, travel, verse
}

struct SectionShelf: FailableCustomPersistable, Hashable {
  let number: Int

  init?(persistedValue: Int) {
    if persistedValue < 0 { return nil }
    number = persistedValue
  }

  init(_ number: Int) { self.number = number }

  var persistableValue: Int { number }
}

final class SectionBook: Object {
  @Persisted var title: String
  @Persisted var pages: Int
  @Persisted var subtitle: String?
  @Persisted var rating: Double
  @Persisted var isLent: Bool
  @Persisted var published: Date?
  @Persisted var genre: SectionGenre = .crime
  @Persisted var shelf: SectionShelf = SectionShelf(0)
  @Persisted var shop: SectionShop?
  @Persisted var mixed: AnyRealmValue

  convenience init(_ title: String, pages: Int = 0) {
    self.init()
    self.title = title
    self.pages = pages
  }

  /// Computed from what is stored.
  var firstLetter: String { title.first.map { String($0) } ?? "" }
  var length: Int? { pages == 0 ? nil : pages / 100 }
}

final class SectionShop: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var books: List<SectionBook>
  @Persisted var bookSet: MutableSet<SectionBook>
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String?>
  @Persisted var flags: List<Bool>
  @Persisted var wordSet: MutableSet<String>
  @Persisted(originProperty: "shop") var sold: LinkingObjects<SectionBook>
}

/// What sections hold, to be compared with plain Swift.
struct SectionText<Key: Hashable, Element: Hashable>: Equatable {
  var key: Key
  var elements: [Element]

  init(_ key: Key, _ elements: [Element]) {
    self.key = key
    self.elements = elements
  }
}

extension SectionedResults {
  /// The keys with a value of each element, read by iteration.
  func contents<Value: Hashable>(_ value: (SectionElement) -> Value) -> [SectionText<Key, Value>] {
    var contents: [SectionText<Key, Value>] = []
    for section in self { contents.append(SectionText(section.key, Array(section.map(value)))) }
    return contents
  }
}
