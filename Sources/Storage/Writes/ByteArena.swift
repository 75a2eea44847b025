import LibC

/// Memory for byte strings that live as long as a write transaction: they never move, and are freed together unless
/// nothing points to any of a block before.
///
/// Where the next string goes is kept in the snapshot's state, so that writing one that fits needs no more.
final class ByteArena {
  private static let blockSize = 256 * 1024
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private(set) var size = 0
  private var sizeToLookAt = 32 * blockSize

  /// Copies bytes, to a new block if they do not fit in the present one.
  func copy(
    _ bytes: UnsafeRawBufferPointer, _ state: UnsafeMutablePointer<SnapshotState>
  ) -> UnsafeRawBufferPointer {
    guard let source = bytes.baseAddress, bytes.count > 0 else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let target: UnsafeMutableRawPointer
    if bytes.count >= Self.blockSize / 4 {
      target = allocate(bytes.count)
    } else {
      if bytes.count > state.pointee.arenaFree {
        state.pointee.arenaNext = allocate(Self.blockSize)
        state.pointee.arenaFree = Self.blockSize
      }
      target = state.pointee.arenaNext!
      state.pointee.arenaNext = target + bytes.count
      state.pointee.arenaFree -= bytes.count
    }
    memcpy(target, source, bytes.count)
    return UnsafeRawBufferPointer(start: target, count: bytes.count)
  }

  private func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let block = malloc(size)!
    blocks.append(UnsafeMutableRawBufferPointer(start: block, count: size))
    self.size += size
    return block
  }

  deinit {
    for block in blocks { free(block.baseAddress) }
  }

  // MARK: Freeing before the end

  /// Whether so much has been written since the last time that looking for what is no longer used may pay.
  var shallLookForUnused: Bool { size >= sizeToLookAt }

  /// Which blocks are in use.
  struct Use {
    fileprivate var blocks: [UnsafeMutableRawBufferPointer]
    fileprivate var isUsed: [Bool]
    private var last = 0

    fileprivate init(_ blocks: [UnsafeMutableRawBufferPointer]) {
      self.blocks = blocks.sorted { $0.baseAddress! < $1.baseAddress! }
      isUsed = Array(repeating: false, count: blocks.count)
    }

    /// Notes that an address, in a block or anywhere else, is in use.
    mutating func mark(_ address: UnsafeRawPointer) {
      func contains(_ index: Int) -> Bool {
        let start = UnsafeRawPointer(blocks[index].baseAddress!)
        return address >= start && address < start + blocks[index].count
      }
      // Most neighbours are stored in the same block.
      if last < blocks.count, contains(last) {
        isUsed[last] = true
        return
      }
      let next = blocks.indices.partitioningIndex { UnsafeRawPointer(blocks[$0].baseAddress!) > address }
      guard next > 0, contains(next - 1) else { return }
      last = next - 1
      isUsed[last] = true
    }
  }

  func beginMarking() -> Use { Use(blocks) }

  /// Frees the blocks that were not marked, except the one that the next string may go to.
  func freeUnmarked(_ use: Use, next: UnsafeRawPointer?) {
    blocks = []
    size = 0
    for (block, isUsed) in zip(use.blocks, use.isUsed) {
      let start = UnsafeRawPointer(block.baseAddress!)
      // The place of the next string may be the end of a block.
      if isUsed || next.map({ $0 >= start && $0 <= start + block.count }) ?? false {
        blocks.append(block)
        size += block.count
      } else {
        free(block.baseAddress)
      }
    }
    sizeToLookAt = max(32 * Self.blockSize, 2 * size)
  }
}

extension WideChunk {
  /// Copies the byte strings to the arena, wherever they lie. When long values are kept outside, those of the file are
  /// not looked at again, and what was written lies there already: both stay.
  func detach(_ arena: ByteArena, _ state: UnsafeMutablePointer<SnapshotState>, keepsLongValuesOutside: Bool)
  {
    let chunk = chunk
    for index in 0..<chunk.count {
      guard let bytes = chunk.bytes(index), !bytes.isEmpty else { continue }
      if keepsLongValuesOutside && (wasWritten(index) || bytes.count > longestInlineValue) { continue }
      setBytes(index, arena.copy(bytes, state))
    }
  }

  /// Copies the byte strings that lie in memory which is about to go to the arena.
  func detach(
    from memory: UnsafeRawBufferPointer, to arena: ByteArena, _ state: UnsafeMutablePointer<SnapshotState>
  ) {
    let chunk = chunk
    guard chunk.encoding == .wideBytes, let start = memory.baseAddress else { return }
    for index in 0..<chunk.count {
      guard let bytes = chunk.bytes(index), let first = bytes.baseAddress, !bytes.isEmpty,
        first >= start, first < start + memory.count
      else { continue }
      setBytes(index, arena.copy(bytes, state))
    }
  }

  /// Notes the places of all byte strings.
  func mark(_ use: inout ByteArena.Use) {
    guard chunk.encoding == .wideBytes else { return }
    for index in 0..<chunk.count {
      if let start = chunk.bytes(index)?.baseAddress { use.mark(start) }
    }
  }
}
