import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// Links, mixed values, embedded objects and long values, and the rules of classes.
struct RichValueTests {
  private let studio: WritableStudio

  init() throws { studio = try WritableStudio() }

  private func set(_ row: Int, _ property: Int, _ value: String, _ expected: String? = nil) -> String {
    let more = expected.map { ",\"expected\":\($0)" } ?? ""
    return """
      {"op":"set","class":"Everything","row":\(row),"property":\(property),"value":\(value)\(more)}
      """
  }

  private static let mixed: [(sent: String, cell: String, exported: String)] = [
    ("null", "null", "null"),
    (#"{"type":"int","value":"5"}"#, #"{"type":"int","value":5}"#, "5"),
    (#"{"type":"bool","value":true}"#, #"{"type":"bool","value":true}"#, "true"),
    (#"{"type":"float","value":"1.5"}"#, #"{"type":"float","value":1.5}"#, #"{"$float":"1.5"}"#),
    (#"{"type":"double","value":0.25}"#, #"{"type":"double","value":0.25}"#, "0.25"),
    (#"{"type":"string","value":"=1"}"#, #"{"type":"string","value":"=1"}"#, #""=1""#),
    (
      #"{"type":"data","value":{"base64":"AQ=="}}"#,
      #"{"type":"data","value":{"bytes":1,"start":"01","hash":"\#(ContentHash.text(of: [1]))"}}"#,
      #"{"$data":"AQ=="}"#
    ),
    (
      #"{"type":"date","value":"2024-05-17T08:30:00Z"}"#,
      #"{"type":"date","value":"2024-05-17T08:30:00Z"}"#, #"{"$date":"2024-05-17T08:30:00Z"}"#
    ),
    (
      #"{"type":"decimal128","value":"1.5"}"#, #"{"type":"decimal128","value":"1.5"}"#,
      #"{"$decimal128":"1.5"}"#
    ),
    (
      #"{"type":"list","value":[1,{"type":"dictionary","value":{"a":{"type":"list","value":[]}}}]}"#,
      #"{"type":"list","count":2}"#, #"[1,{"a":[]}]"#
    ),
    (
      #"{"type":"dictionary","value":{"b":1,"a":null}}"#, #"{"type":"dictionary","count":2}"#,
      #"{"a":null,"b":1}"#
    ),
  ]

  @Test(arguments: mixed.indices) func mixedValuesAreSet(_ index: Int) async throws {
    let sample = Self.mixed[index]
    let row = try await studio.makeEverything()
    let any = try await studio.property("any")
    let before = try await studio.content()
    #expect(try await studio.batch(set(row, any, sample.sent, "null")).status == 200)
    #expect(try await studio.value(row, "any") == sample.exported)
    let again = try await studio.batch(set(row, any, sample.sent, sample.cell))
    #expect(again.status == 200, "\(again.text)")
    let conflict = try await studio.batch(set(row, any, "null", #"{"type":"int","value":99}"#))
    #expect(
      conflict.status == 409 && conflict.text.contains("\"current\":\(sample.cell)"), "\(conflict.text)")
    // Setting null changed nothing, and is no step.
    if sample.sent != "null" { #expect(try await studio.undo().status == 200) }
    #expect(try await studio.content() == before)
  }

  @Test(arguments: [
    (#"[1]"#, "an array of 1 is not valid"),
    (#"{"type":"int","value":"x"}"#, "is of type int: 'x' is not valid"),
    (#"{"type":"cat","value":1}"#, "cannot hold a value of type 'cat'"),
    (#"{"type":"dictionary","value":{"a.b":1}}"#, "must not contain '.'"),
    (#"{"type":"object","value":{"class":"Person","row":99}}"#, "row 99, which does not exist"),
    (#"{"type":"object","value":{"class":"Cat","row":0}}"#, "class 'Cat', which the file does not have"),
    (#"{"type":"int","value":null}"#, "cannot hold a value of type 'int'"),
  ]) func wrongMixedValuesAreNamed(_ value: String, _ message: String) async throws {
    let row = try await studio.makeEverything()
    let answer = try await studio.batch(set(row, try await studio.property("any"), value))
    #expect(answer.status == 422 && answer.message.contains(message), "\(answer.text)")
  }

  @Test func listsInsideMixedValuesChange() async throws {
    let row = try await studio.makeEverything()
    let any = try await studio.property("any")
    try await studio.batch(
      set(row, any, #"{"type":"list","value":[1,{"type":"dictionary","value":{"a":2}}]}"#))
    func operation(_ more: String) -> String {
      "{\"class\":\"Everything\",\"row\":\(row),\"property\":\(any),\(more)}"
    }
    let before = try await studio.content()
    let changed = try await studio.batch(
      [
        #""op":"put","path":[1],"key":"b","value":{"type":"list","value":[3,[4]]}"#,
        #""op":"put","path":[1],"key":"b","value":{"type":"list","value":[3,{"type":"list","value":[4]}]}"#,
      ].map(operation)[1] + ","
        + [
          #""op":"replace","at":0,"value":{"type":"list","value":[5]},"expected":{"type":"int","value":1}"#,
          #""op":"insert","path":[0],"at":1,"value":"x""#,
          #""op":"removeKey","path":[1],"key":"a","expected":{"type":"int","value":2}"#,
          #""op":"insert","path":[1,"b",1],"at":0,"value":true"#,
        ].map(operation).joined(separator: ","))
    #expect(changed.status == 200, "\(changed.text)")
    #expect(try await studio.value(row, "any") == #"[[5,"x"],{"b":[3,[true,4]]}]"#)
    let missing = try await studio.batch(operation(#""op":"remove","path":[7],"at":0"#))
    #expect(missing.status == 422, "\(missing.text)")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
  }

  @Test func linksLeadToObjectsOfTheirClassOnly() async throws {
    let person = try await studio.makePeople(1)[0]
    let row = try await studio.makeEverything()
    let link = try await studio.property("person")
    let linked = "{\"class\":\"Person\",\"row\":\(person)}"
    #expect(try await studio.batch(set(row, link, linked, "null")).status == 200)
    #expect(try await studio.value(row, "person") == "1")
    let cell = "{\"class\":\"Person\",\"row\":\(person),\"label\":\"renamed meanwhile\"}"
    #expect(try await studio.batch(set(row, link, "null", cell)).status == 200)
    for (value, message) in [
      (
        "{\"class\":\"Everything\",\"row\":\(row)}",
        "links to objects of class 'Person', and not of 'Everything'"
      ),
      ("{\"class\":\"Person\",\"row\":77}", "row 77, which does not exist"),
      ("{\"class\":\"Person\",\"row\":-5}", "row -5, which does not exist"),
      ("7", "links to objects of class"),
      ("{\"class\":\"Dog\",\"row\":0}", "which the file does not have"),
    ] {
      let answer = try await studio.batch(set(row, link, value))
      #expect(answer.status == 422 && answer.message.contains(message), "\(answer.text)")
    }
    try await studio.batch("{\"op\":\"delete\",\"class\":\"Person\",\"row\":\(person)}")
    let gone = try await studio.batch("{\"op\":\"delete\",\"class\":\"Person\",\"row\":\(person)}")
    #expect(gone.status == 409 && gone.conflicts.first?["gone"] as? Bool == true, "\(gone.text)")
    #expect(try await studio.batch(set(row, link, linked)).status == 422)
  }

  @Test func embeddedObjectsAreEditedInPlace() async throws {
    let row = try await studio.makeEverything()
    let (address, street) = (
      try await studio.property("address"), try await studio.property("street", of: "Address")
    )
    let made = try await studio.batch(
      "{\"op\":\"embed\",\"class\":\"Everything\",\"row\":\(row),\"property\":\(address),\"values\":[[\(street),\"A\"]]}"
    )
    #expect(made.status == 200, "\(made.text)")
    let edit = """
      {"op":"set","class":"Address","row":\(made.row()),"property":\(street),"value":"B","expected":"A"}
      """
    #expect(try await studio.batch(edit).status == 200)
    #expect(try await studio.value(row, "address").contains(#""street":"B""#))
    // Replaced, and back.
    let replaced = try await studio.batch(
      "{\"op\":\"embed\",\"class\":\"Everything\",\"row\":\(row),\"property\":\(address)}")
    #expect(replaced.status == 200)
    #expect(try await studio.count("Address") == 1)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, "address").contains(#""street":"B""#))
    // The step before follows the object to its new row.
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, "address").contains(#""street":"A""#))
    #expect(try await studio.batch(set(row, address, "null")).status == 200)
    #expect(try await studio.count("Address") == 0)
    let link = try await studio.batch(set(row, address, "{\"class\":\"Address\",\"row\":0}"))
    #expect(link.status == 422, "\(link.text)")
    let free = try await studio.batch("{\"op\":\"create\",\"class\":\"Address\"}")
    #expect(free.status == 422 && free.message == "Embedded objects cannot be created directly")
    let plain = try await studio.batch(
      "{\"op\":\"embed\",\"class\":\"Everything\",\"row\":\(row),\"property\":\(try await studio.property("person"))}"
    )
    #expect(plain.status == 422 && plain.message.contains("is not embedded"), "\(plain.text)")
  }

  @Test func longTextsAreComparedByTheirChecksums() async throws {
    let row = try await studio.makeEverything()
    let property = try await studio.property("string")
    let text = String(repeating: "é", count: 10_000)
    try await studio.batch(set(row, property, "\"\(text)\""))
    let refused = try await studio.batch(set(row, property, "\"\"", "\"\""))
    let current = try #require(refused.conflicts.first?["current"] as? [String: Any])
    let cell = String(decoding: try JSONSerialization.data(withJSONObject: current), as: UTF8.self)
    #expect(refused.status == 409 && current["length"] as? Int == 10_000)
    // A change behind the beginning that the page has.
    #expect(
      try RealmProgram.run("set", studio.path, "Everything", "a", "string=\(text.dropLast())ê").status == 0)
    #expect(try await studio.batch(set(row, property, "\"\"", cell)).status == 409)
    #expect(try RealmProgram.run("set", studio.path, "Everything", "a", "string=\(text)").status == 0)
    #expect(try await studio.batch(set(row, property, "\"\"", cell)).status == 200)
  }

  @Test func valuesOf16MegabytesAreTheLimit() async throws {
    let row = try await studio.makeEverything()
    let property = try await studio.property("string")
    let text = String(repeating: "x", count: PageValue.sizeLimit)
    #expect(try await studio.batch(set(row, property, "\"\(text)\"")).status == 200)
    let answer = try await studio.batch(set(row, property, "\"\(text)\(text)\""))
    #expect(
      answer.status == 422 && answer.message.contains("the limit is 16777216 bytes"), "\(answer.message)")
  }

  @Test func deepValuesAreRefused() async throws {
    let row = try await studio.makeEverything()
    let any = try await studio.property("any")
    func nested(_ depth: Int) -> String {
      String(repeating: "{\"type\":\"list\",\"value\":[", count: depth)
        + String(repeating: "]}", count: depth)
    }
    #expect(try await studio.batch(set(row, any, nested(1_000))).status == 200)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.redo().status == 200)
    let deep = try await studio.batch(set(row, any, nested(1_001)))
    #expect(deep.status == 422 && deep.message.contains("at most 1000 deep"), "\(deep.message)")
    #expect(try await studio.batch(set(row, any, nested(100_000))).status == 400)
  }

  // MARK: Keys and rules

  @Test func primaryKeysNeverChange() async throws {
    let row = try await studio.makeEverything()
    let key = try await studio.property("key")
    let answer = try await studio.batch(set(row, key, "\"b\""))
    #expect(answer.status == 422 && answer.json["property"] as? Int == key)
    #expect(answer.message == "Primary key can't be changed after an object is inserted.")
    let again = try await studio.batch(
      "{\"op\":\"create\",\"class\":\"Everything\",\"values\":[[\(key),\"a\"]]}")
    #expect(again.status == 422 && again.message.contains("existing primary key value"), "\(again.text)")
    let required = try await studio.property("int")
    let null = try await studio.batch(
      "{\"op\":\"create\",\"class\":\"Everything\",\"values\":[[\(key),\"n\"],[\(required),null]]}")
    #expect(null.status == 422 && null.json["property"] as? Int == required, "\(null.text)")
    let missing = try await studio.batch("{\"op\":\"create\",\"class\":\"Everything\"}")
    #expect(
      missing.status == 422 && missing.message.contains("Missing value for property"), "\(missing.text)")
  }

  @Test func rulesOfTheFileHold() async throws {
    let people = try await studio.makePeople(2)
    let email = try await studio.property("email", of: "Person")
    func set(_ row: Int, _ value: String) -> String {
      "{\"op\":\"set\",\"class\":\"Person\",\"row\":\(row),\"property\":\(email),\"value\":\(value)}"
    }
    #expect(try await studio.batch(set(people[0], "\"a\"") + "," + set(people[1], "\"b\"")).status == 200)
    // Two objects may exchange their values, and not have the same one.
    #expect(try await studio.batch(set(people[0], "\"b\"") + "," + set(people[1], "\"a\"")).status == 200)
    let before = try await studio.content()
    let same = try await studio.batch(set(people[0], "\"a\""))
    #expect(
      same.status == 422 && same.message.contains("Only one object of class 'Person' can have"),
      "\(same.text)")
    #expect(try await studio.content() == before)
    // The file numbers what it numbers for programs.
    let title = try await studio.property("title", of: "Ticket")
    let number = try await studio.property("number", of: "Ticket")
    let ticket =
      "{\"op\":\"create\",\"class\":\"Ticket\",\"values\":[[\(number),null],[\(title),\"t\"]]}"
    try await studio.batch(ticket + "," + ticket)
    #expect(try RealmProgram.run("create", studio.path, "Ticket", "title=u").output == "3\n")
    // Undone numbers are not given again.
    try await studio.batch(ticket)
    try await studio.undo()
    #expect(try RealmProgram.run("create", studio.path, "Ticket", "title=v").output == "5\n")
    // Keys of several properties, and rules over several properties.
    let order = try await studio.properties(of: "Order")
    func create(_ number: Int, _ seat: String) -> String {
      """
      {"op":"create","class":"Order","values":[[\(order["customer"]!),"c"],[\(order["number"]!),\(number)],\
      [\(order["hall"]!),1],[\(order["seat"]!),\(seat)]]}
      """
    }
    #expect(try await studio.batch(create(1, "7")).status == 200)
    let key = try await studio.batch(create(1, "8"))
    #expect(key.status == 422 && key.message.contains("existing primary key value"), "\(key.text)")
    let seat = try await studio.batch(create(2, "7"))
    #expect(seat.status == 422 && seat.message.contains("'hall' 1, 'seat' 7"), "\(seat.text)")
    #expect(try await studio.batch(create(2, "null") + "," + create(3, "null")).status == 200)
    #expect(try studio.faults() == "")
  }

  @Test func aValueThatAnotherProcessHasChangedIsNotOverwritten() async throws {
    let row = try await studio.makePeople(1)[0]
    let name = try await studio.property("name", of: "Person")
    #expect(try RealmProgram.run("set", studio.path, "Person", "1", "name=theirs").status == 0)
    let answer = try await studio.batch(
      "{\"op\":\"set\",\"class\":\"Person\",\"row\":\(row),\"property\":\(name),\"value\":\"mine\",\"expected\":\"P1\"}"
    )
    #expect(answer.status == 409)
    #expect(answer.conflicts.first?["current"] as? String == "theirs")
    #expect(answer.conflicts.first?["expected"] as? String == "P1")
    #expect(try await studio.value(row, "name", of: "Person") == "\"theirs\"")
  }

  @Test func encryptedFilesAreWritten() async throws {
    let studio = try WritableStudio(key: Array(repeating: 7, count: 64))
    let row = try await studio.makePeople(1)[0]
    let before = try await studio.content()
    try await studio.batch("{\"op\":\"delete\",\"class\":\"Person\",\"row\":\(row)}")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
  }
}
