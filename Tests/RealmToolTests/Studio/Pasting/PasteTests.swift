import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// Texts from spreadsheets, CSV and JSON become objects, or new values of objects.
struct PasteTests {
  private let studio: WritableStudio

  init() throws { studio = try WritableStudio() }

  private func body(_ text: String, _ more: String) -> String {
    var bytes = Array("{\"text\":".utf8)
    bytes.appendJSON(text)
    return String(decoding: bytes, as: UTF8.self) + "," + more + "}"
  }

  private func titles(_ answer: WritableStudio.Answer) -> [String] {
    (answer.json["columns"] as? [[String: Any]] ?? []).map {
      "\($0["title"] ?? ""):\($0["property"] as? Int ?? -1)"
    }
  }

  // MARK: Formats

  @Test func fieldsInQuotesAreReadAsSpreadsheetsCopyThem() throws {
    let text = "a\tb\tc\r\n\"x\"\"y\nz\"\t\"open\t\r\n\"half\" x\t\t\"\"\n"
    let pasted = try PastedText(text, nil)
    #expect(pasted.format == .tsv)
    #expect(
      pasted.rows == [
        [.field("a"), .field("b"), .field("c")], [.field("x\"y\nz"), .field("\"open"), .null],
        [.field("\"half\" x"), .null, .field("")],
      ])
    #expect(try PastedText("\u{FEFF}a\t", nil).rows == [[.field("a"), .null]])
    #expect(try PastedText("", nil).rows.isEmpty)
  }

  @Test(arguments: [
    ("a\tb", "tsv"), ("a,b", "tsv"), ("a,b\n1,2", "csv"), ("a;b\n1,5;2", "csv"), ("a,b\n1", "tsv"),
    ("[{\"a\":1}]", "json"), (" {\"a\":1}", "json"), ("{\"a\":1}\n{\"b\":2}", "jsonl"), ("[x]", "tsv"),
    ("[]", "json"),
    ("\"a,b\"\n\"c,d\"", "tsv"),
  ]) func formatsAreRecognised(_ text: String, _ format: String) throws {
    #expect(try PastedText(text, nil).format.rawValue == format)
  }

  @Test(arguments: ["[{\"a\":1}", "{\"a\":}", "[{\"a\":1},5]"]) func wrongJSONIsRefused(
    _ text: String
  ) async throws {
    let answer = try await studio.send(.post, "paste/preview", body(text, "\"class\":\"Person\""))
    #expect(answer.status == 422 && answer.message.hasPrefix("Line 1: "), "\(answer.text)")
  }

  // MARK: New objects

  @Test func rowsBecomeObjects() async throws {
    let people = try await studio.properties(of: "Person")
    let text = "ID\tname\tfriend\tnote\n1\tJo, \"J\"\t\tx\n2\tJim\t1\t\n"
    // The second row links to the first one.
    let preview = try await studio.send(.post, "paste/preview", body(text, "\"class\":\"Person\""))
    #expect(preview.status == 200, "\(preview.text)")
    #expect(
      titles(preview) == [
        "ID:\(people["id"]!)", "name:\(people["name"]!)", "friend:\(people["friend"]!)", "note:-1",
      ])
    #expect(preview.json["format"] as? String == "tsv" && preview.json["header"] as? Bool == true)
    #expect(preview.json["errors"] as? Int == 0 && preview.json["count"] as? Int == 2)
    #expect(preview.text.contains(#"[1,"Jo, \"J\"",null,"x"]"#), "\(preview.text)")
    let wrong = text.replacingOccurrences(of: "\t1\t", with: "\t7\t")
    let faulty = try await studio.send(.post, "paste/preview", body(wrong, "\"class\":\"Person\""))
    #expect(faulty.json["errors"] as? Int == 1, "\(faulty.text)")
    #expect(faulty.text.contains(#"{"error":"There is no Person '7'.","text":"7"}"#), "\(faulty.text)")
    let refused = try await studio.send(.post, "paste", body(wrong, "\"class\":\"Person\""))
    #expect(refused.status == 422 && refused.json["operation"] as? Int == 1, "\(refused.text)")
    #expect(refused.json["property"] as? Int == people["friend"])
    #expect(try await studio.count("Person") == 0)
    let columns =
      "\"class\":\"Person\",\"columns\":[\(people["id"]!),\(people["name"]!),null,\(people["about"]!)]"
    let pasted = try await studio.send(.post, "paste", body(text, columns))
    #expect(pasted.status == 200 && (pasted.json["created"] as? [Any])?.count == 2, "\(pasted.text)")
    #expect(try await studio.value(pasted.row(0), "about", of: "Person") == "\"x\"")
    #expect(try await studio.value(pasted.row(1), "about", of: "Person") == "null")
    // Now the key exists, which the preview finds out by trying.
    let again = try await studio.send(.post, "paste/preview", body(text, "\"class\":\"Person\""))
    #expect(again.json["errors"] as? Int == 0)
    let problem = again.json["problem"] as? [String: Any]
    #expect(problem?["row"] as? Int == 0 && "\(problem?["message"] ?? "")".contains("existing primary key"))
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.count("Person") == 0)
  }

  @Test func jsonBecomesObjectsWithEverythingInThem() async throws {
    _ = try await studio.makePeople(2)
    let text = #"""
      [{"key":"j","int":7,"stringList":["a","b"],"intMap":{"k":1,"n":null},"uuidSet":[],"person":2,"people":[1,2],
        "address":{"street":"S","tenant":1,"inner":{"number":4}},"addresses":[{"street":"T"}],"places":{"p":{"street":"U"}},
        "any":[1,{"$class":"Person","$key":2}],"anyMap":{"d":{"$date":"2024-05-17T08:30:00Z"}},"date":"2024-05-17"},
       {"key":"k","string":"only"}]
      """#
    let before = try await studio.content()
    let preview = try await studio.send(.post, "paste/preview", body(text, "\"class\":\"Everything\""))
    #expect(preview.json["errors"] as? Int == 0 && preview.json["problem"] is NSNull, "\(preview.text)")
    #expect(preview.json["format"] as? String == "json")
    let pasted = try await studio.send(.post, "paste", body(text, "\"class\":\"Everything\""))
    #expect(pasted.status == 200, "\(pasted.text)")
    let row = pasted.row()
    #expect(try await studio.value(row, "intMap") == #"{"k":1,"n":null}"#)
    #expect(try await studio.value(row, "people") == "[1,2]")
    #expect(try await studio.value(row, "address") == #"{"street":"S","tenant":1,"inner":{"number":4}}"#)
    #expect(try await studio.value(row, "any") == #"[1,{"$class":"Person","$key":2}]"#)
    #expect(try await studio.value(row, "places").contains(#""street":"U""#))
    let after = try await studio.content()
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
    #expect(try await studio.redo().status == 200)
    #expect(try await studio.content() == after)
    #expect(try studio.faults() == "")
  }

  @Test func csvNeedsItsTitlesOrTheColumns() async throws {
    let people = try await studio.properties(of: "Person")
    let text = "1,a\n2,b"
    let pasted = try await studio.send(
      .post, "paste", body(text, "\"class\":\"Person\",\"columns\":[\(people["id"]!),\(people["name"]!)]"))
    #expect(pasted.status == 200, "\(pasted.text)")
    #expect(try await studio.count("Person") == 2)
    let titled = try await studio.send(.post, "paste", body("name;id\nc;3", "\"class\":\"Person\""))
    #expect(titled.status == 200, "\(titled.text)")
    #expect(try await studio.value(titled.row(), "name", of: "Person") == "\"c\"")
    for (columns, status) in [("[0]", 400), ("[0,0]", 422), ("[0,99]", 422), ("5", 400)] {
      let answer = try await studio.send(
        .post, "paste", body(text, "\"class\":\"Person\",\"columns\":\(columns)"))
      #expect(answer.status == status, "\(answer.text)")
    }
    #expect(try await studio.send(.post, "paste", body(text, "\"class\":\"Address\"")).status == 422)
    #expect(try await studio.send(.post, "paste", "{\"text\":\"a\"}").status == 400)
  }

  // MARK: Blocks

  @Test func aBlockReplacesValues() async throws {
    let rows = try await studio.makePeople(3)
    let (name, friend) = (
      try await studio.property("name", of: "Person"), try await studio.property("friend", of: "Person")
    )
    let before = try await studio.content()
    let text = "a\tx@y\tlong words\t2\n\t\t\t"
    let place = "\"class\":\"Person\",\"rows\":[\(rows[0]),\(rows[2])],\"property\":\(name)"
    let preview = try await studio.send(.post, "paste/preview", body(text, place))
    #expect(
      preview.json["errors"] as? Int == 0 && preview.json["header"] as? Bool == false, "\(preview.text)")
    let target = try #require(preview.json["target"] as? String)
    // Another process changes a value after the preview.
    #expect(try RealmProgram.run("set", studio.path, "Person", "3", "name=theirs").status == 0)
    let late = try await studio.send(.post, "paste", body(text, place + ",\"target\":\"\(target)\""))
    #expect(late.status == 409, "\(late.text)")
    #expect(try RealmProgram.run("set", studio.path, "Person", "3", "name=P3").status == 0)
    let pasted = try await studio.send(.post, "paste", body(text, place + ",\"target\":\"\(target)\""))
    #expect(pasted.status == 200, "\(pasted.text)")
    #expect(try await studio.value(rows[0], "friend", of: "Person") == "2")
    #expect(try await studio.value(rows[2], "name", of: "Person") == "\"\"")
    #expect(try await studio.value(rows[2], "email", of: "Person") == "null")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
    let wide = try await studio.send(
      .post, "paste", body("a\tb", "\"class\":\"Person\",\"rows\":[\(rows[0])],\"property\":\(friend)"))
    #expect(wide.status == 422 && wide.message.contains("only 1 to paste it on"), "\(wide.text)")
    let long = try await studio.send(
      .post, "paste", body("a\nb", "\"class\":\"Person\",\"rows\":[\(rows[0])],\"property\":\(name)"))
    #expect(long.status == 422 && long.message.contains("The text has 2 rows"), "\(long.text)")
    let key = try await studio.property("id", of: "Person")
    let keys = try await studio.send(
      .post, "paste", body("9", "\"class\":\"Person\",\"rows\":[\(rows[0])],\"property\":\(key)"))
    #expect(keys.status == 422 && keys.message.contains("primary key, which never changes"), "\(keys.text)")
  }

  @Test func aBlockIsPastedOnAView() async throws {
    let rows = try await studio.makePeople(4)
    let name = try await studio.property("name", of: "Person")
    let number = try await studio.session.runOnQueue { file in
      let query = StudioQuery(
        className: "Person", filter: "id != 2", sort: [.init(keyPath: "id", isAscending: false)])
      return try file.views.view(for: query, isSlow: false).number
    }
    let place = "\"view\":\(number),\"position\":1,\"property\":\(name)"
    let pasted = try await studio.send(.post, "paste", body("x\ny\n", place))
    #expect(pasted.status == 200, "\(pasted.text)")
    var names: [String] = []
    for row in rows { names.append(try await studio.value(row, "name", of: "Person")) }
    #expect(names == ["\"y\"", "\"P2\"", "\"x\"", "\"P4\""])
    let long = try await studio.send(.post, "paste/preview", body("x\ny\nz", place))
    #expect(long.status == 422, "\(long.text)")
    let gone = try await studio.send(
      .post, "paste", body("x", "\"view\":99999999,\"position\":0,\"property\":\(name)"))
    #expect(gone.status == 404, "\(gone.text)")
  }

  /// The acceptance list has a block of 3 × 100 cells.
  @Test func aLargeBlockIsOneTransaction() async throws {
    let rows = try await studio.makePeople(100)
    let name = try await studio.property("name", of: "Person")
    let before = try await studio.content()
    let text = (0..<100).map { "n\($0)\te\($0)\tw\($0)" }.joined(separator: "\n")
    let place =
      "\"class\":\"Person\",\"rows\":[\(rows.map { "\($0)" }.joined(separator: ","))],\"property\":\(name)"
    let pasted = try await studio.send(.post, "paste", body(text, place))
    #expect(pasted.status == 200, "\(pasted.text)")
    #expect(try await studio.value(rows[99], "about", of: "Person") == "\"w99\"")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
  }
}
