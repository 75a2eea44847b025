import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct StudioCellTests {
  private static let key = [UInt8](0..<64)

  /// A file with one object of everything, and one of nothing.
  private func file(_ folder: ScratchFolder, key: [UInt8]?) throws -> String {
    let path = folder.path("everything.realm")
    let realm = try StudioFiles.open(path, key: key)
    try realm.write {
      realm.create(StudioAnything.self, value: ["id": 0])
      let full = realm.create(StudioAnything.self, value: ["id": 1])
      let other = realm.create(StudioOther.self, value: ["name": String(repeating: "ä", count: 70)])
      other.next = other
      full.flag = false
      full.small = 1.5
      full.large = -.infinity
      full.text = String(repeating: "👩‍🚀", count: 100)
      full.bytes = Data((0..<20).map { UInt8($0) })
      full.moment = Date(timeIntervalSince1970: 1_715_934_600.125)
      full.identifier = try ObjectId(string: "0123456789abcdef01234567")
      full.unique = UUID(uuidString: "4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B")
      full.amount = try Decimal128(string: "12.5")
      full.any = .object(other)
      full.other = other
      full.place = StudioPart(value: ["street": "a\"\\\n\u{1}</script>", "inner": ["floor": 3]])
      full.numbers.append(objectsIn: [1, 2, 3])
      full.others.append(other)
      full.words.insert("x")
      full.scores["a b"] = nil as Double?
      full.scores["c"] = .nan
      full.anything.append(.none)
      full.anything.append(.int(1 << 60))
      full.anything.append(
        .fromArray([.fromDictionary(["k": .string("v"), "l": .fromArray([.bool(true)])])]))
      full.number = .max
    }
    return path
  }

  @Test(arguments: [false, true]) func everyTypeHasItsCell(isEncrypted: Bool) async throws {
    let folder = ScratchFolder()
    let key = isEncrypted ? Self.key : nil
    let reader = try StudioReader(try file(folder, key: key), key: key)
    let view = try await reader.view("StudioAnything")
    let rows = try await reader.rows(view)["rows"]
    #expect(
      rows[0]
        == (try JSON(
          """
          [0,0,null,null,null,null,null,null,null,null,null,null,null,null,
          {"count":0},{"count":0},{"count":0},{"count":0},{"count":0},null]
          """)))
    let row = rows[1].array
    let label = String(repeating: "ä", count: 60)
    let name = StudioFiles.otherName
    #expect(row[2] == (try JSON("false")))
    #expect(row[3] == (try JSON("1.5")))
    #expect(row[4].text == "-inf")
    #expect(row[5]["length"].int == 300 && row[5]["hash"].text.count == 16)
    #expect(row[5]["text"].text.unicodeScalars.count == 200)
    #expect(row[6]["bytes"].int == 20 && row[6]["start"].text == "000102030405060708090a0b0c0d0e0f")
    #expect(row[7].text == "2024-05-17T08:30:00.125Z")
    #expect(row[8].text == "0123456789abcdef01234567")
    #expect(row[9].text == "4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3b")
    #expect(row[10].text == "12.5")
    #expect(row[11]["type"].text == "object" && row[11]["value"]["label"].text == label)
    #expect(row[12]["class"].text == name && row[12]["row"].int == 0 && row[12]["label"].text == label)
    #expect(row[13]["embedded"] == (try JSON("true")) && row[13]["label"].text == "a\"\\\n\u{1}</script>")
    #expect(row[14]["count"].int == 3 && row[18]["count"].int == 3)
    #expect(row[19].text == "9223372036854775807")
  }

  @Test func objectsAreReadAsAWhole() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try file(folder, key: nil))
    let object = try await reader.get("object", "StudioAnything", "1")
    #expect(object["label"].text == "1" && object["embeddedIn"].isNull && object["row"].int == 1)
    #expect(object["cells"][4] == (try JSON("[4,\"\(String(repeating: "👩‍🚀", count: 100))\"]")))
    let part = try await reader.get("object", "StudioPart", "0")
    #expect(part["embeddedIn"]["class"].text == "StudioAnything" && part["embeddedIn"]["row"].int == 1)
    #expect(part["cells"][1][1]["class"].text == "StudioInnerPart")
    let inner = try await reader.get("object", "StudioInnerPart", "0")
    #expect(inner["embeddedIn"]["class"].text == "StudioPart")
    #expect(try await reader.fault { try await reader.get("object", "StudioAnything", "2") }.status == 404)
    #expect(try await reader.fault { try await reader.get("object", "StudioAnything", "-1") }.status == 404)
    #expect(try await reader.fault { try await reader.get("object", "Nothing", "0") }.status == 404)
    #expect(try await reader.fault { try await reader.get("object", "StudioAnything", "x") }.status == 400)
  }

  @Test func collectionsAreReadInPages() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try file(folder, key: nil))
    func page(_ property: Int, _ query: [String: String] = [:]) async throws -> JSON {
      try await reader.get("object", "StudioAnything", "1", "\(property)", query: query)
    }
    #expect(
      try await page(13, ["from": "1", "count": "1"]) == JSON(#"{"count":3,"elements":[2]}"#))
    #expect(try await page(13, ["from": "9"]) == JSON(#"{"count":3,"elements":[]}"#))
    #expect(try await page(14)["elements"][0]["class"].text == StudioFiles.otherName)
    #expect(
      try await page(16) == JSON(#"{"count":2,"keys":["a b","c"],"elements":[null,"nan"]}"#))
    #expect(
      try await page(17)["elements"]
        == JSON(#"[null,{"type":"int","value":"1152921504606846976"},{"type":"list","count":1}]"#))
    #expect(
      try await page(17, ["path": "[2]"])
        == JSON(#"{"count":1,"elements":[{"type":"dictionary","count":2}]}"#))
    #expect(
      try await page(17, ["path": "[2,0]"])
        == JSON(
          #"{"count":2,"keys":["k","l"],"elements":[{"type":"string","value":"v"},{"type":"list","count":1}]}"#
        ))
    #expect(
      try await page(17, ["path": #"[2,0,"l"]"#])
        == JSON(#"{"count":1,"elements":[{"type":"bool","value":true}]}"#))
    #expect(try await page(4)["text"].text.count == 100)
    guard
      case .bytes(let bytes, let type, let name) = try await reader.reply(
        .get, ["object", "StudioAnything", "1", "5"])
    else { throw StudioFault(500, "The reply has no bytes.") }
    #expect(bytes == (0..<20).map { UInt8($0) } && type == "application/octet-stream" && name != nil)
    #expect(try await reader.fault { try await page(99) }.status == 404)
    #expect(try await reader.fault { try await page(17, ["path": "[7]"]) }.status == 404)
    #expect(try await reader.fault { try await page(17, ["path": "{"]) }.status == 400)
  }

  /// Each incoming link has a filter that finds the objects that it comes from.
  @Test func incomingLinksHaveFilters() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try file(folder, key: nil))
    let incoming = try await reader.get("object", StudioFiles.otherName, "0", "incoming")["incoming"].array
    #expect(
      incoming.map { "\($0["class"].text).\($0["name"].text)" } == [
        "\(StudioFiles.otherName).the next `one` and \"more\"", "StudioAnything.any", "StudioAnything.other",
        "StudioAnything.others",
      ])
    for link in incoming {
      let view = try await reader.view(link["class"].text, link["filter"].text)
      #expect(view["count"] == link["count"], "\(link)")
    }
    let gone =
      "other == object(\"\(StudioFiles.otherName.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\", 77)"
    let fault = try await reader.fault { try await reader.view("StudioAnything", gone) }
    #expect(fault.status == 422 && fault.details["from"].int == 9, "\(fault)")
  }
}
