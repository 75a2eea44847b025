import Synchronization

/// Marks of the extents that were found sound: 4 bytes for each unit of the file, of which the one of an extent's first unit counts.
///
/// A mark is derived from the reference. So an extent that is written to the same place later is verified again, and the table needs
/// no lock.
struct SoundMarks {
  /// No mark of a reference is even. One thread writes to the memory of the extent; others wait.
  static let busy: UInt32 = 2

  private let mapping: Mapping
  private let start: UnsafeMutableRawPointer

  /// - Parameter limit: Maximum size of the file in bytes.
  init(limit: Int) throws(PageError) {
    mapping = try Mapping(zeros: limit / FileLayout.unit * 4)
    start = mapping.start
  }

  @inline(__always)
  subscript(unit: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    (start + unit * 4).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  @inline(__always)
  static func mark(of reference: Reference) -> UInt32 {
    let kind = UInt32(reference.flags.rawValue) << 24 ^ UInt32(truncatingIfNeeded: reference.version)
    return (UInt32(truncatingIfNeeded: reference.sum.low) ^ (reference.length ^ kind) &* 0x9E37_79B1) | 1
  }
}
