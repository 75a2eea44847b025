import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// One value of a type: as the page sends it, as the server shows it in a cell, and as an export has it.
struct SampleValue: Sendable, CustomTestStringConvertible {
  let type: String
  let sent: String
  let cell: String
  let exported: String
  /// A value that is not valid, and a part of the message that says what is.
  let invalid: String
  let hint: String

  var testDescription: String { type }

  static let all = [
    SampleValue(
      type: "int", sent: "\"5\"", cell: "5", exported: "5", invalid: "\"5x\"",
      hint: "'5x' is not valid. An integer"),
    SampleValue(
      type: "bool", sent: "true", cell: "true", exported: "true", invalid: "\"perhaps\"",
      hint: "true or false"),
    SampleValue(
      type: "string", sent: "\"ä\"", cell: "\"ä\"", exported: "\"ä\"", invalid: "7",
      hint: "is of type string: 7"),
    SampleValue(
      type: "data", sent: "{\"base64\":\"AQI=\"}",
      cell: "{\"bytes\":2,\"start\":\"0102\",\"hash\":\"\(ContentHash.text(of: [1, 2]))\"}",
      exported: "\"AQI=\"", invalid: "\"#\"", hint: "base64"),
    SampleValue(
      type: "date", sent: "\"2024-05-17T08:30:00.123Z\"", cell: "\"2024-05-17T08:30:00.123Z\"",
      exported: "\"2024-05-17T08:30:00.123Z\"", invalid: "\"yesterday\"", hint: "A date looks like"),
    SampleValue(
      type: "float", sent: "\"0.5\"", cell: "0.5", exported: "0.5", invalid: "\"1e99\"", hint: "too large"),
    SampleValue(
      type: "double", sent: "\"-inf\"", cell: "\"-inf\"", exported: "\"-inf\"", invalid: "\"x\"",
      hint: "A number looks like"),
    SampleValue(
      type: "objectId", sent: "\"0123456789abcdef01234567\"", cell: "\"0123456789abcdef01234567\"",
      exported: "\"0123456789abcdef01234567\"", invalid: "\"01\"", hint: "24 hexadecimal"),
    SampleValue(
      type: "decimal128", sent: "\"12.50\"", cell: "\"12.5\"", exported: "\"12.5\"", invalid: "\"1,5\"",
      hint: "34 digits"),
    SampleValue(
      type: "uuid", sent: "\"4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B\"",
      cell: "\"4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3b\"", exported: "\"4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3b\"",
      invalid: "\"4e1c\"", hint: "A UUID looks like"),
  ]
}

/// Operations on properties of every type.
struct BatchTests {
  private let studio: WritableStudio

  init() throws { studio = try WritableStudio() }

  private func operation(_ op: String, _ row: Int, _ property: Int, _ more: String = "") -> String {
    "{\"op\":\"\(op)\",\"class\":\"Everything\",\"row\":\(row),\"property\":\(property)\(more)}"
  }

