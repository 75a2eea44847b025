import Foundation
import RealmSwift
import TestSupport
import Testing

final class MixedPair: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: AnyRealmValue
  @Persisted var second: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var other: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}

/// Values given to an object that are made of what it holds: all of them are read before the first is overwritten.
struct MixedUpsertTests {
  private let realm: Realm
  private let pair: MixedPair
  private let storage = ScratchRealm([MixedPair.self])

  init() throws {
    let realm = try storage.open()
    self.realm = realm
    pair = try realm.write {
      realm.create(
        MixedPair.self,
        value: [
          "id": 1, "first": [["a"], ["b"], ["c"]], "second": ["k": ["x"], "l": ["y"]],
          "list": [["p"], ["q"]], "other": [["r"]], "map": ["m": ["n"], "o": ["p"]],
        ] as [String: Any])
    }
  }

  enum Way: CaseIterable { case create, createAll, add, addAll, keyValue, dynamic, typed }

  /// Sets properties of the pair to values.
  private func set(_ way: Way, _ values: [String: AnyRealmValue]) throws {
    var all: [String: Any] = values
    all["id"] = 1
    try realm.write {
      switch way {
      case .create: realm.create(MixedPair.self, value: all, update: .modified)
      case .createAll: realm.create(MixedPair.self, value: all, update: .all)
      case .add, .addAll:
        let new = MixedPair()
        new.id = 1
        new.first = values["first"] ?? pair.first
        new.second = values["second"] ?? pair.second
        new.list.append(objectsIn: pair.list)
        new.other.append(objectsIn: pair.other)
        for entry in pair.map { new.map[entry.key] = entry.value }
        realm.add(new, update: way == .add ? .modified : .all)
      case .keyValue: for (key, value) in values { pair.setValue(value, forKey: key) }
      case .dynamic: for (key, value) in values { pair[key] = value }
      case .typed:
        if let value = values["first"] { pair.first = value }
        if let value = values["second"] { pair.second = value }
      }
    }
  }

  private func text(_ value: AnyRealmValue) -> String {
    switch value {
    case .list(let list): "[" + list.map(text).joined(separator: ",") + "]"
    case .dictionary(let map): "{" + map.map { $0.key + ":" + text($0.value) }.joined(separator: ",") + "}"
    default: value.stringValue ?? "-"
    }
  }

  @Test(arguments: Way.allCases) func aValueTakesPartsOfItself(_ way: Way) throws {
    let list = pair.first.listValue!
    try set(way, ["first": .fromArray([list[2], .string("new"), list[0], list[1]])])
    #expect(text(pair.first) == "[[c],new,[a],[b]]")
    try set(way, ["first": .fromArray([pair.first])])
    #expect(text(pair.first) == "[[[c],new,[a],[b]]]")
    try set(way, ["first": pair.first.listValue![0].listValue![2]])
    #expect(text(pair.first) == "[a]")
    let map = pair.second.dictionaryValue!
    try set(way, ["second": .fromDictionary(["k": map["l"]!, "l": map["k"]!, "m": .dictionary(map)])])
    #expect(text(pair.second) == "{k:[y],l:[x],m:{k:[x],l:[y]}}")
  }

  @Test(arguments: [Way.create, .createAll, .add, .addAll]) func propertiesAreExchanged(_ way: Way) throws {
    try set(way, ["first": pair.second, "second": pair.first])
    #expect(text(pair.first) == "{k:[x],l:[y]}")
    #expect(text(pair.second) == "[[a],[b],[c]]")
    try set(way, ["first": .int(1), "second": .fromArray([pair.second.listValue![1], pair.first])])
    #expect(pair.first == .int(1))
    #expect(text(pair.second) == "[[b],{k:[x],l:[y]}]")
    try set(way, ["first": pair.second.listValue![1], "second": pair.second.listValue![0]])
    #expect(text(pair.first) == "{k:[x],l:[y]}" && text(pair.second) == "[b]")
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func collectionsAreExchanged(_ policy: Realm.UpdatePolicy) throws {
    try realm.write {
      realm.create(
        MixedPair.self,
        value: [
          "id": 1, "list": pair.other, "other": pair.list, "first": pair.list[1],
          "map": ["m": pair.map["o"]!, "o": pair.list[0]],
        ]
          as [String: Any], update: policy)
    }
    #expect(text(.fromArray(Array(pair.list))) == "[[r]]")
    #expect(text(.fromArray(Array(pair.other))) == "[[p],[q]]")
    #expect(text(pair.first) == "[q]")
    #expect(text(pair.map["m"]!) == "[p]" && text(pair.map["o"]!) == "[p]")
  }

  @Test func elementsOfCollectionsTakePartsOfThemselves() throws {
    try realm.write {
      pair.list[0] = .fromArray([pair.list[1], pair.list[0]])
      pair.list.replaceSubrange(0..<2, with: [pair.list[1], pair.list[0]])
      pair.map["m"] = .fromArray([pair.map["o"]!, pair.map["m"]!])
      let first = pair.first.listValue!
      first[0] = .list(first)
      first.append(first[0])
    }
    #expect(text(.fromArray(Array(pair.list))) == "[[q],[[q],[p]]]")
    #expect(text(pair.map["m"]!) == "[[p],[n]]")
    #expect(text(pair.first) == "[[[a],[b],[c]],[b],[c],[[a],[b],[c]]]")
  }

  @Test func dynamicallyCreatedObjectsTakePartsOfThemselves() throws {
    try realm.write {
      realm.dynamicCreate(
        "MixedPair",
        value: ["id": 1, "first": pair.second, "second": [pair.first.listValue![1], pair.first]]
          as [String: Any],
        update: .modified)
    }
    #expect(text(pair.first) == "{k:[x],l:[y]}" && text(pair.second) == "[[b],[[a],[b],[c]]]")
  }
}
