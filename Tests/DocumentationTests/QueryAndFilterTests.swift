import RealmSwift
import TestSupport
import Testing

class MixedNote: Object {
  @Persisted var content: AnyRealmValue
}

struct QueryAndFilterTests {
  @Test func conditions() throws {
    let mountains = try Mountains()
    let (huts, trails) = (mountains.huts, mountains.trails)
    let roomy = huts.where { $0.beds >= 40 && $0.kind == .staffed }
    let called = huts.where { $0.name.starts(with: "b", options: .caseInsensitive) }
    let someHigh = trails.where { $0.huts.altitude > 3_000 }
    let unvisited = huts.where { $0.visits.count == 0 && $0.warden == nil }
    let between = huts.where { $0.altitude.contains(1_500..<2_500) }
    let oneOf = huts.where { $0.name.in(["Larch", "Summit"]) }
    #expect(mountains.names(roomy) == ["Blackrock", "Larch"])
    #expect(mountains.names(called) == ["Blackrock"])
    #expect(someHigh.map(\.name) == ["Ridge"])
    #expect(mountains.names(unvisited) == ["Blackrock", "Summit"])
    #expect(mountains.names(between) == ["Blackrock", "Larch"])
    #expect(mountains.names(oneOf) == ["Larch", "Summit"])
    let large = trails.where { $0.huts.beds.sum > 100 }
    #expect(large.count == 0)
    let bivouacUpHigh = trails.where {
      ($0.huts.kind == .bivouac && $0.huts.altitude > 3_000).count > 0
    }
    #expect(bivouacUpHigh.map(\.name) == ["Ridge"])
  }

  @Test func mixedValues() throws {
    let scratch = ScratchFolder()
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: scratch.file("notes.realm"), objectTypes: [MixedNote.self]))
    let days = AnyRealmValue.fromDictionary(["days": .fromArray([.string("Monday"), .string("Friday")])])
    try realm.write {
      for content in [AnyRealmValue.int(3), .double(3), .string("3"), days] {
        realm.create(MixedNote.self, value: ["content": content])
      }
    }
    let notes = realm.objects(MixedNote.self)
    let threes = notes.where { $0.content == .int(3) }
    let ofMonday = notes.where { $0.content["days"][0] == .string("Monday") }
    let mentioning = notes.where { $0.content["days"].any == .string("Friday") }
    let alsoAsText = notes.filter("content['days'][%K] == 'Friday'", "#any")
    #expect(threes.map(\.content) == [.int(3), .double(3)])
    for found in [ofMonday, mentioning, alsoAsText] { #expect(found.count == 1) }
    #expect(notes.where { $0.content > .int(2) }.count == 2)
    #expect(notes.where { $0.content < .int(4) }.count == 2)
  }

  @Test func text() throws {
    let huts = try Mountains().huts
    let few = huts.filter("beds < %@ AND ANY trails.difficulty >= 3", 10)
    let none = huts.filter("NONE visits.guest == 'Emmy'")
    #expect(few.map(\.name) == ["Summit"])
    #expect(none.count == 3)
    for typed in ["beds > 40", "beds >"] {
      do {
        let found = try huts.filter(checking: typed)
        print(found.count)
      } catch {
        print(error)  // what is wrong with it
      }
    }
    #expect(throws: (any Error).self) { try huts.filter(checking: "beds >") }
  }

  @Test func explanation() throws {
    let huts = try Mountains().huts
    print(huts.where { $0.name == "Larch" && $0.beds > 10 }.explain())
    #expect(huts.where { $0.name == "Larch" && $0.beds > 10 }.explain().contains("scan: 1 chunks"))
  }
}
