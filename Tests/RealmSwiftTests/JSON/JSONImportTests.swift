import Foundation
import Testing

@testable import RealmSwift

@Suite struct JSONImportTests: JSONSuite {
  let scratch: ScratchRealm

  init() throws { scratch = try jsonRealm() }

  @Test func allTypes() throws {
    let json = #"""
      {"id": 1, "name": "Wolfie \"the\" 1st é😀", "story": "a long way home", "small": -128, "medium": null,
       "flag": false, "maybe": true, "ratio": 0.1, "size": 1e3, "born": "2020-05-01T00:00:00Z", "data": "AQID",
       "key": "6058f12682b2fbb1f334ef1d", "token": "4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B",
       "price": 0.10000000000000000000000000000001, "mood": "wild",
       "anything": {"a": [1, 2.5, "x", null, true]}, "peer": {"code": "p"}, "part": {"weight": 2},
       "tags": ["a", "b"], "sizes": [3, 4, 3], "scores": {"x": 1, "y": null},
       "peers": [{"code": "q", "rank": 1}, {"code": "p"}], "parts": [{"label": "l"}],
       "named": {"n": {"code": "r"}, "m": null}, "values": [1, "two", [3]], "unknown": {"deep": [[{}]]}}
      """#
    // The same peer is there twice.
    #expect(try load(json, JSONItem.self, update: .modified) == 1)
    let item = try item(1)
    #expect(item.name == "Wolfie \"the\" 1st é😀" && item.story == "a long way home")
    #expect(item.small == -128 && item.medium == nil && !item.flag && item.maybe == true)
    #expect(item.ratio == 0.1 && item.size == 1000)
    #expect(item.born == Date(timeIntervalSince1970: 1_588_291_200) && item.data == Data([1, 2, 3]))
    #expect(item.key == ObjectId("6058f12682b2fbb1f334ef1d"))
    #expect(item.token == UUID(uuidString: "4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B"))
    #expect(item.price == Decimal128("0.10000000000000000000000000000001") && item.mood == .wild)
    #expect(item.anything.dictionaryValue?["a"]?.listValue?.count == 5)
    #expect(item.peer?.code == "p" && item.peer?.rank == 7)
    #expect(item.part?.label == "part" && item.part?.weight == 2)
    #expect(Array(item.tags) == ["a", "b"] && item.sizes.sorted() == [3, 4])
    #expect(item.scores["x"] == 1 && item.scores.count == 2)
    #expect(item.peers.map(\.code) == ["q", "p"] && item.parts.first?.label == "l")
    #expect(item.named["n"]??.code == "r" && item.named.count == 2 && item.values.count == 3)
    #expect(realm.objects(JSONItem.self).where { $0.story.fullTextSearch("way") }.count == 1)
    #expect(realm.objects(JSONItem.self).where { $0.name.starts(with: "Wolf") }.count == 1)
  }

  @Test(arguments: ["[%@,%@]", "%@\n%@\n", "\u{FEFF}%@ %@", " [ %@ , %@ ] "])
  func arraysAndLines(form: String) throws {
    let rows = (0..<2).map { #"{"id":"\#(UUID())","count":\#($0),"label":null}"# }
    #expect(try load(String(format: form, rows[0], rows[1]), JSONRow.self) == 2)
    #expect(realm.objects(JSONRow.self).map(\.count).sorted() == [0, 1])
  }

  @Test(arguments: ["", " \n", "[]", "[ ]"]) func nothing(json: String) throws {
    #expect(try load(json, JSONRow.self) == 0)
  }

  @Test func whatIsMissingIsTheDefaultOfANewObject() throws {
    try load(#"{"id": 1} {"id": 2, "born": 0}"#, JSONItem.self)
    #expect(try item(1).name == "nameless" && item(1).small == 3 && item(1).flag && item(1).mood == .calm)
    #expect(try item(2).born == Date(timeIntervalSince1970: 0))
    try load(#"{} {"text": "x"} {}"#, JSONEntry.self)
    #expect(Set(realm.objects(JSONEntry.self).map(\.made)).count == 3)
    #expect(realm.objects(JSONEntry.self).map(\.text).sorted() == ["none", "none", "x"])
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all]) func updatesKeepWhatIsMissing(
    policy: Realm.UpdatePolicy
  ) throws {
    try load(#"{"id": 1, "name": "a", "size": 2, "tags": ["t"], "part": {"label": "l"}}"#, JSONItem.self)
    try load(
      #"[{"id": 1, "name": "b", "story": null}, {"id": 2, "part": {"weight": 1}}, {"id": 1, "part": {"weight": 4}}]"#,
      JSONItem.self, update: policy)
    #expect(try item(1).name == "b" && item(1).size == 2 && Array(item(1).tags) == ["t"])
    #expect(try item(1).part?.weight == 4 && item(1).part?.label == (policy == .modified ? "l" : "part"))
    #expect(realm.objects(JSONItem.self).where { $0.name == "a" }.isEmpty)
    #expect(realm.objects(JSONItem.self).where { $0.name == "b" }.count == 1)
  }

  @Test func equalValuesAreNoChanges() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      let json = Data(#"{"id": 1, "name": "d1", "age": 1}"#.utf8)
      var names: [[String]] = []
      let token = test.dog(1).observe { change in
        if case .change(_, let properties) = change { names.append(properties.map(\.name).sorted()) }
      }
      try test.change { try $0.importJSON(json, as: WatchedDog.self, update: .modified) }
      #expect(names.isEmpty)
      try test.change { try $0.importJSON(json, as: WatchedDog.self, update: .all) }
      #expect(names == [["age", "name"]])
      token.invalidate()
    }
  }

  @Test func numericDates() throws {
    for (number, kind, seconds) in [
      (1_600_000_000.5, Realm.NumericDates.secondsSince1970, 621_692_800.5),
      (1_600_000_000_500, .millisecondsSince1970, 621_692_800.5), (12.25, .secondsSince2001, 12.25),
    ] {
      try load(#"{"id": 1, "born": \#(number)}"#, JSONItem.self, update: .modified, numericDates: kind)
      #expect(try item(1).born == Date(timeIntervalSinceReferenceDate: seconds))
    }
  }

  @Test func numberedAndCompositeKeys() throws {
    try load(
      #"{"text": "a"} {"text": "b", "number": 7} {"text": "c", "previous": {"text": "d"}}"#, Invoice.self)
    #expect(realm.objects(Invoice.self).map(\.number).sorted() == [1, 7, 8, 9])
    try load(
      #"{"order": 1, "place": "x", "text": "old"} {"order": 1, "place": "x", "text": "new"}"#,
      KeyedLine.self,
      update: .modified)
    #expect(realm.objects(KeyedLine.self).map(\.text) == ["new"])
  }

  @Test func keysThatAreTaken() {
    let taken = "Attempting to create an object of type 'JSONItem' with an existing primary key value '1'."
    let scalars = #"{"id": 1, "size": 2}"#
    #expect(refusal("\(scalars)\n\n\(scalars)", JSONItem.self) == "Line 3: \(taken)")
    #expect(
      refusal(#"{"id": 1, "tags": []} {"id": 1, "tags": []}"#, JSONItem.self) == "Line 1, object 2: \(taken)")
    #expect(
      refusal(#"{"id": 1, "peers": [{"code": "a"}, {"code": "a"}]}"#, JSONItem.self)
        == "Line 1: Attempting to create an object of type 'JSONPeer' with an existing primary key value 'a'."
    )
    #expect(realm.objects(JSONPeer.self).isEmpty)
  }

  @Test(arguments: [
    (#"{"small": 128}"#, "Invalid value '128' of type 'Int' for 'int' property 'JSONItem.small'."),
    (#"{"small": 1.5}"#, "Invalid value '1.5' of type 'Double' for 'int' property 'JSONItem.small'."),
    (#"{"name": null}"#, "Invalid value '<null>' of type 'NSNull' for 'string' property 'JSONItem.name'."),
    (#"{"name": 5}"#, "Invalid value '5' of type 'Int' for 'string' property 'JSONItem.name'."),
    (#"{"born": "x"}"#, "Invalid value 'x' of type 'String' for 'date' property 'JSONItem.born'."),
    (#"{"token": "x"}"#, "Invalid value 'x' of type 'String' for 'uuid?' property 'JSONItem.token'."),
    (#"{"mood": "odd"}"#, "Invalid value 'odd' of type 'String' for 'string' property 'JSONItem.mood'."),
    (
      #"{"levels": [1, 40000]}"#,
      "Invalid value '40000' of type 'Int' for 'int' array property 'JSONItem.levels'."
    ),
    (#"{"tags": [1]}"#, "Invalid value '1' of type 'Int' for 'string' array property 'JSONItem.tags'."),
    (
      #"{"tags": "x"}"#,
      "Invalid value (x) for 'string' array property 'JSONItem.tags': value is not enumerable."
    ),
    (#"{"peer": "p"}"#, "Invalid value 'p' of type 'String' for 'JSONPeer?' property 'JSONItem.peer'."),
    (#"{"scores": {"a.b": 1}}"#, "Dictionary::insert: key must not contain '.'"),
    (#"{"anything": {"$a": 1}}"#, "Dictionary::insert: key must not start with '$'"),
    (#"{"size": 1e999}"#, "1e999 is too large"),
    (#"{"id": 1, "id": 2}"#, "the name 'id' is there twice in one object"),
    (#"{"peer": {"code": "a", "code": "b"}}"#, "the name 'code' is there twice in one object"),
    (#"{"x": 1, "x": 2, "id": }"#, "'}' begins no value"), (#"[{"id": 1}, 7]"#, "an object is expected here"),
    (#"[{"id": 1}"#, "it ends within a value"), (#"[{"id": 1}] 2"#, "something follows the array"),
    (#"{"id": 1"#, "it ends within a value"), (#"{"name": "a"#, "a string does not end"),
    (#"{"id": 01}"#, "the number 01 begins with 0"), (#"{"id": -}"#, "'-' is no number"),
    (#"{"id": 1.}"#, "'1.' is no number"), (#"{"flag": tru}"#, "a word is neither true, false nor null"),
    (#"{"name": "\x"}"#, "\\x means nothing in a string"), (#"{"name": "\ud800"}"#, "half a surrogate pair"),
    (#"{id: 1}"#, "a name in quotes is missing"), (#"{"id" 1}"#, "a colon is missing after 'id'"),
  ]) func whatDoesNotFitIsRefused(json: String, message: String) {
    let text = refusal("{\"id\": 90}\n{\"id\": 91,\n\"tags\": []}\n" + json, JSONItem.self)
    if json.hasPrefix("[") {
      #expect(text.hasPrefix("Line 4: "))
      #expect(refusal(json, JSONItem.self).replacing(", object 2", with: "") == "Line 1: \(message)")
    } else {
      #expect(text == "Line 4: \(message)")
    }
  }

  @Test func bytesThatAreNoText() throws {
    for (bytes, message) in [
      (Data([0xFF, 0xFE, 0x7B, 0]), "an object is expected here"),
      (Data("\n{\"name\": \"".utf8) + [0xC3, 0x28, 0x22, 0x7D], "a string is no UTF-8"),
    ] {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { try realm.importJSON(bytes, as: JSONItem.self) }
      }
      #expect("\(error!)".contains(message))
    }
    #expect(realm.objects(JSONItem.self).isEmpty)
  }

  @Test func depthHasALimitOnSmallStacks() throws {
    @Sendable func nested(_ depth: Int, _ open: String, _ close: String, _ inner: String = "") -> Data {
      Data(
        (String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
    }
    @Sendable func message(_ realm: Realm, _ json: Data, _ type: (some Object).Type) -> String {
      do {
        try realm.write { try realm.importJSON(json, as: type) }
        return "none"
      } catch { return "\(error)" }
    }
    let configuration = scratch.configuration
    try onSmallStack {
      let realm = try Realm(configuration: configuration)
      let nodes = nested(98, #"{"values": [1], "next": "#, #", "id": 2}"#, #"{"values": [], "id": 3}"#)
      #expect(message(realm, nodes, JSONNode.self).contains("existing primary key value '2'"))
      var id = 0
      let others = String(decoding: nodes, as: UTF8.self).replacing(/"id": 2/) { _ in
        id -= 1
        return "\"id\": \(id)"
      }
      #expect(message(realm, Data(others.utf8), JSONNode.self) == "none")
      #expect(realm.objects(JSONNode.self).count == 99)
      let values = nested(98, "[", "]")
      #expect(
        message(realm, Data(#"{"id": 1, "anything": "#.utf8) + values + Data("}".utf8), JSONItem.self)
          == "none")
      #expect(
        message(realm, Data(#"{"id": 2, "tags": ["#.utf8) + values + Data("]}".utf8), JSONItem.self)
          .hasPrefix("Line 1: Invalid value '[["))
      let deep = "Line 1: values lie more than 100 deep within each other"
      for (open, close) in [("[", "]"), (#"{"x":"#, "}"), (#"{"id":1,"next":"#, "}"), (#"{"x":["#, "]}")] {
        #expect(message(realm, nested(100_000, open, close), JSONNode.self).hasPrefix("Line 1: "))
        let within = Data(#"{"unknown": "#.utf8) + nested(100, open, close, "null") + Data("}".utf8)
        #expect(message(realm, within, JSONNode.self) == deep)
      }
    }
  }

  @Test func objectsHaveTheirKeys() throws {
    #expect(
      refusal(#"{"page": 1, "items": [{"id": 1}]}"#, JSONItem.self)
        == "Line 1: Missing value for property 'JSONItem.id'.")
    #expect(
      refusal("{\"id\": 1,\n\"tags\": [], \"peer\": {\"rank\": 1}}", JSONItem.self)
        == "Line 2: Missing value for property 'JSONPeer.code'.")
    // These are made for each object.
    try load(#"{"count": 1} {"count": 2}"#, JSONRow.self)
    #expect(Set(realm.objects(JSONRow.self).map(\.id)).count == 2)
  }

  // MARK: Keys that are taken

  @Test func takenObjectsStayAsTheyAreAlsoWhenTheErrorIsCaught() throws {
    try load(#"{"id": 1, "name": "old", "tags": ["old"], "peer": {"code": "p", "rank": 1}}"#, JSONItem.self)
    for json in [
      #"{"id": 1, "name": "new"}"#, #"{"id": 1, "name": "new", "tags": ["new"]}"#,
      #"{"id": 5, "name": "other", "peer": {"code": "p", "rank": 9}}"#,
    ] {
      try realm.write {
        #expect(throws: Realm.Error(.invalidInput)) {
          try realm.importJSON(Data(json.utf8), as: JSONItem.self)
        }
      }
    }
    #expect(try item(1).name == "old" && Array(item(1).tags) == ["old"] && item(1).peer?.rank == 1)
    #expect(try Realm.verify(at: scratch.url, encryptionKey: ScratchRealm.usualKey).isSound)
  }

  @Test func takenKeysOfSeveralProperties() throws {
    let line = #"{"order": 1, "place": "x", "text": "a"}"#
    try load(line, KeyedLine.self)
    #expect(
      refusal(line, KeyedLine.self).hasPrefix("Line 1: Attempting to create an object of type 'KeyedLine'"))
    // What is missing of the key is its default.
    try load(#"{"place": "x", "text": "b"} {"order": 1, "text": "c"}"#, KeyedLine.self)
    #expect(realm.objects(KeyedLine.self).count == 3)
  }

  @Test func valuesThatOnlyOneMayHave() throws {
    #expect(throws: Realm.Error(.ruleBroken)) {
      try load(#"{"id": 1, "code": "a"} {"id": 2, "code": "a"}"#, JSONChoice.self)
    }
    #expect(realm.objects(JSONChoice.self).isEmpty)
    try load(#"{"number": 0, "text": "first"}"#, Invoice.self)
    #expect(realm.objects(Invoice.self).first?.number == 1)
  }

  @Test(arguments: [
    "write": "Can only add, remove, or create objects in a Realm in a write transaction",
    "key": "'JSONEntry' does not have a primary key and can not be updated",
  ]) func mistakesOfTheProgramStopIt(what: String, message: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [what = what as String] in
      let realm = try ScratchRealm([JSONEntry.self]).open()
      if what == "key" { realm.beginWrite() }
      try realm.importJSON(Data("{}".utf8), as: JSONEntry.self, update: what == "key" ? .all : .error)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(message), "\(text)")
  }
}
