import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct StudioViewTests {
  @Test func viewsAnswerWindows() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(1000, in: folder))
    let all = try await reader.view("StudioDog")
    #expect(all["count"].int == 1000)
    let window = try await reader.rows(all, from: 998, count: 10, columns: "1,0")
    #expect(window["count"].int == 1000)
    #expect(window["rows"] == (try JSON(#"[[998,"Ada",998],[999,"Bo",999]]"#)))
    let filtered = try await reader.view("StudioDog", "age > 20 AND name == 'Bo'", sort: [["id", false]])
    let rows = try await reader.rows(filtered, columns: "0,2")
    #expect(rows["rows"].array.count == filtered["count"].int)
    #expect(rows["rows"].array.allSatisfy { $0[2].int > 20 && $0[1].int % 4 == 3 })
    let ids = rows["rows"].array.map(\.self[1].int)
    #expect(ids == ids.sorted(by: >) && !ids.isEmpty)
    let again = try await reader.view("StudioDog", "age > 20 AND name == 'Bo'", sort: [["id", false]])
    #expect(again["view"] == filtered["view"])
  }

  @Test func datesAreWrittenAsText() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(100, in: folder))
    let view = try await reader.view("StudioDog", "born < '1970-01-03T00:00:00Z'")
    #expect(view["count"].int == 1)
    #expect(try await reader.rows(view, columns: "4")["rows"] == JSON(#"[[1,"1970-01-02T03:46:40Z"]]"#))
  }

  @Test func mistakesNameTheirPlace() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(1, in: folder))
    let cases: [(String, Range<Int>)] = [
      ("age >", 4..<5), ("agee > 3", 0..<4), ("name == '👩‍🚀' AND bad == 1", 20..<23), ("age > 3 )", 8..<9),
      ("age == %@", 7..<9), ("age ? 3", 4..<5), ("(", 0..<1),
    ]
    for (filter, place) in cases {
      let fault = try await reader.fault { try await reader.view("StudioDog", filter) }
      #expect(fault.status == 422, "\(filter)")
      #expect(
        fault.details["from"].int == place.lowerBound && fault.details["to"].int == place.upperBound,
        "\(filter): \(fault)")
    }
    #expect(
      try await reader.fault { try await reader.view("StudioDog", sort: [["nothing", true]]) }.status == 422)
    #expect(try await reader.fault { try await reader.view("Nothing") }.status == 404)
    #expect(try await reader.fault { try await reader.get("view", "9999999", "rows") }.status == 404)
    let view = try await reader.view("StudioDog")
    #expect(try await reader.fault { try await reader.rows(view, columns: "77") }.status == 404)
    #expect(try await reader.fault { try await reader.rows(view, columns: "x") }.status == 400)
    #expect(try await reader.rows(view, from: 5, count: 0)["rows"].array.isEmpty)
    #expect(try await reader.rows(view, from: -5, count: 99_999)["rows"].array.count == 1)
    #expect(try await reader.fault { try await reader.reply(.post, ["view"], body: "[") }.status == 400)
  }

  @Test func theLeastUsedViewGoes() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(10, in: folder))
    var views: [JSON] = []
    for age in 0..<16 { views.append(try await reader.view("StudioDog", "age != \(age)")) }
    _ = try await reader.rows(views[0])
    _ = try await reader.view("StudioDog", "age != 99")
    _ = try await reader.rows(views[0])
    #expect(try await reader.fault { try await reader.rows(views[1]) }.status == 404)
    #expect(try await reader.session.runOnQueue { $0.views.count } == 16)
  }

  @Test func positionsAreFound() async throws {
    let folder = ScratchFolder()
    let reader = try StudioReader(try StudioFiles.dogs(50, in: folder))
    let view = try await reader.view("StudioDog", "id >= 10", sort: [["id", false]])
    let number = "\(view["view"].int)"
    #expect(try await reader.get("view", number, "find", query: ["row": "49"])["position"].int == 0)
    #expect(try await reader.get("view", number, "find", query: ["key": "10"])["position"].int == 39)
    #expect(try await reader.get("view", number, "find", query: ["key": "9"])["position"].isNull)
    #expect(try await reader.get("view", number, "find", query: ["key": "777"])["position"].isNull)
    #expect(try await reader.get("view", number, "find", query: ["row": "-1"])["position"].isNull)
    #expect(
      try await reader.fault { try await reader.get("view", number, "find", query: ["key": "x"]) }.status
        == 422)
    #expect(try await reader.get("view", number, "explain")["text"].text.contains("StudioDog"))
  }

  /// Windows of random queries are those of the tool's query command.
  @Test func windowsAreThoseOfTheQueryCommand() async throws {
    let folder = ScratchFolder()
    let path = try StudioFiles.dogs(300, in: folder)
    let reader = try StudioReader(path)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    print("seed \(seed)")
    for _ in 0..<12 {
      let filter = [
        "age > \(Int.random(in: 0..<23, using: &generator))", "weight == NULL",
        "name BEGINSWITH 'W' OR id < 9",
        "born > '1970-02-01' AND weight < \(Int.random(in: 0..<25, using: &generator))",
      ].randomElement(using: &generator)!
      let key = ["age", "name", "weight", "born"].randomElement(using: &generator)!
      let isAscending = Bool.random(using: &generator)
      let from = Int.random(in: 0..<40, using: &generator)
      let view = try await reader.view("StudioDog", filter, sort: [[key, isAscending], ["id", true]])
      let rows = try await reader.rows(view, from: from, count: 50, columns: "0")
      let outcome = try RealmProgram.run(
        "query", path, "StudioDog", filter, "--sort", "\(isAscending ? "" : "-")\(key),id", "--properties",
        "id")
      let ids = outcome.output.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
      #expect(view["count"].int == ids.count)
      #expect(
        rows["rows"].array.map(\.self[1].int) == Array(ids.dropFirst(from).prefix(50)), "\(seed) \(filter)")
    }
  }
}
