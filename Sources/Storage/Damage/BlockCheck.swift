import LibC

/// Looks at a block of an index once: its form, the order of its pairs, its key, and the rows that it names.
struct BlockCheck<Pair: IndexPair> {
  let snapshot: Snapshot
  let index: UInt32

  /// What is wrong with the block, or nil.
  ///
  /// - Parameter key: The block's key, if it is at hand.
  func fault(in bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?) -> String? {
    if let fault = Pair.Block.fault(in: bytes) { return "a block is damaged: \(fault)" }
    let block = Pair.Block(bytes.baseAddress!)
    if !block.isSorted { return "a block is not sorted" }
    if let key, !isKey(key, of: block) { return "a block is in the wrong place" }
    for place in 0..<block.count where !snapshot.canBeIndexed(block.row(place), index: index) {
      return "it has row \(block.row(place)), which is not there"
    }
    let copies = block.copies
    if copies.packing == .constant { return nil }
    for place in 0..<block.count
    where copies[place] > snapshot.mostCopies(ofRow: block.row(place), index: index) {
      return "it has row \(block.row(place)) too often"
    }
    return nil
  }

  /// Whether a key is that of a block, but for what only tells blocks apart whose keys were cut.
  private func isKey(_ key: UnsafeRawBufferPointer, of block: Pair.Block) -> Bool {
    let arena = KeyArena()
    let first = block.pair(0, arena)
    let buffer = BlockKeyBuffer()
    let size = buffer.write(first, index, .null, ordinal: 0)
    guard key.count == size else { return false }
    let compared = first.isCut ? size - 8 : size
    let region = IndexFormat.regionSize
    return memcmp(key.baseAddress! + region, buffer.bytes + region, compared - region) == 0
  }
}

extension Snapshot: BlockVerifier {
  var checkedPlaces: CheckedPlaces { file.checkedPlaces }

  func fault(
    inBlock bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, index: UInt32, hasBytes: Bool
  ) -> String? {
    hasBytes
      ? BlockCheck<BytesPair>(snapshot: self, index: index).fault(in: bytes, key: key)
      : BlockCheck<IntegerPair>(snapshot: self, index: index).fault(in: bytes, key: key)
  }

  func noteDamage(ofIndex index: UInt32, _ fault: String) -> Bool {
    noteDamage(description(ofIndex: index, fault))
  }

  /// What is wrong with a block as it lies in the file, unless it has been found sound before.
  func fault(inBlock entry: EntryCursor.Entry, _ index: UInt32) -> String? {
    guard entry.key.count > IndexFormat.regionSize, let kind = IndexKeyKind(rawValue: entry.key[4])
    else { return "a block is in the wrong place" }
    if file.checkedPlaces.isChecked(entry.value.baseAddress!) { return nil }
    let fault = fault(inBlock: entry.value, key: entry.key, index: index, hasBytes: kind == .bytes)
    if fault == nil { file.checkedPlaces.noteChecked(entry.value.baseAddress!) }
    return fault
  }
}