  @Test(arguments: SampleValue.all, ["", "Optional"])
  func setWritesTheValue(_ sample: SampleValue, _ suffix: String) async throws {
    let row = try await studio.makeEverything()
    let name = sample.type + suffix
    let property = try await studio.property(name)
    let before = try await studio.value(row, name)
    let written = try await studio.batch(operation("set", row, property, ",\"value\":\(sample.sent)"))
    #expect(written.status == 200, "\(written.text)")
    #expect(try await studio.value(row, name) == sample.exported)
    // The cell as the server gives it is accepted as the expected one, and another one is not.
    let again = operation("set", row, property, ",\"value\":\(sample.sent),\"expected\":\(sample.cell)")
    #expect(try await studio.batch(again).status == 200)
    let other = try await studio.batch(
      operation("set", row, property, ",\"value\":\(sample.sent),\"expected\":\"other\""))
    #expect(other.status == 409 && other.conflicts.first?["operation"] as? Int == 0, "\(other.text)")
    #expect(other.text.contains("\"current\":\(sample.cell),\"expected\":\"other\""), "\(other.text)")
    // The first transaction changed something, the second one did not.
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, name) == before)
    #expect(try await studio.redo().status == 200)
    #expect(try await studio.value(row, name) == sample.exported)
  }

  @Test(arguments: SampleValue.all) func nullIsForOptionalProperties(_ sample: SampleValue) async throws {
    let row = try await studio.makeEverything()
    let optional = try await studio.property(sample.type + "Optional")
    try await studio.batch(operation("set", row, optional, ",\"value\":\(sample.sent)"))
    let cleared = operation("set", row, optional, ",\"value\":null,\"expected\":\(sample.cell)")
    #expect(try await studio.batch(cleared).status == 200)
    #expect(try await studio.value(row, sample.type + "Optional") == "null")
    let required = try await studio.property(sample.type)
    let refused = try await studio.batch(operation("set", row, required, ",\"value\":null"))
    #expect(refused.status == 422 && refused.json["property"] as? Int == required, "\(refused.text)")
    #expect(refused.message == "Property 'Everything.\(sample.type)' does not accept null.")
  }

  @Test(arguments: SampleValue.all, ["", "Optional"])
  func invalidValuesAreNamed(_ sample: SampleValue, _ suffix: String) async throws {
    let row = try await studio.makeEverything()
    let property = try await studio.property(sample.type + suffix)
    let before = try await studio.content()
    let valid = operation("set", row, property, ",\"value\":\(sample.sent)")
    let answer = try await studio.batch(
      valid + "," + operation("set", row, property, ",\"value\":\(sample.invalid)"))
    #expect(answer.status == 422 && answer.json["operation"] as? Int == 1, "\(answer.text)")
    #expect(answer.json["property"] as? Int == property)
    #expect(answer.message.hasPrefix("Property '\(sample.type + suffix)' of class 'Everything' is of type"))
    #expect(answer.message.contains(sample.hint), "\(answer.message)")
    // All or nothing.
    #expect(try await studio.content() == before)
  }

  @Test(arguments: SampleValue.all) func listsChange(_ sample: SampleValue) async throws {
    let row = try await studio.makeEverything()
    let name = sample.type + "List"
    let list = try await studio.property(name)
    let empty = try await studio.content()
    let insert = operation("insert", row, list, ",\"at\":0,\"value\":\(sample.sent)")
    let answer = try await studio.batch([insert, insert, insert].joined(separator: ","))
    #expect(answer.status == 200, "\(answer.text)")
    let one = sample.exported
    #expect(try await studio.value(row, name) == "[\(one),\(one),\(one)]")
    let wrong = try await studio.batch(operation("remove", row, list, ",\"at\":1,\"expected\":\"other\""))
    #expect(wrong.status == 409)
    let right = operation("remove", row, list, ",\"at\":1,\"expected\":\(sample.cell)")
    #expect(try await studio.batch(right).status == 200)
    let beyond = try await studio.batch(operation("replace", row, list, ",\"at\":2,\"value\":\(sample.sent)"))
    #expect(beyond.status == 422 && beyond.message.contains("out of bounds"), "\(beyond.text)")
    let moved = operation("move", row, list, ",\"from\":0,\"to\":1,\"expected\":\(sample.cell)")
    #expect(try await studio.batch(moved).status == 200)
    #expect(try await studio.value(row, name) == "[\(one),\(one)]")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, name) == "[\(one),\(one),\(one)]")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == empty)
    let null = try await studio.batch(operation("insert", row, list, ",\"at\":0,\"value\":null"))
    #expect(null.status == 422 && null.message.contains("does not accept null"), "\(null.text)")
  }

  @Test(arguments: SampleValue.all) func setsChange(_ sample: SampleValue) async throws {
    let row = try await studio.makeEverything()
    let name = sample.type + "Set"
    let set = try await studio.property(name)
    let add = operation("add", row, set, ",\"value\":\(sample.sent)")
    #expect(try await studio.batch(add + "," + add).status == 200)
    #expect(try await studio.value(row, name) == "[\(sample.exported)]")
    let discard = operation("discard", row, set, ",\"value\":\(sample.sent)")
    #expect(try await studio.batch(discard).status == 200)
    #expect(try await studio.value(row, name) == "[]")
    #expect(try await studio.batch(discard).status == 409)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, name) == "[\(sample.exported)]")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, name) == "[]")
  }

  @Test(arguments: SampleValue.all) func mapsChange(_ sample: SampleValue) async throws {
    let row = try await studio.makeEverything()
    let name = sample.type + "Map"
    let map = try await studio.property(name)
    let put = operation("put", row, map, ",\"key\":\"k\",\"value\":\(sample.sent),\"expected\":null")
    #expect(try await studio.batch(put).status == 200)
    #expect(try await studio.value(row, name) == "{\"k\":\(sample.exported)}")
    #expect(try await studio.batch(put).status == 409)
    let null = operation("put", row, map, ",\"key\":\"k\",\"value\":null,\"expected\":\(sample.cell)")
    #expect(try await studio.batch(null).status == 200)
    #expect(try await studio.value(row, name) == "{\"k\":null}")
    let remove = operation("removeKey", row, map, ",\"key\":\"k\"")
    #expect(try await studio.batch(remove).status == 200)
    let again = try await studio.batch(remove)
    #expect(again.status == 422 && again.message.contains("has no key 'k'"), "\(again.text)")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, name) == "{\"k\":null}")
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, name) == "{\"k\":\(sample.exported)}")
    let bad = try await studio.batch(
      operation("put", row, map, ",\"key\":\"a.b\",\"value\":\(sample.sent)"))
    #expect(bad.status == 422 && bad.message.contains("must not contain '.'"), "\(bad.text)")
  }

  @Test func collectionsAreNotSetAsOne() async throws {
    let row = try await studio.makeEverything()
    let answer = try await studio.batch(
      operation("set", row, try await studio.property("intList"), ",\"value\":5"))
    #expect(answer.status == 422 && answer.message.contains("one by one"))
  }

  @Test(arguments: [
    ("{}", "'op' is one of"), ("{\"op\":\"set\"}", "no 'class'"),
    ("{\"op\":\"set\",\"class\":\"Everything\"}", "has no number 'row'"),
    ("{\"op\":\"grow\",\"class\":\"Everything\"}", "'op' is one of"),
  ]) func malformedOperationsAre400(_ operation: String, _ message: String) async throws {
    let answer = try await studio.batch(operation)
    #expect(answer.status == 400 && answer.message.contains(message), "\(answer.text)")
    #expect(answer.json["operation"] as? Int == 0)
  }

  @Test func whatTheFileDoesNotHaveIsNamed() async throws {
    let row = try await studio.makeEverything()
    let noClass = try await studio.batch("{\"op\":\"create\",\"class\":\"Cat\"}")
    #expect(noClass.status == 422 && noClass.message == "The file has no class 'Cat'.")
    let noProperty = try await studio.batch(operation("set", row, 999, ",\"value\":1"))
    #expect(noProperty.status == 422 && noProperty.message.contains("no property with the number 999"))
    let noRow = try await studio.batch(operation("set", 12_345, 1, ",\"value\":1"))
    #expect(noRow.status == 422 && noRow.message.contains("no object in row 12345"))
    #expect(try await studio.send(.post, "batch", "no JSON").status == 400)
  }
}
