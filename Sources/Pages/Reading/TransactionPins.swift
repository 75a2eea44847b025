/// The decrypted memory that the writer pins: what it has touched since the change before the last one, or more while that is little.
///
/// An address that a transaction has given holds until its next change, and in that change as the key or the value. So when a change
/// begins, what was touched before the former change is released. For a walk over entries, a step is what a change is for the writer.
///
/// One thread at a time touches it.
final class TransactionPins {
  private let map: FileMap
  /// Nil of a plain file.
  private(set) var current: PinnedBlocks?
  private var former: PinnedBlocks?
  private let limit: Int

  /// - Parameter limit: Number of bytes that are little.
  init(_ map: FileMap, limit: Int) throws(PageError) {
    (self.map, self.limit) = (map, limit)
    current = try map.makePins()
    former = try map.makePins()
  }

  deinit {
    if !map.isOwn { return }
    map.free(current)
    map.free(former)
  }

  /// Called at the beginning of a change. Returns whether what was touched before the former one was released.
  @inline(__always) @discardableResult
  func beginChange() -> Bool {
    guard let current, current.size > limit else { return false }
    turnOver()
    return true
  }

  @inline(never)
  private func turnOver() {
    if let former { map.decrypted?.release(former) }
    (current, former) = (former, current)
  }

  /// Releases everything. Returns whether there was more than a number of bytes.
  @discardableResult
  func release(beyond size: Int = 0) -> Bool {
    guard let current, let former, current.size + former.size > size else { return false }
    map.decrypted?.release(current)
    map.decrypted?.release(former)
    return true
  }
}
