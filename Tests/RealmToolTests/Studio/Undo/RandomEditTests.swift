import Foundation
import RealmSwift
import Storage
import TestSupport
import Testing

@testable import RealmTool

/// Random batches on objects that link to and own each other: undoing gives back each former content, exactly.
struct RandomEditTests {
  @Test(arguments: 1...(TestLength.isLong ? 40 : 6)) func everythingIsUndone(_ seed: Int) async throws {
    let studio = try WritableStudio()
    var edits = try await RandomEdits(studio, SeededGenerator(printing: UInt64(seed), "everythingIsUndone"))
    try await edits.prepare()
    // The contents after each transaction that has changed something.
    var contents = [try await studio.content()]
    let base = try await studio.batch("").json["undo"] as? Int ?? 0
    var undone: [String] = []
    for _ in 0..<(TestLength.isLong ? 300 : 40) {
      switch Int.random(in: 0..<10, using: &edits.generator) {
      case 0..<7:
        let answer = try await studio.batch(try await edits.batch())
        #expect([200, 409, 422].contains(answer.status), "\(answer.text)")
        let count = answer.json["undo"] as? Int ?? base
        if answer.status == 200, count - base == contents.count {
          contents.append(try await studio.content())
          undone = []
        } else {
          #expect(try await studio.content() == contents.last!, "\(answer.text)")
        }
      case 7,
        8 where contents.count > 1:
        if contents.count == 1 { continue }
        let answer = try await studio.undo()
        #expect(answer.status == 200, "\(answer.text)")
        undone.append(contents.removeLast())
        #expect(try await studio.content() == contents.last!)
      default:
        guard let next = undone.popLast() else { continue }
        let answer = try await studio.redo()
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await studio.content() == next)
        contents.append(next)
      }
    }
    #expect(contents.count > 1)
    while contents.count > 1 {
      let answer = try await studio.undo()
      #expect(answer.status == 200, "\(answer.text)")
      contents.removeLast()
      #expect(try await studio.content() == contents.last!)
    }
    #expect(try studio.faults() == "")
  }
}

/// Random batches for the classes of `WritableStudio`.
private struct RandomEdits {
  let studio: WritableStudio
  var generator: SeededGenerator
  private let properties: [String: [String: Int]]
  private var nextKey = 100
  /// Rows by class, as they are now.
  private var rows: [String: [Int]] = [:]

  init(_ studio: WritableStudio, _ generator: SeededGenerator) async throws {
    (self.studio, self.generator) = (studio, generator)
    var properties: [String: [String: Int]] = [:]
    for name in ["Everything", "Person", "Address", "Room", "Team"] {
      properties[name] = try await studio.properties(of: name)
    }
    self.properties = properties
  }

  func prepare() async throws {
    _ = try await studio.makePeople(6)
    for key in ["a", "b", "c"] { _ = try await studio.makeEverything(key) }
  }

