/// Where the values are that OpenRealm has in the newest version of a sound file: what of it seals protect. The rest are
/// LMDB's own pages, the record of recovery, and what is not in use.
struct StoredValues {
  private let bytes: [UInt8]
  /// Which of the file's bytes belong to values and their seals.
  private var isValue: [Bool]
  private static let pageSize = 4096

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isValue = Array(repeating: false, count: bytes.count)
    let versions = (0..<2).map { number($0 * Self.pageSize + 16 + 128, 8) }
    let meta = (versions[0] > versions[1] ? 0 : Self.pageSize) + 16
    walk(root: number(meta + 72 + 40, 8), isMain: true)
  }

  /// Whether another file of the same size differs from this one in values only.
  func areAll(thatDifferIn other: [UInt8]) -> Bool {
    other.count == bytes.count && bytes.indices.allSatisfy { bytes[$0] == other[$0] || isValue[$0] }
  }

  private func number(_ place: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(truncatingIfNeeded: UInt64(bytes[place + $1]) << UInt64($1 * 8)) }
  }

  private mutating func walk(root: Int, isMain: Bool) {
    if root < 0 { return }
    let page = root * Self.pageSize
    let isBranch = bytes[page + 10] & 1 != 0
    for index in 0..<(number(page + 12, 2) - 16) / 2 {
      let node = page + number(page + 16 + index * 2, 2)
      if isBranch {
        walk(root: number(node, 6), isMain: isMain)
        continue
      }
      let size = number(node, 4)
      let data = node + 8 + number(node + 6, 2)
      switch bytes[node + 4] {
      case 0: mark(data, size)
      case 1: mark(number(data, 8) * Self.pageSize + 16, size)
      default: if isMain { walk(root: number(data + 40, 8), isMain: false) }
      }
    }
  }

  private mutating func mark(_ start: Int, _ size: Int) {
    for place in start..<start + size { isValue[place] = true }
  }
}
