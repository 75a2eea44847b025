import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Descriptions of classes from outside the program are errors, and never stop it.
@Suite struct HostileDescriptionTests {
  private static let names = [
    "A", "B", "C", "a", "b", "c", "", " ", ".", "$", "@count", "\0", "a\0b", "ä", "\u{301}", "self",
    "class_A",
    String(repeating: "n", count: 64), String(repeating: "n", count: 3_000), "1", "a.b", "`", "DynamicObject",
  ]
  private static let types: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .object, .any, .objectId, .decimal128, .UUID,
    .linkingObjects,
  ]

  private static func property(_ random: inout SeededGenerator) -> DescribedProperty {
    func rarely(_ random: inout SeededGenerator) -> Bool { Int.random(in: 0..<20, using: &random) == 0 }
    func name(_ random: inout SeededGenerator) -> String {
      names.prefix(rarely(&random) ? names.count : 6).randomElement(using: &random)!
    }
    let type = types.randomElement(using: &random)!
    let isLink = type == .object || type == .linkingObjects
    return DescribedProperty(
      name(&random), type, of: isLink != rarely(&random) ? name(&random) : nil,
      in: rarely(&random) ? [.list, .set, .map].randomElement(using: &random)! : nil,
      optional: rarely(&random) ? Bool.random(using: &random) : nil, primaryKey: rarely(&random),
      indexed: rarely(&random), fullText: rarely(&random),
      originProperty: (type == .linkingObjects) != rarely(&random) ? name(&random) : nil,
      columnName: rarely(&random) ? name(&random) : nil, autoIncrement: rarely(&random) ? true : nil,
      unique: rarely(&random) ? true : nil, onDelete: rarely(&random) ? .cascade : nil)
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6], short: 2)) func errorsAreThrown(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    var (opened, refused) = (0, 0)
    for step in 0..<TestLength.count(1_500, long: 50_000) {
      let classes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        DescribedClass(
          Self.names.prefix(Int.random(in: 0..<8, using: &random) > 0 ? 3 : Self.names.count).randomElement(
            using: &random)!,
          embedded: Int.random(in: 0..<6, using: &random) == 0,
          (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.property(&random) })
      }
      let problems = DescribedClass.problems(of: classes)
      autoreleasepool {
        do {
          let configuration = Realm.Configuration(
            inMemoryIdentifier: "hostile \(seed) \(step)", schema: .classes(classes))
          try configuration.checkSettings()
          let realm = try Realm(configuration: configuration)
          #expect(problems.isEmpty, "\(classes)")
          for described in classes { #expect(realm.dynamicObjects(described.name).isEmpty) }
          opened += 1
        } catch {
          #expect(!problems.isEmpty, "\(classes): \(error)")
          refused += 1
        }
      }
    }
    #expect(opened > 50 && refused > 50, "\(opened) opened, \(refused) refused")
  }
}
