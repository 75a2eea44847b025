package import Pages

/// Transactions each of which is known from its number, so that any process can tell what a file must contain from the number of
/// transactions that it has seen, which is an entry of its own.
package struct ScriptedTransactions {
  package private(set) var count = 0
  /// What the first `count` transactions make.
  package private(set) var contents: TestContents = [:]

  private static let keyCount = 200
  private static let counterKey = key(1 << 40)

  package init() {}

  /// The changes of one: a value, or nil for a deletion.
  private static func changes(_ number: Int) -> [(key: Int, value: TestValue?)] {
    var word = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    func next(_ limit: Int) -> Int {
      word ^= word << 13
      word ^= word >> 7
      word ^= word << 17
      return Int(word % UInt64(limit))
    }
    // Now and then so much that it is written in pieces.
    let isLarge = number % 97 == 0
    return (0..<(isLarge ? 150 : 1 + next(4))).map { index in
      let key = next(keyCount)
      if next(6) == 0 { return (key, nil) }
      let size = 8 + next(isLarge ? 60_000 : next(3) == 0 ? 6000 : 600)
      return (key, TestValue(stamp: UInt32(truncatingIfNeeded: number &* 256 + index), size: size))
    }
  }

  /// Goes on to what so many transactions make.
  package mutating func advance(to count: Int) {
    if count < self.count { self = ScriptedTransactions() }
    while self.count < count {
      self.count += 1
      for (key, value) in Self.changes(self.count) { contents[key] = value }
    }
  }

  /// How many transactions a version has seen.
  package static func count(_ version: PageVersion) throws -> Int {
    try counterKey.withUnsafeBytes { try version.value($0)?.loadUnaligned(as: Int.self) } ?? 0
  }

  /// Makes the next one. Returns its number.
  ///
  /// - Parameter durability: Nil for one that is dropped.
  @discardableResult
  package static func perform(_ store: PageStore, _ durability: PageDurability?) throws -> Int {
    let transaction = try PageTransaction(store)
    let number =
      try counterKey.withUnsafeBytes { try transaction.value($0)?.loadUnaligned(as: Int.self) } ?? 0
    for (number, value) in changes(number + 1) {
      try key(number).withUnsafeBytes { key in
        guard let value else {
          _ = try transaction.remove(key)
          return
        }
        value.write(try transaction.reserve(key, value.size))
      }
    }
    try counterKey.withUnsafeBytes { key in
      try transaction.reserve(key, 8).storeBytes(of: number + 1, as: Int.self)
    }
    if let durability { try transaction.commit(durability) } else { transaction.abort() }
    return number + 1
  }

  /// Compares all entries of a version with what its transactions make. Returns their number.
  @discardableResult
  package mutating func check(_ version: PageVersion) throws -> Int {
    let count = try Self.count(version)
    advance(to: count)
    var cursor = PageCursor(.version(version))
    var (found, last) = (0, -1)
    var isThere = try cursor.moveToFirst()
    while isThere {
      let number = number(ofKey: cursor.key)
      if number <= last { throw WrongContents("\(number) follows \(last)") }
      last = number
      if number < 1 << 40 {
        guard let value = contents[number], value.matches(try cursor.value()) else {
          throw WrongContents("entry \(number) after \(count) transactions")
        }
        found += 1
      }
      isThere = try cursor.moveToNext()
    }
    if found != contents.count { throw WrongContents("\(found) of \(contents.count) entries") }
    return count
  }
}
