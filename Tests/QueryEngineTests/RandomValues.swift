import TestSupport

@testable import Storage

/// Random values of every type, from small pools so that comparisons often hold, with the extremes.
struct RandomValues {
  var random: SeededGenerator

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

  mutating func value(_ type: ValueType, linkTable: Int = 0, linkLimit: Int = 0) -> Value {
    switch type {
    case .int: return .int(integer())
    case .bool: return .bool(chance(2))
    case .string: return .string(string())
    case .data: return .data(Array(string().utf8) + (chance(4) ? [0xFF, 0x00] : []))
    case .date: return .date(double())
    case .float: return .float(Float(double()))
    case .double: return .double(double())
    case .objectId: return .objectId(Fixed12(high: UInt64(below(3)), low: UInt32(below(3))))
    case .uuid: return .uuid(Fixed16(high: UInt64(below(3)), low: UInt64(below(3))))
    case .decimal128: return decimal()
    case .link: return linkLimit == 0 ? .null : .link(table: linkTable, row: below(linkLimit))
    case .mixed: return mixed(depth: 2)
    }
  }

  mutating func integer() -> Int64 {
    switch below(12) {
    case 0: return .min
    case 1: return .max
    case 2: return Int64(below(100_000))
    case 3: return -Int64(below(1000))
    default: return Int64(below(10))
    }
  }

  mutating func double() -> Double {
    switch below(16) {
    case 0: return .nan
    case 1: return .infinity
    case 2: return -.infinity
    case 3: return -0.0
    case 4: return 1e300
    case 5: return -2.5
    default: return Double(below(12)) / 2
    }
  }

  mutating func decimal() -> Value {
    // Coefficient and exponent of the binary integer decimal encoding.
    let exponent = UInt64(6176 + below(5) - 2)
    let sign: UInt64 = chance(4) ? 1 << 63 : 0
    let low = UInt64(below(20)) * (chance(3) ? 10 : 1)
    return .decimal128(Fixed16(high: low.byteSwapped, low: (sign | exponent << 49).byteSwapped))
  }

  mutating func string() -> String {
    let words = [
      "", "a", "A", "ab", "abc", "ABC", "b", "straße", "STRASSE", "é", "e\u{301}", "E", "Ελλάς", "ελλας",
      "日本",
      "x*y", "a?c", "Name07-1", "name07-1", "aaaaaaab", "zoo", "z",
    ]
    switch below(10) {
    case 0: return words[below(words.count)] + words[below(words.count)]
    case 1: return String(repeating: words[below(words.count)], count: below(60))
    case 2: return "key-\(below(1000))-\(below(1000))"
    default: return words[below(words.count)]
    }
  }

  mutating func mixed(depth: Int) -> Value {
    let types: [ValueType] = [
      .int, .bool, .string, .data, .date, .float, .double, .objectId, .uuid, .decimal128,
    ]
    switch below(depth > 0 ? 14 : 11) {
    case 0: return .null
    case 1...10: return value(types[below(types.count)])
    case 11, 12: return .list((0..<below(4)).map { _ in mixed(depth: depth - 1) })
    default:
      let keys = ["a", "b", "c"].filter { _ in chance(2) }
      return .dictionary(keys.map { Value.DictionaryEntry(key: $0, value: mixed(depth: depth - 1)) })
    }
  }
}
