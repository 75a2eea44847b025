import LibC
import Storage

/// Strings and data that pass a test.
final class BytesFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let test: BytesTest
  private let acceptsNull: Bool
  private let nulls = ChunkMask.allocate()
  private var search: SubstringSearch?
  var cost: Double { test.cost }

  init(_ table: Table, _ column: Int, _ test: BytesTest, acceptsNull: Bool) {
    self.table = table
    self.column = column
    self.test = test
    self.acceptsNull = acceptsNull
    guard case .text(let matcher) = test, let pattern = matcher.pattern else { return }
    switch matcher.operation {
    case .contains, .equal: if !pattern.isEmpty { search = SubstringSearch(pattern, matcher.folding) }
    case .like:
      // What stands between wildcards must be contained; single bytes are too common to search for.
      let parts = pattern.split { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
      if let longest = parts.max(by: { $0.count < $1.count }), longest.count > 1 {
        search = SubstringSearch(Array(longest), matcher.folding)
      }
    case .notEqual, .beginsWith, .endsWith, .fullText: break
    }
  }

  deinit { nulls.deallocate() }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = table.chunk(column, number: number)
    nulls.clear()
    if let bitmap = chunk.nullBitmap {
      if acceptsNull {
        nulls.copy(mask)
        nulls.keep(nulls: bitmap, true)
      }
      mask.keep(nulls: bitmap, false)
    }
    if !mask.isEmpty { filterValues(mask, chunk, number) }
    if acceptsNull { mask.formUnion(nulls) }
  }

  private func filterValues(_ mask: ChunkMask, _ chunk: Chunk, _ number: Int) {
    if chunk.encoding == .dictionary {
      filterDictionary(mask, chunk)
      return
    }
    let iteration = BytesIteration(chunk: chunk) { [table, column] index in
      table.bytes(column, number &* chunkCapacity &+ index)
    }
    guard case .text(let matcher) = test else {
      if case .isIn(let members) = test, chunk.encoding == .heap {
        let lengths = chunk.values
        let count = chunk.count
        mask.filter {
          $0 < count && members.canContain(lengthByte: lengths.load(fromByteOffset: $0, as: UInt8.self))
        }
      }
      iteration.filter(mask) { test.matches($0) }
      return
    }
    guard chunk.encoding == .heap, let pattern = matcher.pattern else {
      iteration.filter(mask) { matcher.matches($0) }
      return
    }
    switch matcher.operation {
    case .contains:
      if search?.filter(mask, chunk, iteration.longValue, matcher) == true { return }
    case .like: _ = search?.filter(mask, chunk, iteration.longValue, matcher)
    case .equal where pattern.count <= longestInlineValue:
      if filterEqual(mask, chunk, iteration, matcher, pattern) { return }
    default: break
    }
    iteration.filter(mask) { matcher.matches($0) }
  }

  /// Compares lengths first. What has the right length and contains the pattern equals it, so that many rows are
  /// found by one search. Returns false when the values have to be compared one by one.
  private func filterEqual(
    _ mask: ChunkMask, _ chunk: Chunk, _ iteration: BytesIteration, _ matcher: TextMatcher, _ pattern: [UInt8]
  ) -> Bool {
    let isFolded = matcher.folding != nil
    // Folding may change the length of what is not ASCII, which the search refuses, or is outside the chunk.
    if isFolded {
      guard chunk.flags & ChunkFlags.hasLongValues == 0,
        search?.filter(mask, chunk, iteration.longValue, matcher) == true
      else { return false }
    }
    keepLength(pattern.count, mask, chunk)
    if isFolded || pattern.isEmpty || mask.isEmpty { return true }
    return mask.count > 64 && search?.filter(mask, chunk, iteration.longValue, matcher) == true
  }

  /// Keeps the rows whose values have this length, which is below that of values outside the chunk.
  private func keepLength(_ length: Int, _ mask: ChunkMask, _ chunk: Chunk) {
    let lengths = chunk.values
    let wanted = SIMD16<UInt8>(repeating: UInt8(length))
    let blocks = (chunk.count + 15) / 16
    for word in 0..<maskWordCount {
      var bits: UInt64 = 0
      for part in 0..<4 where word &* 4 &+ part < blocks {
        let found = lengths.loadUnaligned(fromByteOffset: word &* 64 &+ part &* 16, as: SIMD16<UInt8>.self)
        bits |= ByteMask.pack(found .== wanted) << UInt64(part &* 16)
      }
      mask.words[word] &= bits
    }
  }

  /// Tests each entry once, then only compares codes.
  private func filterDictionary(_ mask: ChunkMask, _ chunk: Chunk) {
    let entryCount = chunk.dictionaryCount
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { accepted in
      accepted.initialize(repeating: 0)
      var acceptedCount = 0
      var lastAccepted = 0
      for code in 0..<entryCount where test.matches(chunk.dictionaryEntry(code)) {
        accepted[code] = 1
        acceptedCount += 1
        lastAccepted = code
      }
      if acceptedCount == entryCount { return }
      if acceptedCount == 0 {
        mask.clear()
        return
      }
      let count = chunk.count
      let codes = chunk.values
      guard acceptedCount == 1, count == chunkCapacity else {
        mask.filter { $0 < count && accepted[Int(codes.load(fromByteOffset: $0, as: UInt8.self))] != 0 }
        return
      }
      let wanted = SIMD16<UInt8>(repeating: UInt8(lastAccepted))
      for word in 0..<maskWordCount {
        var bits: UInt64 = 0
        for part in 0..<4 {
          let found = codes.loadUnaligned(fromByteOffset: word &* 64 &+ part &* 16, as: SIMD16<UInt8>.self)
          bits |= ByteMask.pack(found .== wanted) << UInt64(part &* 16)
        }
        mask.words[word] &= bits
      }
    }
  }
}
