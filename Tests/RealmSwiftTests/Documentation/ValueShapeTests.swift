import Foundation
import RealmSwift
import Testing

/// `init(value:)` and `create` with a value of every shape that is allowed.
@Suite struct ValueShapeTests {
  final class Form: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String = "default"
    @Persisted var amount: Double?
    @Persisted var codes: List<Int>
    @Persisted var words: MutableSet<String>
    @Persisted var pairs: Map<String, Int>
    @Persisted var next: Form?
    @Persisted var forms: List<Form>
    @Persisted var detail: Detail?
    @Persisted var details: List<Detail>
    @Persisted var any: AnyRealmValue
  }

  final class Detail: EmbeddedObject {
    @Persisted var name: String
    @Persisted var form: Form?
  }

  /// Another class with properties of the same names.
  final class Draft: Object {
    @Persisted var id: Int
    @Persisted var text: String
    @Persisted var amount: Double?
    @Persisted var codes: List<Int>
    @Persisted var words: MutableSet<String>
    @Persisted var pairs: Map<String, Int>
    @Persisted var next: Form?
    @Persisted var forms: List<Form>
    @Persisted var detail: Detail?
    @Persisted var details: List<Detail>
    @Persisted var any: AnyRealmValue
    @Persisted var more: Int
  }

  static let dictionary: [String: any Sendable] = [
    "id": 1, "text": "hello", "amount": 2.5, "codes": [1, 2, 3], "words": ["a", "b"], "pairs": ["x": 1],
    "next": ["id": 2] as [String: any Sendable],
    "forms": [["id": 3], [4, "four"] as [any Sendable]] as [any Sendable],
    "detail": ["name": "d"], "details": [["d1"], ["name": "d2"]] as [any Sendable],
    "any": ["k": [1, "v"] as [any Sendable]],
  ]

  private static func shapes() throws -> [(name: String, value: Any)] {
    let dictionary = Self.dictionary as [String: Any]
    let array: [Any] = [
      1, "hello", 2.5, [1, 2, 3], ["a", "b"], ["x": 1], [2], [[3], [4, "four"] as [Any]] as [Any], ["d"],
      [["d1"], ["d2"]], ["k": [1, "v"] as [Any]],
    ]
    let json = try JSONSerialization.data(withJSONObject: dictionary)
    return [
      ("dictionary", dictionary),
      ("dictionary of optionals", dictionary.mapValues { Optional($0) }),
      ("dictionary with more", dictionary.merging(["unknown": 1]) { $1 }),
      ("optional dictionary", Optional(dictionary) as Any),
      ("NSDictionary", NSDictionary(dictionary: dictionary)),
      ("JSON", try JSONSerialization.jsonObject(with: json)),
      ("array", array),
      ("array of optionals", array.map { Optional($0) }),
      ("NSArray", NSArray(array: array)),
      ("object", Form(value: dictionary)),
      ("object of another class", Draft(value: dictionary)),
    ]
  }

  private func expectWhole(_ form: Form, _ shape: String) {
    #expect(form.id == 1, "\(shape)")
    #expect(form.text == "hello", "\(shape)")
    #expect(form.amount == 2.5, "\(shape)")
    #expect(Array(form.codes) == [1, 2, 3], "\(shape)")
    #expect(Set(form.words) == ["a", "b"], "\(shape)")
    #expect(form.pairs.count == 1 && form.pairs["x"] == 1, "\(shape)")
    #expect(form.next?.id == 2 && form.next?.text == "default", "\(shape)")
    #expect(form.forms.map(\.id) == [3, 4], "\(shape)")
    #expect(form.forms.map(\.text) == ["default", "four"], "\(shape)")
    #expect(form.detail?.name == "d", "\(shape)")
    #expect(form.details.map(\.name) == ["d1", "d2"], "\(shape)")
    #expect(form.any.dictionaryValue?["k"]?.listValue?[1] == .string("v"), "\(shape)")
  }

  @Test func inMemory() throws {
    for (name, value) in try Self.shapes() {
      let form = Form(value: value)
      #expect(form.realm == nil)
      expectWhole(form, name)
    }
  }

  @Test func created() throws {
    for (name, value) in try Self.shapes() {
      let file = ScratchRealm([Form.self, Detail.self, Draft.self])
      try file.write { realm in
        let form = realm.create(Form.self, value: value)
        #expect(form.realm == realm)
        expectWhole(form, name)
        if let object = value as? Object { #expect(object.realm == nil) }
      }
      try file.read { realm in
        expectWhole(try #require(realm.object(ofType: Form.self, forPrimaryKey: 1)), name)
        #expect(realm.objects(Form.self).count == 4)
      }
    }
  }

  @Test func addedAndUpserted() throws {
    for policy in [Realm.UpdatePolicy.modified, .all] {
      for (name, value) in try Self.shapes() {
        let file = ScratchRealm([Form.self, Detail.self, Draft.self])
        let realm = try file.open()
        let old = Form(
          value: ["id": 1, "text": "old", "codes": [9, 9, 9, 9], "pairs": ["old": 9]] as [String: Any])
        try realm.write {
          realm.add(old)
          realm.create(Form.self, value: ["id": 2, "text": "default", "amount": 7.0] as [String: Any])
          realm.create(Form.self, value: value, update: policy)
        }
        expectWhole(old, "\(name) \(policy)")
        #expect(realm.objects(Form.self).count == 4)
        try realm.write { realm.add(Form(value: value), update: policy) }
        expectWhole(old, "\(name) \(policy)")
        #expect(realm.objects(Form.self).count == 4)
      }
    }
  }

  @Test func managedSource() throws {
    let file = ScratchRealm([Form.self, Detail.self, Draft.self])
    let realm = try file.open()
    let managed = try realm.write { realm.create(Draft.self, value: Self.dictionary) }
    let form = Form(value: managed)
    // A link keeps the managed object.
    #expect(form.next?.realm == realm)
    expectWhole(form, "managed object")
    // An embedded object has its parent already, so that only a copy can be stored.
    let copy = try realm.write { realm.create(Form.self, value: form) }
    expectWhole(copy, "managed object, created")
    #expect(copy.next == managed.next)
    #expect(copy.detail?.isSameObject(as: managed.detail) == false)
    #expect(realm.objects(Form.self).count == 4)
  }

  @Test func nullAndAbsent() throws {
    let empty = Form(value: [String: Any]())
    #expect(empty.text == "default")
    #expect(empty.amount == nil)
    let value: [String: Any?] = [
      "id": 1, "amount": nil, "codes": nil, "words": nil, "pairs": nil, "next": nil, "detail": nil,
      "any": nil,
    ]
    let nulls = Form(value: value)
    #expect(nulls.amount == nil && nulls.next == nil && nulls.detail == nil && nulls.any == .none)
    #expect(nulls.codes.isEmpty && nulls.words.isEmpty && nulls.pairs.count == 0)
    let file = ScratchRealm([Form.self, Detail.self, Draft.self])
    let realm = try file.open()
    let full = try realm.write { realm.create(Form.self, value: Self.dictionary) }
    try realm.write { realm.create(Form.self, value: value, update: .modified) }
    #expect(full.amount == nil && full.next == nil && full.detail == nil && full.any == .none)
    #expect(full.codes.isEmpty && full.words.isEmpty && full.pairs.count == 0)
    #expect(full.text == "hello" && full.forms.count == 2)
  }

  @Test func collectionsOfManyKinds() {
    let list = List<Int>()
    list.append(objectsIn: [1, 2, 3])
    let set = MutableSet<String>()
    set.insert(objectsIn: ["a", "b"])
    let map = Map<String, Int>()
    map["x"] = 1
    let codes: [Any] = [
      [1, 2, 3], list, ContiguousArray([1, 2, 3]), [1, 2, 3][...], 1...3, NSArray(array: [1, 2, 3]),
      [Int8(1), 2, 3],
      [1, 2, 3] as [Any], [1, 2, 3].lazy.map { $0 },
    ]
    for codes in codes { #expect(Array(Form(value: ["id": 1, "codes": codes]).codes) == [1, 2, 3]) }
    for words in [["a", "b"] as Any, set, Set(["a", "b"]), ["b", "a", "b"], NSSet(array: ["a", "b"])] {
      #expect(Set(Form(value: ["id": 1, "words": words]).words) == ["a", "b"])
    }
    for pairs in [["x": 1] as Any, map, ["x": Int16(1)], NSDictionary(dictionary: ["x": 1])] {
      #expect(Form(value: ["id": 1, "pairs": pairs]).pairs["x"] == 1)
    }
  }
}
