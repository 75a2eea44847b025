import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// An update with `.modified` writes what differs, bit by bit, and nothing else.
@Suite struct EqualValueTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws { scratch = try ScratchRealm(opening: [ComparedValues.self]) }

  /// Values of each property, all different, some of them only in their bits.
  private let choices: [(name: String, values: [Any])] = [
    ("integer", [0, 1, -1, Int.max]), ("small", [Int8(0), Int8(-1)]), ("flag", [false, true]),
    ("single", [Float(0), -Float(0), Float.nan, Float(0.5)]), ("double", [0.0, -0.0, Double.nan, 0.5]),
    (
      "date",
      [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.0), Date.distantPast]
    ),
    ("text", ["", "\u{E9}", "e\u{301}", String(repeating: "long", count: 100)]),
    ("data", [Data(), Data([0]), Data([1]), Data(count: 300)]),
    ("uuid", [UUID(uuid: Self.zeros), UUID(uuidString: "00000000-0000-0000-0000-000000000001")!]),
    ("objectId", [ObjectId("000000000000000000000000"), ObjectId("000000000000000000000001")]),
    ("decimal", [Decimal128(0), Decimal128(1)]), ("breed", [ComparedBreed.pug, ComparedBreed.corgi]),
    ("optionalInteger", [NSNull(), 0, 1]), ("optionalFlag", [NSNull(), false, true]),
    ("optionalDouble", [NSNull(), 0.0, -0.0]), ("optionalText", [NSNull(), "", "x"]),
    ("optionalDate", [NSNull(), Date(timeIntervalSinceReferenceDate: 0)]),
    ("optionalData", [NSNull(), Data()]), ("optionalUUID", [NSNull(), UUID(uuid: Self.zeros)]),
    ("optionalDecimal", [NSNull(), Decimal128(0)]), ("optionalBreed", [NSNull(), ComparedBreed.pug]),
  ]
  private static let zeros: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  /// How the values of a row are written.
  private func written() -> [String] {
    let table = realm.core.classTable(ComparedValues.self).table
    return realm.core.classTable(ComparedValues.self).columns.map { column in
      switch table.value(column, 0) {
      case .float(let number): "\(number.bitPattern)"
      case .double(let number), .date(let number): "\(number.bitPattern)"
      case .string(let text): "\(Array(text.utf8))"
      case let value: "\(value)"
      }
    }
  }

  private func upsert(_ value: [String: Any], isAdded: Bool) {
    if isAdded {
      realm.add(ComparedValues(value: value), update: .modified)
    } else {
      realm.create(ComparedValues.self, value: value, update: .modified)
    }
  }

  @Test(arguments: [false, true], TestLength.seeds([61, 62, 63], short: 1))
  func everyTypeAgainstAModel(isAdded: Bool, seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var model: [String: Int] = [:]
    var value: [String: Any] = ["id": 1]
    for (name, values) in choices {
      model[name] = 0
      value[name] = values[0]
    }
    try realm.write { upsert(value, isAdded: isAdded) }
    for _ in 0..<10 {
      try realm.write {
        for _ in 0..<40 {
          let (name, values) = choices.randomElement(using: &random)!
          let choice = values.indices.randomElement(using: &random)!
          value[name] = values[choice]
          let (stamp, before) = (realm.core.snapshot.contentStamp, written())
          upsert(value, isAdded: isAdded)
          let isWritten = realm.core.snapshot.contentStamp != stamp
          #expect(isWritten == (model[name] != choice), "\(name) \(values[choice]), seed \(seed)")
          let changed = zip(before, written()).count { $0 != $1 }
          #expect(changed == (model[name] != choice ? 1 : 0), "\(name) \(values[choice]), seed \(seed)")
          model[name] = choice
        }
      }
    }
    #expect(realm.objects(ComparedValues.self).count == 1)
  }

  /// What is said of the columns that are written next is wrong when other properties are given.
  @Test func dictionariesOfOtherProperties() throws {
    try realm.write {
      for id in 0..<2_000 { realm.create(ComparedValues.self, value: ["id": id]) }
    }
    try realm.write {
      for id in 0..<2_000 {
        switch id % 4 {
        case 0: upsert(["id": id, "integer": id], isAdded: false)
        case 1: upsert(["id": id, "text": "\(id)", "optionalText": "x"], isAdded: false)
        case 2: upsert(["id": id], isAdded: false)
        default: upsert(["id": id, "double": Double(id), "integer": -id], isAdded: false)
        }
      }
    }
    for object in realm.objects(ComparedValues.self) {
      let id = object.id
      #expect(object.integer == (id % 4 == 0 ? id : id % 4 == 3 ? -id : 0))
      #expect(object.text == (id % 4 == 1 ? "\(id)" : ""))
      #expect(object.optionalText == (id % 4 == 1 ? "x" : nil))
      #expect(object.double == (id % 4 == 3 ? Double(id) : 0))
    }
  }
}

enum ComparedBreed: String, PersistableEnum { case pug, corgi }

class ComparedValues: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var integer = 0
  @Persisted var small: Int8 = 0
  @Persisted var flag = false
  @Persisted var single: Float = 0
  @Persisted var double = 0.0
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var text = ""
  @Persisted var data = Data()
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var breed = ComparedBreed.pug
  @Persisted var optionalInteger: Int?
  @Persisted var optionalFlag: Bool?
  @Persisted var optionalDouble: Double?
  @Persisted var optionalText: String?
  @Persisted var optionalDate: Date?
  @Persisted var optionalData: Data?
  @Persisted var optionalUUID: UUID?
  @Persisted var optionalDecimal: Decimal128?
  @Persisted var optionalBreed: ComparedBreed?
}
