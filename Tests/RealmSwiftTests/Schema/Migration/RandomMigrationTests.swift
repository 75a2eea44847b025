import Foundation
import RealmSwift
import TestSupport
import Testing

// A property that has another type in each of these, always of the same class.

class HiddenShape: Hidden {
  @Persisted(primaryKey: true) var id = 0
  override class func _realmObjectName() -> String? { "Shape" }
}
private enum Shapes {
  class Whole: HiddenShape { @Persisted var value = 0 }
  class WholeIndexed: HiddenShape { @Persisted(indexed: true) var value = 0 }
  class WholeOrNot: HiddenShape { @Persisted(indexed: true) var value: Int? }
  class Text: HiddenShape { @Persisted(indexed: true) var value = "" }
  class Words: HiddenShape { @Persisted(fullText: true) var value = "" }
  class TextOrNot: HiddenShape { @Persisted var value: String? }
  class Real: HiddenShape { @Persisted var value = 0.0 }
  class Mixed: HiddenShape { @Persisted var value: AnyRealmValue }
  class Several: HiddenShape { @Persisted var value: List<Int> }
  class Pairs: HiddenShape { @Persisted var value: Map<String, String> }
  class Unique: HiddenShape { @Persisted var value: MutableSet<Int> }
  class Nothing: HiddenShape { @Persisted var other = 0 }
  static let all: [HiddenShape.Type] = [
    Whole.self, WholeIndexed.self, WholeOrNot.self, Text.self, Words.self, TextOrNot.self, Real.self,
    Mixed.self, Several.self, Pairs.self, Unique.self, Nothing.self,
  ]
}

/// Files that migrate from type to type at random, compared with a dictionary of numbers.
@Suite struct RandomMigrationTests {
  let file = ScratchRealm()

  /// The number that a property of any of the types stands for; nil where it holds none.
  private static func number(_ value: Any?) -> Int? {
    switch value {
    case let value as Int: value
    case let value as String: Int(value)
    case let value as Double: Int(value)
    case let value as List<Int>: value.first
    case let value as MutableSet<Int>: value.first
    case let value as Map<String, String>: value["n"].flatMap { Int($0) }
    default: nil
    }
  }

  private static func value(_ number: Int, for property: Property) -> Any {
    switch (property.type, property.isArray || property.isSet, property.isMap) {
    case (.string, _, true): ["n": "\(number)"]
    case (.string, _, _): "\(number)"
    case (.double, _, _): Double(number)
    case (_, true, _): [number]
    default: number
    }
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4], short: 2)) func fromTypeToType(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var model: [Int: Int] = [:]
    var former = -1
    var nextId = 0
    for version in 1...20 {
      let type = Shapes.all.randomElement(using: &generator)!
      let computes = Bool.random(using: &generator)
      let deleted = Set(model.keys.filter { _ in Int.random(in: 0..<50, using: &generator) == 0 })
      let realm = try file.migrate([type], to: UInt64(version)) { migration, _ in
        let property = migration.newSchema["Shape"]?["value"]
        migration.enumerateObjects(ofType: "Shape") { old, new in
          if deleted.contains(new!["id"] as! Int) { return migration.delete(new!) }
          guard computes, let property,
            let number = Self.number(old!.objectSchema["value"].map { old![$0.name] as Any })
          else { return }
          new!["value"] = Self.value(number, for: property)
        }
      }
      let isSame = former >= 0 && Shapes.all[former] == type
      former = Shapes.all.firstIndex { $0 == type }!
      let objects = realm.dynamicObjects("Shape")
      if version > 1 { for id in deleted { model[id] = nil } }
      #expect(objects.count == model.count, "seed \(seed), version \(version)")
      let hasValue = realm.schema["Shape"]?["value"] != nil
      for object in objects {
        let id = object["id"] as! Int
        // What is not computed may be kept, or zero.
        if computes || isSame, hasValue, let expected = model[id], expected != .min {
          #expect(Self.number(object["value"]) == expected, "seed \(seed), version \(version), id \(id)")
        }
      }
      try realm.write {
        for _ in 0..<400 {
          nextId += 1
          let number = Int.random(in: 1..<1_000_000, using: &generator)
          model[nextId] = hasValue ? number : .min
          var values: [String: Any] = ["id": nextId]
          if let property = realm.schema["Shape"]?["value"] {
            values["value"] = Self.value(number, for: property)
          }
          realm.dynamicCreate("Shape", value: values)
        }
      }
      // From here on the model is what the file says.
      for object in objects {
        let id = object["id"] as! Int
        model[id] = hasValue ? Self.number(object["value"]) ?? .min : .min
      }
      check(realm, model, type)
    }
  }

  /// What queries through an index find must be what is there.
  private func check(_ realm: Realm, _ model: [Int: Int], _ type: HiddenShape.Type) {
    guard let property = realm.schema["Shape"]?["value"], property.isIndexed || property.isFullText else {
      return
    }
    for (id, number) in model.prefix(30) where number != .min {
      let found =
        property.isFullText
        ? realm.dynamicObjects("Shape").filter("value TEXT %@", "\(number)")
        : realm.dynamicObjects("Shape").filter("value == %@", Self.value(number, for: property))
      #expect(found.contains { $0["id"] as? Int == id })
      #expect(found.count == model.values.filter { $0 == number }.count)
    }
  }
}
