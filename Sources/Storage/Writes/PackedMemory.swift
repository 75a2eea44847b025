import LibC

/// Memory for the packed chunks of one column.
///
/// They are stored column by column, while the file takes memory for its nodes: chunks of several columns between each
/// other would leave holes that are too small for it.
///
/// Invariants: a block begins with the number of those who need it, which are its chunks and, until it is full, this
/// object; it is freed with the last of them. Chunks are aligned to 16 bytes.
final class PackedMemory {
  private static let blockSize = 128 * 1024
  private static let headerSize = 16
  private var block: UnsafeMutableRawPointer?
  private var used = 0

  /// A chunk in a block.
  struct Chunk {
    let bytes: UnsafeMutableRawBufferPointer
    /// Room behind them for the bitmap of the values that were written, where that is asked for.
    let writtenBitmap: UnsafeMutableRawPointer?
    fileprivate let block: UnsafeMutableRawPointer

    /// Frees the memory.
    func deallocate() { PackedMemory.release(block) }
  }

  deinit {
    if let block { Self.release(block) }
  }

  func allocate(_ size: Int, hasWrittenBitmap: Bool) -> Chunk {
    let end = (size + 15) & ~15
    let room = hasWrittenBitmap ? end + (chunkBitmapSize + 15) & ~15 : end
    if block == nil || used + room > Self.blockSize {
      if let block { Self.release(block) }
      used = Self.headerSize
      block = malloc(max(Self.blockSize, used + room))!
      block!.storeBytes(of: 1, as: Int.self)
    }
    let block = block!
    block.storeBytes(of: block.load(as: Int.self) + 1, as: Int.self)
    defer { used += room }
    return Chunk(
      bytes: UnsafeMutableRawBufferPointer(start: block + used, count: size),
      writtenBitmap: hasWrittenBitmap ? block + used + end : nil, block: block)
  }

  private static func release(_ block: UnsafeMutableRawPointer) {
    let count = block.load(as: Int.self) - 1
    if count == 0 { free(block) } else { block.storeBytes(of: count, as: Int.self) }
  }
}
