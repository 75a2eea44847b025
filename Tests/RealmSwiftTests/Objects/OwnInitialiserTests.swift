import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Classes with an `init()` of their own, as programs for the official SDK write it.
class Greeter: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var greeting: String
  @Persisted var words: List<String>
  var origin = "declaration"

  override init() {
    super.init()
    greeting = "hello"
    words.append("hi")
    origin = "init"
  }

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

class LoudGreeter: Greeter {
  override init() {
    super.init()
    greeting += "!"
  }
}

/// May be made through a protocol, which needs the other modifier as well.
protocol MadeByInit {
  init()
}

class RequiredGreeter: Hidden, MadeByInit {
  @Persisted var greeting: String

  required override init() {
    super.init()
    greeting = "required"
  }
}

class GreetedPart: HiddenEmbedded {
  @Persisted var greeting: String

  override init() {
    super.init()
    greeting = "part"
  }
}

class CodableGreeter: Hidden, Codable {
  @Persisted var greeting = "decoded"
}

struct OwnInitialiserTests {
  private static let classes = [Greeter.self, LoudGreeter.self, RequiredGreeter.self, CodableGreeter.self]

  private func make<T: Object>(_: T.Type) -> T { T() }
  private func makeByType<T: ObjectBase>(_ type: T.Type) -> T { type.init() }
  private func makeByProtocol<T: MadeByInit>(_: T.Type) -> T { T() }

  @Test func genericCodeCallsTheInitialiserOfTheClass() {
    #expect(make(Greeter.self).greeting == "hello" && make(Greeter.self).origin == "init")
    #expect(make(LoudGreeter.self).greeting == "hello!" && makeByType(LoudGreeter.self).words.count == 1)
    #expect(makeByType(GreetedPart.self).greeting == "part")
    #expect(makeByProtocol(RequiredGreeter.self).greeting == "required")
    #expect(make(CodableGreeter.self).greeting == "decoded")
    let types: [ObjectBase.Type] = [Greeter.self, LoudGreeter.self, RequiredGreeter.self]
    for type in types { #expect(Swift.type(of: type.init()) == type) }
  }

  @Test func createAndInitWithAValueBeginWithTheInitialiserOfTheClass() throws {
    #expect(LoudGreeter(value: ["id": 2]).greeting == "hello!" && Greeter(id: 3).id == 3)
    let scratch = try ScratchRealm(opening: Self.classes)
    try scratch.realm.write {
      #expect(scratch.realm.create(LoudGreeter.self, value: ["id": 1]).greeting == "hello!")
      scratch.realm.add(Greeter(id: 4))
    }
    let stored = scratch.realm.objects(Greeter.self)
    #expect(stored.map(\.greeting) == ["hello"] && stored[0].words.count == 1)
    #expect(Array(scratch.realm.objects(LoudGreeter.self)[0].words) == ["hi"])
  }

  @Test func objectsThatAreReadHaveTheFieldsThatTheInitialiserSets() throws {
    let scratch = ScratchRealm(Self.classes)
    try scratch.write { realm in realm.add(Greeter(id: 1)) }
    try scratch.read { realm in
      let greeter = try #require(realm.objects(Greeter.self).first)
      #expect(greeter.origin == "init" && greeter.greeting == "hello")
    }
  }

  @Test func decodingBeginsWithTheInitialiserOfTheClass() throws {
    let decoded = try JSONDecoder().decode(CodableGreeter.self, from: Data(#"{"greeting": "a"}"#.utf8))
    #expect(decoded.greeting == "a")
  }

  @Test func sharedSchemaIsTheSchemaOfTheClass() throws {
    let scratch = try ScratchRealm(opening: Self.classes)
    #expect(Greeter.sharedSchema() == scratch.realm.schema["Greeter"])
    #expect(Greeter.sharedSchema()?.primaryKeyProperty?.name == "id")
    #expect(GreetedPart.sharedSchema()?.isEmbedded == true)
    #expect(Object.sharedSchema() == nil && DynamicObject.sharedSchema() == nil)
  }
}
