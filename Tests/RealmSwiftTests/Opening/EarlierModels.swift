import Foundation
import RealmSwift

/// The classes of the files in `EarlierFiles`.
enum Earlier {
  enum Mood: String, PersistableEnum { case glad, sad }

  class Address: HiddenEmbedded {
    @Persisted var street = ""
    @Persisted var number = 0
  }

  class Person: Hidden {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var isGrown = false
    @Persisted var small: Int8 = 0
    @Persisted var ratio: Float = 0
    @Persisted var height: Double = 0
    @Persisted var photo = Data()
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var mark: ObjectId
    @Persisted var token: UUID
    @Persisted var price: Decimal128
    @Persisted var mood: Mood = .glad
    @Persisted var anything: AnyRealmValue
    @Persisted var nickname: String?
    @Persisted var age: Int?
    @Persisted var friend: Person?
    @Persisted var address: Address?
    @Persisted var numbers: List<Int>
    @Persisted var words: MutableSet<String>
    @Persisted var friends: List<Person>
    @Persisted var ages: Map<String, Int>
    @Persisted(originProperty: "friend") var admirers: LinkingObjects<Person>
  }

  class Cat: Hidden {
    @Persisted var name = ""
    @Persisted var lives = 0
  }

  class Note: Hidden {
    @Persisted(fullText: true) var text = ""
  }

  class Invoice: Hidden {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted(onDelete: .cascade) var lines: List<Line>
  }

  class Line: Hidden {
    @Persisted var text = ""
  }

  /// Its values have lists and dictionaries in them, which have no identities before format 5.
  class Bag: Hidden {
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    @Persisted(indexed: true) var tag: String
  }

  static let types: [ObjectBase.Type] = [Person.self, Address.self, Cat.self, Note.self]
  static let typesWithRules = types + [Invoice.self, Line.self]
  static let typesWithNestedValues = typesWithRules + [Bag.self]

  /// Cats with another name and type for their lives.
  enum Later {
    class Cat: Hidden {
      @Persisted(indexed: true) var name: String?
      @Persisted var livesLeft = ""
    }
  }

  /// What is wrong with what a person has in all properties; nil for nothing.
  static func fault(_ person: Person) -> String? {
    let id = person.id
    func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: count - "\(number)".count) + "\(number)"
    }
    let isGone = 100..<140 ~= id / 2
    var fault: String?
    func check(_ name: String, _ isSound: Bool) {
      if !isSound && fault == nil { fault = "\(name) of \(id)" }
    }
    check("name", person.name == (id == 7 ? String(repeating: "long ", count: 600) : "name \(id % 10)"))
    check("isGrown", person.isGrown == (id % 2 == 0))
    check("small", person.small == Int8(id % 100))
    check("ratio", person.ratio == Float(id % 8) / 4)
    check("height", person.height == Double(id % 16) / 8)
    check("photo", person.photo == (id < 20 ? Data([1, 2, UInt8(id)]) : Data()))
    check("born", person.born == Date(timeIntervalSince1970: Double(id % 50) * 86_400))
    check("mark", person.mark.stringValue == digits(id % 10, 24))
    check("token", person.token.uuidString == "00000000-0000-0000-0000-" + digits(id % 10, 12))
    check("price", person.price == (try? Decimal128(string: "\(id % 10).25")))
    check("mood", person.mood == (id % 3 == 0 ? .sad : .glad))
    check("anything", isSound(anything: person.anything, id))
    check("nickname", person.nickname == (id % 5 == 0 ? "nick" : nil))
    check("age", person.age == (id % 2 == 0 ? nil : id % 90))
    check("friend", person.friend?.id == (id > 0 && id % 10 == 0 && !isGone ? id / 2 : nil))
    check("address", person.address?.street == (id < 30 ? "street \(id)" : nil))
    check("number", person.address?.number == (id < 30 ? id : nil))
    check("numbers", Array(person.numbers) == (id < 30 ? [id, id + 1, 3] : []))
    check("words", person.words.sorted() == (id < 30 ? ["a", "b\(id)"] : []))
    check("friends", person.friends.map(\.id) == (2..<30 ~= id ? [0, 1] : []))
    check("ages", person.ages.count == (id < 30 ? 2 : 0))
    check("ages", person.ages["id"] == (id < 30 ? id : nil))
    check("admirers", person.admirers.allSatisfy { $0.friend == person })
    return fault
  }

  private static func isSound(anything: AnyRealmValue, _ id: Int) -> Bool {
    switch id % 4 {
    case 0: anything == .none
    case 1: anything == .int(id)
    case 2: anything == .string("any")
    default: anything.object(Person.self)?.id == 0
    }
  }
}
