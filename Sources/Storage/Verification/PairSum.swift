/// What is the same of two indexes with the same pairs, in whatever order these are added: their number, and a sum over
/// them that differs otherwise, but for one in 2⁶⁴.
struct PairSum: Equatable {
  private(set) var count: UInt64 = 0
  private var sum: UInt64 = 0

  @inline(__always)
  mutating func add(_ key: UInt64, row: UInt64, copies: UInt64 = 1) {
    add(Self.mixed(key ^ 0x9E37_79B9_7F4A_7C15), row, copies)
  }

  mutating func add(_ key: UnsafeRawBufferPointer, row: UInt64, copies: UInt64 = 1) {
    var hash = UInt64(key.count) &+ 0xD1B5_4A32_D192_ED03
    var place = 0
    while place + 8 <= key.count {
      hash = Self.mixed(hash ^ key.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < key.count {
      rest = rest << 8 | UInt64(key[place])
      place += 1
    }
    add(Self.mixed(hash ^ rest), row, copies)
  }

  mutating func addNull(row: UInt64, copies: UInt64 = 1) { add(0x2545_F491_4F6C_DD1D, row, copies) }

  mutating func add(_ key: IndexKey, row: UInt64, copies: UInt64 = 1) {
    switch key {
    case .null: addNull(row: row, copies: copies)
    case .integer(let number): add(number, row: row, copies: copies)
    case .bytes(let bytes): bytes.withUnsafeBytes { add($0, row: row, copies: copies) }
    }
  }

  /// Adds the pairs of another sum.
  mutating func add(_ other: PairSum) {
    count &+= other.count
    sum &+= other.sum
  }

  @inline(__always)
  private mutating func add(_ hash: UInt64, _ row: UInt64, _ copies: UInt64) {
    count &+= copies
    sum &+= Self.mixed(hash &+ row &* 0xFF51_AFD7_ED55_8CCD) &* copies
  }

  @inline(__always)
  private static func mixed(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
