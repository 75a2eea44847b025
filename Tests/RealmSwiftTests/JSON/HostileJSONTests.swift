import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// JSON from outside the program that does not fit described classes is an error, and never stops it.
@Suite struct HostileJSONTests {
  private static let classes = [
    DescribedClass(
      "Owner",
      [
        DescribedProperty("id", .string, primaryKey: true), DescribedProperty("age", .int),
        DescribedProperty("pet", .object, of: "Pet"), DescribedProperty("home", .object, of: "Home"),
        DescribedProperty("pets", .object, of: "Pet", in: .list),
        DescribedProperty("homes", .object, of: "Home", in: .map),
        DescribedProperty("numbers", .int, in: .set), DescribedProperty("dates", .date, in: .list),
        DescribedProperty("any", .any), DescribedProperty("anys", .any, in: .map),
        DescribedProperty("code", .UUID, optional: true), DescribedProperty("nothing", .bool, optional: true),
      ]),
    DescribedClass(
      "Pet",
      [
        DescribedProperty("id", .int, primaryKey: true), DescribedProperty("owner", .object, of: "Owner"),
        DescribedProperty("size", .decimal128), DescribedProperty("key", .objectId, unique: true),
      ]),
    DescribedClass(
      "Home", embedded: true,
      [DescribedProperty("street", .string), DescribedProperty("inner", .object, of: "Room", in: .list)]),
    DescribedClass("Room", embedded: true, [DescribedProperty("size", .double, optional: true)]),
    DescribedClass(
      "Pair", [DescribedProperty("a", .int), DescribedProperty("b", .string)],
      indexes: [Index(.primaryKey, ["a", "b"])]),
  ]
  private static let keys = [
    "id", "age", "pet", "home", "pets", "homes", "numbers", "dates", "any", "anys", "code", "nothing",
    "owner", "size", "key", "street", "inner", "a", "b", "", "none", "$k", "x.y",
  ]
  private static let scalars = [
    "1", "0", "-7", "1.5", "1e400", "99999999999999999999", "true", "null", "\"\"", "\"a\"", "\"1\"",
    "\"2024-01-01T00:00:00Z\"", "\"00112233-4455-6677-8899-AABBCCDDEEFF\"", "\"000102030405060708090a0b\"",
    "\"\\u0000\"", "\"\\ud800\"", "NaN", "-0", "\"\u{E4}\"",
  ]

  private static func json(_ random: inout SeededGenerator, depth: Int) -> String {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 8), using: &random) {
    case 0...3: return scalars.randomElement(using: &random)!
    case 4:
      let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in json(&random, depth: depth - 1) }
      return "[" + elements.joined(separator: ",") + "]"
    default:
      let members = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        "\"\(keys.randomElement(using: &random)!)\":\(json(&random, depth: depth - 1))"
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  /// Mostly of the right shape, so that wrong values are reached in every place.
  private static func object(_ className: String, _ random: inout SeededGenerator, depth: Int) -> String {
    if Int.random(in: 0..<12, using: &random) == 0 { return json(&random, depth: 2) }
    let described = classes.first { $0.name == className }!
    let members = described.properties.compactMap { property -> String? in
      if Int.random(in: 0..<3, using: &random) == 0 { return nil }
      return "\"\(property.name)\":\(value(property, &random, depth: depth))"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private static func value(
    _ property: DescribedProperty, _ random: inout SeededGenerator, depth: Int
  ) -> String {
    if depth == 0 || Int.random(in: 0..<15, using: &random) == 0 { return json(&random, depth: 2) }
    func element(_ random: inout SeededGenerator) -> String {
      switch property.type {
      case .object: object(property.objectClassName!, &random, depth: depth - 1)
      case .int: "\(Int.random(in: 0...9, using: &random))"
      case .string: "\"\(Int.random(in: 0...9, using: &random))\""
      case .date: "12.5"
      case .decimal128: "\"1.5\""
      case .bool: "true"
      case .objectId: "\"00010203040506070809\(Int.random(in: 1000...1010, using: &random))\""
      default: json(&random, depth: 2)
      }
    }
    let elements = (0..<2).map { _ in element(&random) }
    return switch property.collection {
    case nil: elements[0]
    case .map: "{\"k\":\(elements[0]),\"l\":\(elements[1])}"
    default: "[\(elements[0]),\(elements[1])]"
    }
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6], short: 2)) func errorsAreThrown(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let file = ScratchRealm([])
    let realm = try Realm(configuration: file.described(.classes(Self.classes)))
    var (imported, refused) = (0, 0)
    for _ in 0..<TestLength.count(2_000, long: 100_000) {
      let className = ["Owner", "Owner", "Pet", "Pair"].randomElement(using: &random)!
      let text = Self.object(className, &random, depth: 3)
      let policy: Realm.UpdatePolicy = [.error, .modified, .all].randomElement(using: &random)!
      let unknown: Realm.UnknownKeys = Bool.random(using: &random) ? .ignore : .refuse
      realm.beginWrite()
      do {
        try Array(text.utf8).withUnsafeBytes { bytes in
          var objects = JSONImport(
            bytes, realm.core, realm.core.dynamicClassTable(named: className), policy, .secondsSince1970,
            unknown)
          _ = try objects.run()
        }
        try realm.commitWrite()
        imported += 1
      } catch {
        if realm.isInWriteTransaction { realm.cancelWrite() }
        refused += 1
      }
    }
    #expect(imported > 20 && refused > 100, "\(imported) imported, \(refused) refused")
    let report = try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey)
    #expect(report.isSound, "\(report)")
  }
}