  mutating func batch() async throws -> String {
    let names = Array(properties.keys)
    rows = try await studio.session.run { realm in
      let snapshot = realm.realm.storedVersion
      return Dictionary(
        uniqueKeysWithValues: names.map { name in
          let table = snapshot.table(snapshot.catalogue.table(named: name)!)
          return (name, (0..<table.rowLimit).filter { table.isAlive($0) })
        })
    }
    let count = Int.random(in: 1...5, using: &generator)
    return (0..<count).compactMap { _ in operation() }.joined(separator: ",")
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  private mutating func row(_ name: String) -> Int? { rows[name]!.randomElement(using: &generator) }

  private mutating func link(_ name: String) -> String {
    guard let row = row(name), number(5) > 0 else { return "null" }
    return "{\"class\":\"\(name)\",\"row\":\(row)}"
  }

  private mutating func mixed(_ depth: Int = 0) -> String {
    switch number(depth < 2 ? 6 : 4) {
    case 0: return "null"
    case 1: return "\(number(5))"
    case 2: return "{\"type\":\"object\",\"value\":\(person)}"
    case 3: return "\"t\(number(5))\""
    case 4: return "{\"type\":\"list\",\"value\":[\(mixed(depth + 1)),\(mixed(depth + 1))]}"
    default: return "{\"type\":\"dictionary\",\"value\":{\"k\(number(3))\":\(mixed(depth + 1))}}"
    }
  }

  private var person: String {
    mutating get {
      row("Person").map { "{\"class\":\"Person\",\"row\":\($0)}" } ?? "{\"class\":\"Person\",\"row\":0}"
    }
  }

  private mutating func operation() -> String? {
    switch number(12) {
    case 0:
      nextKey += 1
      let (id, name, friend) = ("id", "name", link("Person"))
      let numbers = properties["Person"]!
      return """
        {"op":"create","class":"Person","values":[[\(numbers[id]!),\(nextKey)],[\(numbers[name]!),"n"],\
        [\(numbers["friend"]!),\(friend)]]}
        """
    case 1:
      nextKey += 1
      let numbers = properties["Team"]!
      let (first, second, reserve, captain) = (
        person, person, link("Person"), number(4) == 0 ? person : "null"
      )
      return """
        {"op":"create","class":"Team","values":[[\(numbers["id"]!),\(nextKey)],[\(numbers["members"]!),[\(first),\(second)]],\
        [\(numbers["reserve"]!),\(reserve)],[\(numbers["captain"]!),\(captain)]]}
        """
    case 2:
      let name = ["Person", "Person", "Team", "Everything"][number(4)]
      return row(name).map { "{\"op\":\"delete\",\"class\":\"\(name)\",\"row\":\($0)}" }
    case 3: return embed()
    case 4, 5: return edit()
    default: return collection()
    }
  }

  private mutating func start(_ op: String, _ name: String, _ property: String) -> String? {
    row(name).map {
      "{\"op\":\"\(op)\",\"class\":\"\(name)\",\"row\":\($0),\"property\":\(properties[name]![property]!)"
    }
  }

  private mutating func embed() -> String? {
    switch number(4) {
    case 0: return start("embed", "Everything", "address").map { $0 + "}" }
    case 1: return start("embed", "Address", "inner").map { $0 + "}" }
    case 2: return start("embed", "Everything", "addresses").map { $0 + ",\"at\":0}" }
    default:
      let key = number(3)
      return start("embed", "Everything", "places").map { $0 + ",\"key\":\"k\(key)\"}" }
    }
  }

  private mutating func edit() -> String? {
    let (number, any) = (number(100), mixed())
    switch self.number(9) {
    case 0: return start("set", "Person", "name").map { $0 + ",\"value\":\"n\(number)\"}" }
    case 1: return start("set", "Person", "email").map { $0 + ",\"value\":\"e\(number % 8)\"}" }
    case 2: return start("set", "Person", "about").map { $0 + ",\"value\":\"some words \(number)\"}" }
    case 3:
      let friend = link("Person")
      return start("set", "Person", "friend").map { $0 + ",\"value\":\(friend)}" }
    case 4: return start("set", "Address", "street").map { $0 + ",\"value\":\"s\(number)\"}" }
    case 5:
      let tenant = link("Person")
      return start("set", "Address", "tenant").map { $0 + ",\"value\":\(tenant)}" }
    case 6: return start("set", "Everything", "address").map { $0 + ",\"value\":null}" }
    case 7: return start("set", "Everything", "double").map { $0 + ",\"value\":\"nan\"}" }
    default: return start("set", "Everything", "any").map { $0 + ",\"value\":\(any)}" }
    }
  }

  private mutating func collection() -> String? {
    let (at, to, key, any, person) = (number(3), number(3), number(3), mixed(), person)
    let list = ["people", "anyList", "addresses", "stringList"][number(4)]
    let element = list == "people" ? person : list == "anyList" ? any : "\"t\(key)\""
    switch number(8) {
    case 0, 1:
      if list == "addresses" { return embed() }
      return start("insert", "Everything", list).map { $0 + ",\"at\":0,\"value\":\(element)}" }
    case 2:
      if list == "addresses" { return nil }
      return start("replace", "Everything", list).map { $0 + ",\"at\":0,\"value\":\(element)}" }
    case 3: return start("remove", "Everything", list).map { $0 + ",\"at\":\(at)}" }
    case 4: return start("move", "Everything", list).map { $0 + ",\"from\":\(at),\"to\":\(to)}" }
    case 5: return start("add", "Everything", "group").map { $0 + ",\"value\":\(person)}" }
    case 6:
      return start("put", "Everything", "roles").map { $0 + ",\"key\":\"k\(key)\",\"value\":\(person)}" }
    default:
      let map = ["anyMap", "places", "roles"][number(3)]
      return start("removeKey", "Everything", map).map { $0 + ",\"key\":\"k\(key)\"}" }
    }
  }
}
