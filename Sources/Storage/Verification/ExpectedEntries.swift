import LibC

/// The entries of a tree, beside what is expected to be there in the same order.
struct ExpectedEntries {
  private(set) var iterator: EntryIterator
  private var head: EntryIterator.Entry?

  init(_ iterator: EntryIterator) {
    self.iterator = iterator
    head = self.iterator.next()
  }

  /// The stored value with a key, which comes after all that were asked for before; nil when there is none.
  ///
  /// - Parameter unexpected: Counts the entries before it that were not asked for.
  mutating func take(_ key: UnsafeRawBufferPointer, unexpected: inout Int) -> EntryIterator.Entry? {
    while let entry = head {
      let order = EntryTree.order(entry.key, key)
      if order > 0 { return nil }
      head = iterator.next()
      if order == 0 { return entry }
      unexpected += 1
    }
    return nil
  }

  /// The next entry, if its key begins so.
  ///
  /// - Parameter unexpected: Counts the entries before the first possible one, which belong to nothing.
  mutating func takeNext(
    beginningWith prefix: UnsafeRawBufferPointer, unexpected: inout Int
  ) -> EntryIterator.Entry? {
    while let entry = head {
      let hasPrefix =
        entry.key.count >= prefix.count
        && memcmp(entry.key.baseAddress!, prefix.baseAddress!, prefix.count) == 0
      if !hasPrefix, EntryTree.order(entry.key, prefix) > 0 { return nil }
      head = iterator.next()
      if hasPrefix { return entry }
      unexpected += 1
    }
    return nil
  }

  /// Whether the next entry has a key that begins so.
  func isNext(beginningWith prefix: UnsafeRawBufferPointer) -> Bool {
    guard let key = head?.key, key.count >= prefix.count else { return false }
    return memcmp(key.baseAddress!, prefix.baseAddress!, prefix.count) == 0
  }

  /// Goes to the end. Returns how many entries were left.
  mutating func takeRest() -> Int {
    var count = 0
    while head != nil {
      count += 1
      head = iterator.next()
    }
    return count
  }
}
