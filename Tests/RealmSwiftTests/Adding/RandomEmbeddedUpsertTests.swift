import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Random updates of an object from its own embedded objects, against plain Swift.
@Suite struct RandomEmbeddedUpsertTests {
  private struct Line: Equatable {
    var text: String
    var parts: [String] = []
  }

  private struct Model: Equatable {
    var lines: [Line] = []
    var others: [Line] = []
    var first: Line?
    var second: Line?
    var named: [String: Line] = [:]

    init() {}

    init(_ order: UpsertOrder) {
      func line(_ line: UpsertLine) -> Line { Line(text: line.text, parts: line.parts.map(\.text)) }
      lines = order.lines.map { line($0) }
      others = order.others.map { line($0) }
      first = order.first.map { line($0) }
      second = order.second.map { line($0) }
      for entry in order.named { named[entry.key] = entry.value.map { line($0) } }
    }

    var all: [Line] {
      lines + others + [first, second].compactMap { $0 } + named.keys.sorted().map { named[$0]! }
    }
  }

  /// All embedded objects, in the order of `Model.all`.
  private func all(_ order: UpsertOrder) -> [UpsertLine] {
    Array(order.lines) + Array(order.others) + [order.first, order.second].compactMap { $0 }
      + order.named.keys.map { order.named[$0]!! }
  }

  /// A line that is there, perhaps with the parts of another one, or a new one; as it is given and as it is then.
  private func line(
    _ order: UpsertOrder, _ model: Model, _ random: inout SeededGenerator
  ) -> (given: Any, line: Line) {
    let (objects, lines) = (all(order), model.all)
    func index() -> Int? { lines.indices.randomElement(using: &random) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2:
      if let index = index() { return (objects[index], lines[index]) }
    case 3:
      if let index = index() {
        let given: [String: Any] = [
          "text": lines[index].text + "'", "parts": Array(objects[index].parts.reversed()),
        ]
        return (given, Line(text: lines[index].text + "'", parts: lines[index].parts.reversed()))
      }
    case 4:
      if let index = index() {
        let given: [String: Any] = ["text": "v", "parts": objects[index].parts]
        return (given, Line(text: "v", parts: lines[index].parts))
      }
    default: break
    }
    let text = "\(Int.random(in: 0..<1000, using: &random))"
    let parts = (0..<Int.random(in: 0..<3, using: &random)).map { "\(text).\($0)" }
    let given: [String: Any] = ["text": text, "parts": parts.map { ["text": $0] }]
    return (Bool.random(using: &random) ? given : UpsertLine(value: given), Line(text: text, parts: parts))
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6], short: 2))
  func againstAModel(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let scratch = try ScratchRealm(opening: [UpsertOrder.self, UpsertLine.self, UpsertPart.self])
    let realm = scratch.realm
    var model = Model()
    let order = try realm.write { realm.create(UpsertOrder.self, value: ["id": 1]) }
    for step in 0..<TestLength.count(150, long: 3000) {
      var new = model
      var values: [String: Any] = ["id": 1]
      func lines() -> (given: [Any], lines: [Line]) {
        let all = (0..<Int.random(in: 0..<5, using: &random)).map { _ in line(order, model, &random) }
        return (all.map(\.given), all.map(\.line))
      }
      if Bool.random(using: &random) { (values["lines"], new.lines) = lines() }
      if Bool.random(using: &random) {
        if Bool.random(using: &random) {
          (values["others"], new.others) = (order.lines, model.lines)
        } else {
          (values["others"], new.others) = lines()
        }
      }
      if Bool.random(using: &random) { (values["first"], new.first) = line(order, model, &random) }
      if Bool.random(using: &random) { (values["second"], new.second) = line(order, model, &random) }
      if Bool.random(using: &random) {
        var given: [String: Any] = [:]
        new.named = [:]
        for key in ["a", "b", "c"] where Bool.random(using: &random) {
          (given[key], new.named[key]) = line(order, model, &random)
        }
        values["named"] = given
      }
      let policy: Realm.UpdatePolicy = Bool.random(using: &random) ? .modified : .all
      try realm.write { _ = realm.create(UpsertOrder.self, value: values, update: policy) }
      model = new
      try #require(Model(order) == model, "step \(step)")
      try #require(realm.dynamicObjects("UpsertLine").count == model.all.count, "step \(step)")
    }
  }
}
