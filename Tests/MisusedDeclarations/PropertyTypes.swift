// Properties whose types cannot be stored: each message says what to write instead.
import Foundation
import RealmSwift

struct Address: Codable, Hashable { var street = "" }
enum Grade: Int, Codable { case easy, hard }
enum Colour { case red, blue }

class Person: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
}

// The compiler reports the declaration twice if it has no initial value: for the property, and for its initialiser.
class UnsupportedProperties: Object {
  // expected-error@+2 {{'init()' is unavailable: An array cannot be stored. Use a List, which is never optional.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An array cannot be stored. Use a List, which is never optional.}}
  @Persisted var ids: [Int]
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An array cannot be stored.}}
  @Persisted var moreIds = [1, 2]
  // expected-error@+2 {{'init()' is unavailable: An array cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An array cannot be stored.}}
  @Persisted var optionalIds: [Int]?
  // expected-error@+2 {{'init()' is unavailable: A Set cannot be stored. Use a MutableSet, which is never optional.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A Set cannot be stored. Use a MutableSet, which is never optional.}}
  @Persisted var tags: Set<String>
  // expected-error@+2 {{'init()' is unavailable: A Set cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A Set cannot be stored.}}
  @Persisted var optionalTags: Set<String>?
  // expected-error@+2 {{'init()' is unavailable: A dictionary cannot be stored. Use a Map, which is never optional.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A dictionary cannot be stored. Use a Map, which is never optional.}}
  @Persisted var prices: [String: Int]
  // expected-error@+2 {{'init()' is unavailable: A dictionary cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A dictionary cannot be stored.}}
  @Persisted var optionalPrices: [String: Int]?
  // expected-error@+2 {{'init()' is unavailable: A collection is never nil. Remove '?' from the type of the property.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A collection is never nil. Remove '?' from the type of the property.}}
  @Persisted var optionalList: List<Int>?
  // expected-error@+2 {{'init()' is unavailable: A collection is never nil.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A collection is never nil.}}
  @Persisted var optionalSet: MutableSet<Int>?
  // expected-error@+2 {{'init()' is unavailable: A collection is never nil.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A collection is never nil.}}
  @Persisted var optionalMap: Map<String, Int>?
  // expected-error@+2 {{'init()' is unavailable: This type cannot be stored. Use a class derived from EmbeddedObject, a type that conforms to CustomPersistable, or an enumeration with raw values that conforms to PersistableEnum.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: This type cannot be stored. Use a class derived from EmbeddedObject, a type that conforms to CustomPersistable, or an enumeration with raw values that conforms to PersistableEnum.}}
  @Persisted var address: Address
  // expected-error@+2 {{'init()' is unavailable: This type cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: This type cannot be stored.}}
  @Persisted var optionalAddress: Address?
  // expected-error@+2 {{'init()' is unavailable: This type cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: This type cannot be stored.}}
  @Persisted var colour: Colour
  // expected-error@+2 {{'init()' is unavailable: This type cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: This type cannot be stored.}}
  @Persisted var anything: Any
  // expected-error@+2 {{'init()' is unavailable: An enumeration can be stored if it conforms to PersistableEnum. Add the conformance to its declaration.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An enumeration can be stored if it conforms to PersistableEnum. Add the conformance to its declaration.}}
  @Persisted var grade: Grade
  // expected-error@+2 {{'init()' is unavailable: An enumeration can be stored if it conforms to PersistableEnum.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An enumeration can be stored if it conforms to PersistableEnum.}}
  @Persisted var optionalGrade: Grade?
  // expected-error@+2 {{'init()' is unavailable: An unsigned integer cannot be stored. Use Int, or a type that conforms to CustomPersistable.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An unsigned integer cannot be stored. Use Int, or a type that conforms to CustomPersistable.}}
  @Persisted var count: UInt
  // expected-error@+2 {{'init()' is unavailable: An unsigned integer cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: An unsigned integer cannot be stored.}}
  @Persisted var optionalCount: UInt64?
  // expected-error@+2 {{'init()' is unavailable: A character cannot be stored. Use String.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A character cannot be stored. Use String.}}
  @Persisted var initial: Character
  // expected-error@+2 {{'init()' is unavailable: A URL cannot be stored. Use String, or a type that conforms to FailableCustomPersistable.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A URL cannot be stored. Use String, or a type that conforms to FailableCustomPersistable.}}
  @Persisted var page: URL
  // expected-error@+2 {{'init()' is unavailable: A URL cannot be stored.}}
  // expected-error@+1 {{'init(wrappedValue:)' is unavailable: A URL cannot be stored.}}
  @Persisted var optionalPage: URL?
}

