public import Synchronization

/// Memory for a value that one thread uses, and the number of that thread in front of it.
///
/// Every thread reads the number, in order to be refused, while the owner writes the value. The number is therefore an
/// atomic word and no part of the value: writing one field of a Swift struct is an access to the whole struct.
///
/// Invariants: before a value come two links, which are `Fork`'s, and the word of the thread, which begins a cache line
/// that the value continues: an access reads both.
public enum ConfinedMemory {
  private static let cacheLine = 64
  private static let valueOffset = cacheLine + MemoryLayout<UInt>.size

  /// Returns memory for one value, which is not initialised.
  package static func allocate<Value>(
    _ type: Value.Type = Value.self, thread: UInt
  ) -> UnsafeMutablePointer<Value> {
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: valueOffset + MemoryLayout<Value>.size, alignment: cacheLine)
    let value = start + valueOffset
    (value - MemoryLayout<UInt>.size).initializeMemory(as: UInt.self, to: thread)
    Fork.add(value)
    return value.bindMemory(to: Value.self, capacity: 1)
  }

  /// Frees what `allocate` returned.
  package static func deallocate<Value>(_ value: UnsafeMutablePointer<Value>) {
    Fork.remove(UnsafeMutableRawPointer(value))
    (UnsafeMutableRawPointer(value) - valueOffset).deallocate()
  }

  /// Returns the number of the only thread that may use a value, or 0 when that cannot be told by a number.
  @inlinable @inline(__always)
  public static func thread(of value: UnsafeRawPointer) -> UInt {
    (value - MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self).pointee
      .load(ordering: .relaxed)
  }

  /// Sets the number of the only thread that may use a value.
  package static func setThread(_ thread: UInt, of value: UnsafeRawPointer) {
    (value - MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self).pointee
      .store(thread, ordering: .relaxed)
  }
}
