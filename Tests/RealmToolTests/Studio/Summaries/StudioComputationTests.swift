import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct StudioComputationTests {
  private func view(
    _ folder: ScratchFolder, _ count: Int = 200, _ filter: String = ""
  ) async throws -> (reader: StudioReader, number: String) {
    let reader = try StudioReader(try StudioFiles.dogs(count, in: folder))
    return (reader, "\(try await reader.view("StudioDog", filter)["view"].int)")
  }

  @Test func columnsAreSummarised() async throws {
    let folder = ScratchFolder()
    let (reader, view) = try await view(folder)
    let name = try await reader.get("view", view, "summary", query: ["property": "1"])
    #expect(
      name
        == (try JSON(
          """
          {"count":200,"nulls":0,"distinct":4,"minimum":null,"maximum":null,"sum":null,"average":null,
          "top":[["Rex",50],["Wolfie",50],["Ada",50],["Bo",50]]}
          """)))
    let weight = try await reader.get("view", view, "summary", query: ["property": "3"])
    #expect(weight["nulls"].int == 40 && weight["count"].int == 200)
    #expect(try weight["maximum"] == JSON("24.75"))
    #expect(try weight["minimum"] == JSON("0.25"))
    let born = try await reader.get("view", view, "summary", query: ["property": "4"])
    #expect(born["minimum"].text == "1970-01-02T03:46:40Z" && born["sum"].isNull)
    #expect(
      try await reader.fault { try await reader.get("view", view, "summary", query: ["property": "9"]) }
        .status
        == 404)
    #expect(try await reader.fault { try await reader.get("view", view, "summary") }.status == 400)
  }

  @Test func objectsAreGrouped() async throws {
    let folder = ScratchFolder()
    let (reader, view) = try await view(folder, 200, "id < 100")
    let names = try await reader.get(
      "view", view, "groups", query: ["by": "1", "aggregate": "maximum", "of": "0", "limit": "2"])
    #expect(
      names
        == (try JSON(
          #"{"groups":[{"key":"Bo","count":25,"value":99},{"key":"Ada","count":25,"value":98}],"total":4}"#)))
    let months = try await reader.get("view", view, "groups", query: ["by": "4", "part": "month"])
    #expect(months["total"].int == 5)
    #expect(
      months["groups"].array.map(\.self["key"].text) == [
        "", "1970-01-01T00:00:00Z", "1970-02-01T00:00:00Z", "1970-03-01T00:00:00Z", "1970-04-01T00:00:00Z",
      ])
    #expect(months["groups"].array.reduce(0) { $0 + $1["value"].int } == 100)
    for query in [["by": "1", "aggregate": "sum", "of": "1"], ["by": "1", "part": "day"]] {
      #expect(
        try await reader.fault { try await reader.get("view", view, "groups", query: query) }.status == 422)
    }
  }

  /// The periods of random dates are those of Foundation's calendar.
  @Test func periodsAreThoseOfTheCalendar() async throws {
    let folder = ScratchFolder()
    let path = folder.path("dates.realm")
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    print("seed \(seed)")
    var calendar = Foundation.Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC")!
    let dates = (0..<60).map { _ in
      Date(timeIntervalSince1970: Double(Int.random(in: -10_000_000_000...10_000_000_000, using: &generator)))
    }
    let realm = try StudioFiles.open(path)
    try realm.write {
      for (id, date) in dates.enumerated() { realm.create(StudioDog.self, value: ["id": id, "born": date]) }
    }
    let reader = try StudioReader(path)
    let view = "\(try await reader.view("StudioDog")["view"].int)"
    let parts: [(String, Foundation.Calendar.Component)] = [
      ("year", .year), ("month", .month), ("day", .day), ("hour", .hour),
    ]
    for (name, component) in parts {
      let answer = try await reader.get("view", view, "groups", query: ["by": "4", "part": name])
      // Foundation's calendar is Julian before 1582; all of these are later.
      let starts = Set(dates.map { calendar.dateInterval(of: component, for: $0)!.start }).sorted()
      #expect(
        answer["groups"].array.map(\.self["key"].text)
          == starts.map { DateText.text($0.timeIntervalSinceReferenceDate) }, "seed \(seed)")
    }
  }

  @Test func pointsAreThinned() async throws {
    let folder = ScratchFolder()
    let (reader, view) = try await view(folder)
    let all = try await reader.get("view", view, "points", query: ["x": "0", "y": "3"])
    #expect(all["total"].int == 160 && all["points"].array.count == 160)
    #expect(all["points"][0] == (try JSON("[1,0.25,1]")))
    let few = try await reader.get("view", view, "points", query: ["x": "0", "y": "3", "limit": "7"])
    #expect(few["total"].int == 160 && few["points"].array.count == 7)
    #expect(
      try await reader.fault { try await reader.get("view", view, "points", query: ["x": "1", "y": "3"]) }
        .status
        == 422)
    #expect(
      try await reader.fault { try await reader.get("view", view, "points", query: ["point": "1"]) }.status
        == 422)
  }

  @Test func viewsAreExported() async throws {
    let folder = ScratchFolder()
    let path = folder.path("formulas.realm")
    let realm = try StudioFiles.open(path)
    try realm.write {
      for (id, name) in ["=1+1", "-5", "@x", "a,\"b\"", "plain", ""].enumerated() {
        realm.create(StudioDog.self, value: ["id": id, "name": name])
      }
    }
    let reader = try StudioReader(path)
    let view = try await reader.view("StudioDog", "id < 9", sort: [["id", false]])
    func export(_ format: String) async throws -> String {
      guard
        case .stream(_, _, let producer) = try await reader.reply(
          .get, ["view", "\(view["view"].int)", "export"], ["format": format])
      else { throw StudioFault(500, "The reply is no stream.") }
      var bytes: [UInt8] = []
      while let piece = try producer() { bytes += piece }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      try await export("csv")
        == "id,name,age,weight,born\r\n5,\"\",0,,\r\n4,plain,0,,\r\n3,\"a,\"\"b\"\"\",0,,\r\n2,'@x,0,,\r\n"
        + "1,-5,0,,\r\n0,'=1+1,0,,\r\n")
    let objects = try JSON(try await export("json")).array
    #expect(objects.map(\.self["id"].int) == [5, 4, 3, 2, 1, 0])
    #expect(try await export("jsonl").split(separator: "\n").count == 6)
    #expect(try await reader.fault { try await export("xml") }.status == 400)
  }

  /// An export is of one version, however long it takes.
  @Test func exportsAreOfOneVersion() async throws {
    let folder = ScratchFolder()
    let (reader, view) = try await view(folder, 20_000)
    guard case .stream(_, _, let producer) = try await reader.reply(.get, ["view", view, "export"], [:])
    else {
      throw StudioFault(500, "The reply is no stream.")
    }
    var text = String(decoding: try producer() ?? [], as: UTF8.self)
    let realm = try StudioFiles.open(folder.path("dogs.realm"))
    try realm.write { realm.deleteAll() }
    while let piece = try producer() { text += String(decoding: piece, as: UTF8.self) }
    #expect(text.split(separator: "\r\n").count == 20_001)
  }

  @Test func queryLinesAreCompleted() async throws {
    let folder = ScratchFolder()
    let (reader, _) = try await view(folder)
    func items(_ text: String, _ name: String = "StudioDog") async throws -> [String] {
      try await reader.get("complete", query: ["class": name, "text": text])["items"].array.map {
        $0["text"].text
      }
    }
    #expect(try await items("") == ["id", "name", "age", "weight", "born", "ANY", "ALL", "NONE", "NOT"])
    #expect(try await items("ag") == ["age"])
    #expect(try await items("age ").prefix(3) == ["==", "!=", "<"])
    #expect(try await items("age > 3 ") == ["AND", "OR"])
    #expect(try await items("age > 3 AND na") == ["name"])
    #expect(try await items("name == ").sorted() == ["\"Ada\"", "\"Bo\"", "\"Rex\"", "\"Wolfie\""])
    #expect(try await items("name ==[c] 'w") == ["\"Wolfie\""])
    #expect(try await items("NOT name BEGINSWITH \"A") == ["\"Ada\""])
    #expect(try await items("weight == ") == ["NULL"])
    #expect(try await items("place.inner.", "StudioAnything") == ["floor"])
    #expect(try await items("next", StudioFiles.otherName) == ["`the next \\`one\\` and \"more\"`"])
    #expect(try await items("nothing.", "StudioAnything") == [])
    let answer = try await reader.get(
      "complete", query: ["class": "StudioDog", "text": "name == '👩‍🚀' AND ag > 3", "position": "22"])
    #expect(answer["from"].int == 20 && answer["to"].int == 22 && answer["items"][0]["text"].text == "age")
  }
}
