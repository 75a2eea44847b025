import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class CodedMaps: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var ints: Map<String, Int>
  @Persisted var optionalInts: Map<String, Int?>
  @Persisted var optionalTexts: Map<String, String?>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var links: Map<String, CodedMaps?>
  @Persisted var embedded: Map<String, CodedPart?>
  @Persisted var nested: AnyRealmValue
}

class CodedPart: HiddenEmbedded {
  @Persisted var text = ""
}

/// Null and nil as values that key-value coding sets for the keys of maps.
@Suite struct MapKeyValueCodingTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }
  init() throws { scratch = try ScratchRealm(opening: [CodedMaps.self, CodedPart.self]) }

  private static func content() -> [String: Any] {
    [
      "ints": ["a": 1], "optionalInts": ["a": 1], "optionalTexts": ["a": "x"], "mixed": ["a": 1],
      "links": ["a": ["id": 7]], "embedded": ["a": ["text": "x"]], "nested": ["a": 1],
    ]
  }

  private static let names = ["ints", "optionalInts", "optionalTexts", "mixed", "links", "embedded"]

  /// Runs a body with a managed and an unmanaged object.
  private func forBoth(_ body: (CodedMaps) throws -> Void) throws {
    try body(CodedMaps(value: Self.content()))
    try realm.write {
      realm.deleteAll()
      try body(realm.create(CodedMaps.self, value: Self.content()))
    }
  }

  private func map(_ object: CodedMaps, _ name: String) -> any RealmKeyedCollection {
    object.value(forKey: name) as! any RealmKeyedCollection
  }

  @Test(arguments: names) func nilRemovesTheKey(name: String) throws {
    try forBoth { object in
      let map = map(object, name)
      map.setValue(nil, forKey: "a")
      #expect(map.count == 0)
      map.setValue(nil, forKey: "a")
      #expect(map.count == 0)
    }
    try forBoth { object in
      object.setValue(nil, forKeyPath: "\(name).a")
      #expect(map(object, name).count == 0)
    }
    // As where there is key-value coding by Foundation.
    try forBoth { object in
      map(object, name).setValuesForKeys(["a": NSNull()])
      #expect(map(object, name).count == 0)
    }
  }

  @Test(arguments: names.dropFirst()) func nullIsStored(name: String) throws {
    for null in [NSNull(), Int?.none as Any] {
      try forBoth { object in
        let map = map(object, name)
        map.setValue(null, forKey: "a")
        map.setValue(null, forKey: "b")
        #expect(map.count == 2)
        #expect(map.value(forKey: "a") is NSNull && map.value(forKey: "b") is NSNull)
      }
    }
  }

  @Test func dynamicAndNestedMaps() throws {
    try realm.write {
      let object = realm.create(CodedMaps.self, value: Self.content())
      let dynamic = realm.dynamicObject(ofType: "CodedMaps", forPrimaryKey: 0)!
      let map = dynamic["optionalInts"] as! any RealmKeyedCollection
      map.setValue(nil, forKey: "a")
      #expect(object.optionalInts.isEmpty)
      let links: Map<String, DynamicObject?> = dynamic.dynamicMap("links")
      links.setValue(nil, forKey: "a")
      #expect(object.links.isEmpty)
      let nested = object.nested.dictionaryValue!
      nested.setValue(NSNull(), forKey: "b")
      nested.setValue(nil, forKey: "a")
      #expect(nested.keys == ["b"] && nested["b"] == AnyRealmValue.none)
    }
  }

  @Test func nullThatCanNotBeStored() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CodedMaps().ints.setValue(NSNull(), forKey: "a")
    }
    expectStop(result, saying: "Invalid value '<null>' of type 'NSNull' for expected type 'int'.")
  }
}
