import TestSupport

@testable import Storage

// Random values of a column.
extension TransactionModelTests {
  func randomValue(_ column: Column, _ model: Model, _ random: inout SeededGenerator) -> Value {
    let mayBeNull = column.isNullable && (column.type != .link || column.collection != .list)
    if mayBeNull && Int.random(in: 0..<5, using: &random) == 0 { return .null }
    switch column.type {
    case .int:
      return .int(
        [
          Int64.min, .max, 0, -1, Int64.random(in: -5...5, using: &random),
          Int64.random(in: 0...70000, using: &random),
        ]
        .randomElement(using: &random)!)
    case .bool: return .bool(Bool.random(using: &random))
    case .string: return .string(randomText(&random))
    case .data: return .data(Array(randomText(&random).utf8))
    case .date: return .date(Double(Int.random(in: -9...9, using: &random)) * 1e6 + 0.125)
    case .float: return .float(Float(Int.random(in: -9...9, using: &random)) / 3)
    case .double:
      return .double(
        [Double.infinity, -0.0, 1e300, Double(Int.random(in: 0..<9, using: &random))].randomElement(
          using: &random)!)
    case .objectId: return .objectId(Fixed12(high: random.next() % 5, low: UInt32(random.next() % 5)))
    case .uuid: return .uuid(Fixed16(high: random.next() % 5, low: random.next() % 5))
    case .decimal128:
      // The bytes of a small whole number: low word first, biased exponent in the upper word.
      return .decimal128(
        Fixed16(high: UInt64(random.next() % 9).byteSwapped, low: UInt64(0x3040_0000_0000_0000).byteSwapped))
    case .link:
      return .link(table: 0, row: model.numbers.randomElement(using: &random) ?? 0)
    case .mixed:
      // In sets a link that becomes null would need the set to be sorted anew; see `mixedSetsKeepLinks`.
      let types: [ValueType] =
        column.collection == .set
        ? [.int, .string, .data, .bool, .uuid] : [.int, .string, .data, .bool, .uuid, .link, .decimal128]
      let type = types.randomElement(using: &random)!
      if type == .link && model.rows.isEmpty { return .int(1) }
      var plain = column
      plain.type = type
      plain.isNullable = false
      if column.collection == .none && Int.random(in: 0..<4, using: &random) == 0 {
        return .list([
          randomValue(plain, model, &random),
          .dictionary([.init(key: "a", value: randomValue(plain, model, &random))]),
        ])
      }
      return randomValue(plain, model, &random)
    }
  }

  func randomText(_ random: inout SeededGenerator) -> String {
    let words = ["", "a", "Wolfie", "ñandú", "日本語", "🐕‍🦺", "same", "same"]
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return String(repeating: "long ", count: Int.random(in: 20..<2000, using: &random))
    case 1...4: return "n\(random.next() % 100000)"
    default: return words.randomElement(using: &random)!
    }
  }
}
