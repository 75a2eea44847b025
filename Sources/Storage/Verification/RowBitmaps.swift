/// Which rows of a table are there: a bitmap for each chunk that has one in the file, in their order. The numbers of
/// deleted rows are never given again, so that few chunks of many may be left.
struct RowBitmaps {
  static let wordsPerChunk = chunkCapacity / 64

  /// The numbers of the chunks.
  private(set) var chunks: [Int] = []
  private var words: [UInt64] = []

  /// Adds a chunk, unless it does not come after all others.
  ///
  /// - Parameter bits: Its bitmap; nil when that cannot be read.
  mutating func append(_ chunk: Int, _ bits: UnsafeRawPointer?) {
    if let last = chunks.last, chunk <= last { return }
    chunks.append(chunk)
    for word in 0..<Self.wordsPerChunk {
      words.append(bits?.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self) ?? 0)
    }
  }

  /// Adds a row to what is there, in whichever order.
  mutating func insert(_ row: Int) {
    let chunk = row / chunkCapacity
    let place = (0..<chunks.count).partitioningIndex { chunks[$0] >= chunk }
    if place == chunks.count || chunks[place] != chunk {
      chunks.insert(chunk, at: place)
      words.insert(
        contentsOf: repeatElement(0, count: Self.wordsPerChunk), at: place * Self.wordsPerChunk)
    }
    let index = row % chunkCapacity
    words[place * Self.wordsPerChunk + index >> 6] |= 1 << UInt64(index & 63)
  }

  /// The bitmap of a chunk, which must be there.
  func words(of chunk: Int) -> ArraySlice<UInt64> {
    let place = place(of: chunk)!
    return words[place * Self.wordsPerChunk..<(place + 1) * Self.wordsPerChunk]
  }

  func contains(_ row: Int) -> Bool {
    guard row >= 0, let place = place(of: row / chunkCapacity) else { return false }
    let index = row % chunkCapacity
    return words[place * Self.wordsPerChunk + index >> 6] & 1 << UInt64(index & 63) != 0
  }

  /// How many rows are there.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  private func place(of chunk: Int) -> Int? {
    // Usually all chunks exist.
    if chunk < chunks.count, chunks[chunk] == chunk { return chunk }
    let place = (0..<chunks.count).partitioningIndex { chunks[$0] >= chunk }
    return place < chunks.count && chunks[place] == chunk ? place : nil
  }
}