// What compiles, but is refused when a realm is opened.
class MisdeclaredLinks: Object {
  // expected-warning@+2 {{'init()' is deprecated: A link must be optional. Add '?' to the type of the property.}}
  // expected-warning@+1 {{'init(wrappedValue:)' is deprecated: A link must be optional. Add '?' to the type of the property.}}
  @Persisted var owner: Person
  // expected-warning@+1 {{'init(wrappedValue:)' is deprecated: A link must be optional.}}
  @Persisted var friend = Person()
  // expected-warning@+1 {{'init(onDelete:)' is deprecated: A link must be optional.}}
  @Persisted(onDelete: .cascade) var house: Person
  // expected-warning@+1 {{'init()' is deprecated: The links in a map must be optional. Add '?' to the type of its values.}}
  @Persisted var byName: Map<String, Person>
  // expected-warning@+1 {{'init()' is deprecated: The links in a list or set are never nil. Remove '?' from the type of its elements.}}
  @Persisted var people: List<Person?>
}

class MisusedCollections: Object {
  // expected-error@+1 {{type 'Grade' does not conform to protocol 'RealmCollectionValue'}}
  @Persisted var grades: List<Grade>
  // expected-error@+1 3 {{conformance of 'Int' to '_MapKey' is unavailable: The keys of a map are strings. Use String, or an enumeration of strings that conforms to _MapKey.}}
  @Persisted var byNumber: Map<Int, String>
}

class MisusedAttributes: Object {
  // expected-error@+1 {{referencing initializer 'init(primaryKey:)' on 'Persisted' requires that 'Double' conform to '_PrimaryKey'}}
  @Persisted(primaryKey: true) var id: Double
  // expected-error@+1 {{referencing initializer 'init(indexed:)' on 'Persisted' requires that 'Double' conform to '_Indexable'}}
  @Persisted(indexed: true) var length: Double
  // expected-error@+1 {{referencing initializer 'init(fullText:)' on 'Persisted' requires that 'Int' conform to '_FullTextSearchable'}}
  @Persisted(fullText: true) var words: Int
  // expected-error@+1 {{referencing initializer 'init(indexed:)' on 'Persisted' requires that '[Int]' conform to '_Persistable'}}
  @Persisted(indexed: true) var numbers: [Int]
}

struct NoClass {
  // expected-error@+1 {{'wrappedValue' is unavailable: @Persisted can only be used as a property on a Realm object}}
  @Persisted var name: String
}

// A type of the standard library or of Foundation can be declared to conform to a protocol of the library.
// swift-format-ignore: AvoidRetroactiveConformances, AllPublicDeclarationsHaveDocumentation
extension UInt16: @retroactive CustomPersistable {
  public init(persistedValue: Int) { self.init(persistedValue) }
  public var persistableValue: Int { Int(self) }
}

class RightProperties: Object {
  @Persisted var port: UInt16
  @Persisted var optionalPort: UInt16?
  @Persisted var owner: Person?
  @Persisted var byName: Map<String, Person?>
  @Persisted var people: List<Person>
  @Persisted(onDelete: .cascade) var house: Person?
}

class WithInitialiser: Object {
  @Persisted var name: String
  init(name: String) {
    super.init()
    self.name = name
    // expected-error@+2 {{'required' initializer 'init(_callingInit:)' must be provided by subclass of 'ObjectBase'}}
  }
}

func query(_ people: Results<Person>) {
  // expected-error@+2 {{cannot convert value of type 'Bool' to closure result type 'Query<Bool>'}}
  // expected-error@+1 {{cannot convert value of type 'Query<Bool>' to expected condition type 'Bool'}}
  _ = people.where { $0.name == "Ida" ? true : false }
  // expected-error@+1 {{binary operator '==' cannot be applied to operands of type 'Query<String>' and 'Int'}}
  _ = people.where { $0.name == 3 }
  // expected-error@+1 {{cannot call value of non-function type 'Query<String>'}}
  _ = people.where { $0.name.lowercased() == "ida" }
  // expected-error@+1 {{value of type 'Query<Person>' has no dynamic member 'nme' using key path from root type 'Person'}}
  _ = people.where { $0.nme == "Ida" }
}

func aggregate(_ people: Results<Person>) -> String? {
  // expected-error@+1 {{instance method 'max(of:)' requires that 'String' conform to 'MinMaxType'}}
  people.max(of: \.name)
}

func live(_ people: Results<Person>) {
  // expected-error@+1 {{conformance of 'ObjectBase' to 'Sendable' is unavailable}}
  _ = people.changes(map: { $0[0] })
}

// expected-note@+1 {{calls to global function 'show' from outside of its actor context are implicitly asynchronous}}
@MainActor func show(_ text: String) {}

// expected-note@+1 {{add '@MainActor' to make global function 'notify()' part of global actor 'MainActor'}}
func notify() {
  // expected-error@+1 {{call to main actor-isolated global function 'show' in a synchronous nonisolated context}}
  show("changed")
}
