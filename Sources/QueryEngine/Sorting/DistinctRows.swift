import Storage

/// Finds the first of each group of rows that are equal in all keys, by hashing. Rows without a value because a link on
/// the way is null are in no group.
struct DistinctRows {
  private let columns: [SortColumn]
  private let count: Int

  init(_ keys: [SortKey], rows: [Int], table: Table) {
    columns = keys.map { SortColumn($0, rows: rows, table: table) }
    count = rows.count
  }

  /// A place of the hash table; free when the position is `UInt32.max`.
  private struct Entry {
    var hash: UInt32
    var position: UInt32
    static let free = Entry(hash: 0, position: .max)
  }

  /// The positions of the first of each group, ascending.
  func positions() -> [Int] {
    precondition(count < Int(UInt32.max))
    var firsts: [Int] = []
    var entries = [Entry](repeating: .free, count: 1024)
    for position in 0..<count where !columns.contains(where: { $0.isMissing(position) }) {
      let hash = hash(position)
      if isNew(position, hash, &entries) {
        firsts.append(position)
        if firsts.count * 2 > entries.count { entries = Self.doubled(entries) }
      }
    }
    return firsts
  }

  @inline(__always) private func hash(_ position: Int) -> UInt32 {
    var hash: UInt64 = 0
    for column in columns { column.hash(position, into: &hash) }
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  @inline(__always) private func isNew(_ position: Int, _ hash: UInt32, _ entries: inout [Entry]) -> Bool {
    let mask = entries.count - 1
    var place = Int(hash) & mask
    while entries[place].position != .max {
      if entries[place].hash == hash, areEqual(Int(entries[place].position), position) { return false }
      place = (place + 1) & mask
    }
    entries[place] = Entry(hash: hash, position: UInt32(position))
    return true
  }

  @inline(__always) private func areEqual(_ a: Int, _ b: Int) -> Bool {
    for column in columns where column.order(a, b) != 0 { return false }
    return true
  }

  private static func doubled(_ old: [Entry]) -> [Entry] {
    var entries = [Entry](repeating: .free, count: old.count * 2)
    let mask = entries.count - 1
    for entry in old where entry.position != .max {
      var place = Int(entry.hash) & mask
      while entries[place].position != .max { place = (place + 1) & mask }
      entries[place] = entry
    }
    return entries
  }
}

extension SortColumn {
  /// Mixes a position's value into a hash, of which the upper half is good.
  @inline(__always) func hash(_ position: Int, into hash: inout UInt64) {
    for digit in digits { hash.mix(digit[position]) }
    guard let text else { return }
    let bytes = text.bytes(position)
    hash.mix(UInt64(bytes.count))
    for word in 0..<(bytes.count + 7) / 8 { hash.mix(text.word(position, word)) }
  }
}

extension UInt64 {
  @inline(__always) fileprivate mutating func mix(_ word: UInt64) {
    let product = (self ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    self = product.high ^ product.low
  }
}
