/// Memory for the bytes of many keys, freed all at once.
///
/// Invariant: bytes handed out stay where they are until `removeAll` or the end of the arena.
final class KeyArena {
  private static let chunkSize = 1 << 16

  private var chunks: [UnsafeMutableRawPointer] = []
  private var large: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var free: UnsafeMutableRawPointer?
  private var available = 0

  init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
    for chunk in large { chunk.deallocate() }
  }

  /// Space for a key, never nil, even for none at all.
  @inline(__always) func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    if size > available || free == nil { return allocateSlowly(size) }
    let start = free!
    free = start + size
    available &-= size
    return start
  }

  @inline(never) private func allocateSlowly(_ size: Int) -> UnsafeMutableRawPointer {
    if size > KeyArena.chunkSize / 8 {
      let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
      large.append(start)
      return start
    }
    if used == chunks.count {
      chunks.append(.allocate(byteCount: KeyArena.chunkSize, alignment: 1))
    }
    let start = chunks[used]
    used += 1
    free = start + size
    available = KeyArena.chunkSize - size
    return start
  }

  @inline(__always) func copy(_ bytes: UnsafeRawPointer, _ count: Int) -> UnsafeRawPointer {
    let start = allocate(count)
    start.copyMemory(from: bytes, byteCount: count)
    return UnsafeRawPointer(start)
  }

  /// Takes back all bytes, and keeps the memory for new ones.
  func removeAll() {
    for chunk in large { chunk.deallocate() }
    large.removeAll(keepingCapacity: true)
    used = 0
    free = nil
    available = 0
  }
}
