import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Random transactions with a primary key of two properties against plain Swift.
@Suite struct RandomCompositeKeyTests {
  private struct Pair: Hashable {
    let order: Int
    /// In bytes: Swift takes equivalent texts for equal ones.
    let place: [UInt8]?

    init(_ order: Int, _ place: String?) {
      self.order = order
      self.place = place.map { Array($0.utf8) }
    }

    init(_ line: KeyedLine) { self.init(line.order, line.place) }

    static func random(_ random: inout SeededGenerator) -> Pair {
      Pair(
        [Int.min, -1, 0, 1, Int.max].randomElement(using: &random)!,
        [nil, "", "a", "a\0", "a\0b", "\u{E9}", "e\u{301}"].randomElement(using: &random)!)
    }

    var text: String? { place.map { String(decoding: $0, as: UTF8.self) } }

    func named(_ text: String) -> [String: Any] {
      ["order": order, "place": self.text ?? NSNull() as Any, "text": text]
    }
  }

  private typealias Model = [Pair: String]

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6, 7, 8], short: 3))
  func againstAModel(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let file = ScratchRealm([KeyedLine.self])
    var model: Model = [:]
    var broken = 0
    // The file is opened anew for each of these.
    for _ in 0..<TestLength.count(5, long: 50) {
      try autoreleasepool {
        let realm = try file.open()
        compare(realm, model, &random)
        var frozen: [(realm: Realm, model: Model)] = []
        for step in 0..<50 {
          if step % 20 == 0 { frozen.append((realm.freeze(), model)) }
          let before = model
          realm.beginWrite()
          var isBroken = false
          for _ in 0..<Int.random(in: 1...5, using: &random) where !isBroken {
            isBroken = change(realm, &model, &random)
          }
          if isBroken {
            let error = #expect(throws: Realm.Error.self, "step \(step)") { try realm.commitWrite() }
            #expect(error?.code == .ruleBroken)
            broken += 1
            model = before
          } else if Int.random(in: 0..<6, using: &random) == 0 {
            realm.cancelWrite()
            model = before
          } else {
            try realm.commitWrite()
          }
          compare(realm, model, &random)
        }
        for (realm, model) in frozen { compare(realm, model, &random) }
      }
      #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
    }
    #expect(broken > 5 && broken < 1_000)
  }

  private func line(_ realm: Realm, _ key: Pair, _ random: inout SeededGenerator) -> KeyedLine? {
    let value: Any =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: (key.order, key.text)
      case 1: [key.order, key.text as Any] as [Any]
      default: ["place": key.text as Any, "order": key.order] as [String: Any]
      }
    return realm.object(ofType: KeyedLine.self, forPrimaryKey: value)
  }

  private func compare(_ realm: Realm, _ model: Model, _ random: inout SeededGenerator) {
    let lines = realm.objects(KeyedLine.self)
    #expect(lines.count == model.count)
    #expect(Dictionary(lines.map { (Pair($0), $0.text) }, uniquingKeysWith: { $0 + $1 }) == model)
    for _ in 0..<5 {
      let key = Pair.random(&random)
      #expect(line(realm, key, &random)?.text == model[key])
    }
  }

  /// Makes one change. Returns whether two lines have the same key then.
  private func change(_ realm: Realm, _ model: inout Model, _ random: inout SeededGenerator) -> Bool {
    let (key, other) = (Pair.random(&random), Pair.random(&random))
    let text = "\(Int.random(in: 0..<1_000, using: &random))"
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      realm.add(KeyedLine(key.order, key.text, text), update: .modified)
      model[key] = text
    case 1:
      realm.create(KeyedLine.self, value: key.named(text), update: .all)
      model[key] = text
    case 2:
      realm.create(
        KeyedLine.self, value: [key.order, key.text as Any, text] as [Any], update: .modified)
      model[key] = text
    case 3 where key != other:
      // With one that is linked to.
      let line = KeyedLine(key.order, key.text, text)
      line.next = KeyedLine(other.order, other.text, text + "'")
      realm.add(line, update: .modified)
      (model[key], model[other]) = (text, text + "'")
      #expect(line.next.map(Pair.init) == other)
    case 4:
      if let line = line(realm, key, &random) { realm.delete(line) }
      model[key] = nil
    default: return move(realm, key, to: other, &model, &random)
    }
    let found = line(realm, key, &random)
    #expect(found?.text == model[key])
    return false
  }

  /// Gives a line another key, which is taken, mostly in exchange, or not.
  private func move(
    _ realm: Realm, _ key: Pair, to other: Pair, _ model: inout Model, _ random: inout SeededGenerator
  ) -> Bool {
    guard key != other, let moved = line(realm, key, &random) else { return false }
    let replaced = line(realm, other, &random)
    (moved.order, moved.place) = (other.order, other.text)
    guard let replaced else {
      model[other] = model.removeValue(forKey: key)
      #expect(line(realm, key, &random) == nil && line(realm, other, &random) == moved)
      return false
    }
    if Int.random(in: 0..<6, using: &random) == 0 { return true }
    (replaced.order, replaced.place) = (key.order, key.text)
    (model[key], model[other]) = (model[other], model[key])
    #expect(line(realm, key, &random) == replaced && line(realm, other, &random) == moved)
    return false
  }
}
