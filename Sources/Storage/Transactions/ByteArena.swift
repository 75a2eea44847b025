import Glibc

/// Memory for byte strings that live as long as a write transaction: they never move and are freed together.
///
/// Where the next string goes is kept in the snapshot's state, so that writing one that fits needs no more.
final class ByteArena {
  private static let blockSize = 256 * 1024
  private var blocks: [UnsafeMutableRawPointer] = []

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
    blocks.append(block)
    return block
  }

  deinit {
    for block in blocks { free(block) }
  }
}
