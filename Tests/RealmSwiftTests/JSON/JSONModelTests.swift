import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What is imported beside what `create` makes of the same values.
@Suite struct JSONModelTests {
  private static let texts = [
    "", "a", "Zoë", "日本", "a \"quoted\" \\ text\n", String(repeating: "long ", count: 60),
  ]

  @Test(arguments: [1, 2, 3]) func importingIsCreating(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let imported = try ScratchRealm(opening: JSONItem.classes)
    let created = try ScratchRealm(opening: JSONItem.classes)
    for round in 0..<6 {
      let objects = (0..<60).map { _ in Self.object(&generator) }
      let policy: Realm.UpdatePolicy = round % 2 == 0 ? .modified : .all
      let lines = try objects.map { try JSONSerialization.data(withJSONObject: $0.json) }
      let count = try imported.realm.write {
        let json = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
        return try imported.realm.importJSON(json, as: JSONItem.self, update: policy)
      }
      #expect(count == objects.count)
      try created.realm.write {
        for object in objects { created.realm.create(JSONItem.self, value: object.values, update: policy) }
      }
      let all = [imported, created].map { scratch in
        // Without the addresses of collections.
        Array(
          scratch.realm.objects(JSONItem.self).sorted(by: \.id).map {
            "\($0)".replacing(/<0x[0-9a-f]+>/, with: "")
          })
      }
      #expect(all[0].count == all[1].count)
      if let (one, other) = zip(all[0], all[1]).first(where: { $0 != $1 }) {
        Issue.record("seed \(seed), round \(round): \(one) and \(other)")
      }
      #expect(imported.realm.objects(JSONPeer.self).count == created.realm.objects(JSONPeer.self).count)
      for name in Self.texts {
        #expect(
          imported.realm.objects(JSONItem.self).where { $0.name == name }.count
            == created.realm.objects(JSONItem.self).where { $0.name == name }.count, "seed \(seed), \(name)")
      }
    }
  }

  /// Some of the properties, as JSON and as `create` takes them.
  private static func object(
    _ generator: inout SeededGenerator
  ) -> (json: [String: Any], values: [String: Any]) {
    var json: [String: Any] = [:]
    var values: [String: Any] = [:]
    func add(_ name: String, _ text: Any, _ value: Any? = nil) {
      json[name] = text
      values[name] = value ?? text
    }
    add("id", Int.random(in: 0..<40, using: &generator))
    // Few properties, all that are single values, or any.
    let share = [0.2, 1, 0.6].randomElement(using: &generator)!
    func chosen() -> Bool { Double.random(in: 0..<1, using: &generator) < share }
    let text = texts.randomElement(using: &generator)!
    let number = Double.random(in: -1e6...1e6, using: &generator).rounded() / 8
    if chosen() { add("name", text) }
    if chosen() { add("story", Bool.random(using: &generator) ? text : NSNull()) }
    if chosen() { add("small", Int.random(in: -128...127, using: &generator)) }
    if chosen() { add("medium", Bool.random(using: &generator) ? Int(Int32.max) : NSNull()) }
    if chosen() { add("flag", Bool.random(using: &generator)) }
    if chosen() { add("maybe", Bool.random(using: &generator) ? true : NSNull()) }
    if chosen() { add("ratio", number) }
    if chosen() { add("size", Bool.random(using: &generator) ? number : NSNull()) }
    if chosen() { add("born", number, Date(timeIntervalSince1970: number)) }
    if chosen() { add("data", Data(text.utf8).base64EncodedString(), Data(text.utf8)) }
    if chosen() {
      let key = ObjectId.generate()
      add("key", key.stringValue, key)
    }
    if chosen() {
      let token = UUID()
      add("token", token.uuidString, token)
    }
    if chosen() { add("price", "\(number)", Decimal128(floatLiteral: number)) }
    if chosen() { add("mood", ["wild", "calm"].randomElement(using: &generator)!) }
    if share < 1 {
      if chosen() { add("anything", [1, text, [number]] as [Any]) }
      if chosen() { add("peer", Bool.random(using: &generator) ? ["code": text] : NSNull()) }
      if chosen() { add("part", ["label": text, "weight": number] as [String: Any]) }
      if chosen() { add("tags", [text, "x"]) }
      if chosen() { add("sizes", [1, 2, Int(number)]) }
      if chosen() { add("levels", [-1, 300]) }
      if chosen() { add("scores", ["a": number, "b": NSNull()] as [String: Any]) }
      if chosen() { add("peers", [["code": text, "rank": 3] as [String: Any], ["code": "y"]]) }
      if chosen() { add("parts", [["label": text], [:]] as [[String: Any]]) }
      if chosen() { add("named", ["k": ["code": "z"], "n": NSNull()] as [String: Any]) }
      if chosen() { add("values", [number, text, NSNull(), true] as [Any]) }
    }
    return (json, values)
  }
}
