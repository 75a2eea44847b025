import TestSupport
import Testing

@testable import Storage

/// Keys over several columns must sort as their values do, one after the other.
@Suite struct CompoundKeyTests {
  private static func part(_ random: inout SeededGenerator) -> IndexKey {
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    switch below(8) {
    case 0: return .null
    case 1: return IndexKey(below(2) == 0)
    case 2: return IndexKey([-0.0, 0, 1.5, -1.5, .infinity, -.infinity, 1e300][below(7)] as Double)
    case 3:
      let power = Int64(1) << below(63)
      return IndexKey([power, -power, power - 1, -power - 1, power + 1, .min, .max, 0][below(8)])
    case 4: return IndexKey(Int64(below(600)) - 300)
    default: return .bytes((0..<below(5)).map { _ in [0, 0, 1, 48, 97, 254, 255][below(7)] })
    }
  }

  /// Parts of the same column are of one kind, or null: only such keys are in one index.
  private static func parts(
    _ kinds: [IndexKeyKind], _ random: inout SeededGenerator
  ) -> [IndexKey] {
    kinds.map { kind in
      while true {
        let part = part(&random)
        if part == .null || part.kind == kind { return part }
      }
    }
  }

  private static func kinds(_ random: inout SeededGenerator) -> [IndexKeyKind] {
    (0..<Int.random(in: 2...4, using: &random)).map { _ in
      Bool.random(using: &random) ? .integer : .bytes
    }
  }

  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1))
  func keysSortAsTheirParts(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let kinds = Self.kinds(&random)
      let a = Self.parts(kinds, &random)
      let b =
        Bool.random(using: &random)
        ? a.dropLast() + Self.parts([kinds[kinds.count - 1]], &random) : Self.parts(kinds, &random)
      let (first, second) = (CompoundKey(a).indexKey, CompoundKey(b).indexKey)
      #expect((first < second) == a.lexicographicallyPrecedes(b), "\(a) \(b)")
      #expect((first == second) == (a == b), "\(a) \(b)")
    }
  }

  @Test(arguments: TestLength.seeds([1, 2], short: 1))
  func partsComeBack(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let parts = Self.parts(Self.kinds(&random), &random)
      let key = CompoundKey(parts)
      #expect(key.indexKey.parts == parts)
      let count = Int.random(in: 0...parts.count, using: &random)
      let length = key.bytes.withUnsafeBytes { CompoundKey.length(ofParts: count, in: $0) }
      #expect(Array(key.bytes[..<length]) == CompoundKey(parts[..<count]).bytes, "\(parts) \(count)")
    }
  }

  /// A range over the next value holds the keys whose value it holds, and no others, whatever comes after.
  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1))
  func rangesOfTheNextValue(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let kinds = Self.kinds(&random)
      let key = Self.parts(kinds, &random)
      let place = Int.random(in: 0..<kinds.count, using: &random)
      func bound() -> IndexKey? {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: nil
        case 1: key[place]
        default: Self.parts([kinds[place]], &random)[0]
        }
      }
      var range = IndexRange(from: bound(), through: bound())
      range.includesLower = Bool.random(using: &random)
      range.includesUpper = Bool.random(using: &random)
      if case .bytes(let bytes)? = range.lower, Bool.random(using: &random) { range = .prefix(bytes) }
      let isSame = Bool.random(using: &random)
      let beginning = isSame ? Array(key[..<place]) : Self.parts(Array(kinds[..<place]), &random)
      let whole = CompoundKey(beginning).range(next: range)
      let expected = beginning == Array(key[..<place]) && range.holds(key[place])
      #expect(whole.holds(CompoundKey(key).indexKey) == expected, "\(beginning) \(range) \(key)")
      let isBeginning = CompoundKey(beginning).beginning.holds(CompoundKey(key).indexKey)
      #expect(isBeginning == (beginning == Array(key[..<place])), "\(beginning) \(key)")
    }
  }
}

extension IndexRange {
  fileprivate func holds(_ key: IndexKey) -> Bool {
    if let lower, includesLower ? key < lower : key <= lower { return false }
    if let upper, includesUpper ? key > upper : key >= upper { return false }
    return true
  }
}
