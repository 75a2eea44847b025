import Foundation
import RealmSwift
import TestSupport
import Testing

/// Enough rows for many chunks of every column, with values of all sizes side by side.
@Suite struct ManyRowsTests {
  final class Everything: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var bool: Bool
    @Persisted var small: Int8
    @Persisted var optionalInt: Int?
    @Persisted(indexed: true) var wide: Int64
    @Persisted var float: Float
    @Persisted var double: Double?
    @Persisted var string: String
    @Persisted(indexed: true) var optionalString: String?
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var objectId: ObjectId?
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128
    @Persisted var any: AnyRealmValue
    @Persisted var next: Everything?
    @Persisted var suit: Suit
    @Persisted var numbers: List<Int>
  }

  /// The values of a row, which follow from its number and how often it was changed.
  private struct Expected {
    let bool: Bool
    let small: Int8
    let optionalInt: Int?
    let wide: Int64
    let float: Float
    let double: Double?
    let string: String
    let optionalString: String?
    let data: Data
    let date: Date
    let objectId: ObjectId?
    let uuid: UUID
    let decimal: Decimal128
    let any: AnyRealmValue
    let next: Int?
    let suit: Suit
    let numbers: [Int]

    init(id: Int, round: Int, count: Int, seed: UInt64) {
      var generator = SeededGenerator(seed: seed &+ UInt64(id) &* 1_000_003 &+ UInt64(round))
      let bits = generator.next()
      bool = bits & 1 == 0
      small = Int8(truncatingIfNeeded: bits >> 8)
      optionalInt = bits & 6 == 0 ? nil : Int(truncatingIfNeeded: bits >> (bits & 63))
      wide = Int64(bitPattern: generator.next() >> (generator.next() & 63))
      float = Float(Int16(truncatingIfNeeded: bits)) / 8
      double = bits & 24 == 0 ? nil : Double(generator.next())
      let length = bits & 1023 == 0 ? 20_000 : Int(bits >> 32 & 63) * (bits & 96 == 0 ? 5 : 1)
      string = String(repeating: bits & 128 == 0 ? "ab" : "ü", count: length)
      optionalString = bits & 768 == 0 ? nil : "word \(bits >> 20 & 31)"
      data = Data(repeating: UInt8(truncatingIfNeeded: bits >> 16), count: length)
      date = Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: generator.next())))
      objectId = bits & 3072 == 0 ? nil : try? ObjectId(string: String(repeating: "\(id % 10)a", count: 12))
      let (a, b) = (generator.next(), generator.next())
      let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? a : b) >> (8 * UInt64($0 & 7))) }
      uuid = bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
      decimal = Decimal128(value: Int(truncatingIfNeeded: a))
      any =
        switch b % 7 {
        case 0: .none
        case 1: .int(id)
        case 2: .string("any \(a % 50)")
        case 3: .double(Double(id) / 4)
        case 4: .bool(a & 1 == 0)
        case 5: .date(date)
        default: .uuid(uuid)
        }
      next = a & 3 == 0 ? nil : Int(a >> 2) % count
      suit = Suit.allCases[Int(b >> 8) % 3]
      numbers = (0..<Int(b >> 16) % 5).map { id * $0 }
    }

    func dictionary(id: Int) -> [String: Any] {
      [
        "id": id, "bool": bool, "small": small, "optionalInt": optionalInt as Any, "wide": wide,
        "float": float,
        "double": double as Any, "string": string, "optionalString": optionalString as Any, "data": data,
        "date": date, "objectId": objectId as Any, "uuid": uuid, "decimal": decimal, "any": any, "suit": suit,
        "numbers": numbers,
      ]
    }

    func matches(_ row: Everything) -> Bool {
      let scalars =
        row.bool == bool && row.small == small && row.optionalInt == optionalInt && row.wide == wide
        && row.float == float && row.double == double && row.string == string
        && row.optionalString == optionalString && row.data == data
      return scalars && row.date == date && row.objectId == objectId && row.uuid == uuid
        && row.decimal == decimal && row.any == any && row.next?.id == next && row.suit == suit
        && Array(row.numbers) == numbers
    }
  }

  @Test func writtenReadAndChangedAcrossChunks() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("ManyRowsTests seed \(seed)")
    let file = ScratchRealm([Everything.self])
    let count = 2_600
    var rounds = Array(repeating: 0, count: count)
    let expected = { (id: Int) in Expected(id: id, round: rounds[id], count: count, seed: seed) }
    try file.write { realm in
      for id in 0..<count { realm.create(Everything.self, value: expected(id).dictionary(id: id)) }
      for id in 0..<count {
        let next = expected(id).next.flatMap { realm.object(ofType: Everything.self, forPrimaryKey: $0) }
        realm.object(ofType: Everything.self, forPrimaryKey: id)?.next = next
      }
    }
    func checkAll() throws {
      try file.read { realm in
        let rows = realm.objects(Everything.self)
        #expect(rows.count == count)
        var seen = 0
        for row in rows {
          let id = row.id
          let matches = expected(id).matches(row)
          #expect(matches, "row \(id), seed \(seed)")
          if !matches { break }
          seen += 1
        }
        #expect(seen == count)
        // The indexes tell the same.
        for id in stride(from: 0, to: count, by: 97) {
          let (wide, text) = (expected(id).wide, expected(id).optionalString)
          #expect(rows.where { $0.wide == wide }.contains { $0.id == id })
          #expect(rows.where { $0.optionalString == text }.contains { $0.id == id })
        }
      }
    }
    try checkAll()
    var generator = SeededGenerator(seed: seed)
    let changed = (0..<count).filter { _ in generator.next() % 7 == 0 }
    try file.write { realm in
      for id in changed {
        rounds[id] += 1
        let new = expected(id)
        realm.create(Everything.self, value: new.dictionary(id: id), update: .modified)
        let row = realm.object(ofType: Everything.self, forPrimaryKey: id)
        row?.next = new.next.flatMap { realm.object(ofType: Everything.self, forPrimaryKey: $0) }
      }
    }
    try checkAll()
  }
}
