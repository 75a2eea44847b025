import Synchronization

/// Marks of the extents that were found sound: 4 bytes for each unit of the file, of which the one of an extent's first unit counts.
///
/// A mark is derived from the reference. So an extent that is written to the same place later is verified again, and the table needs
/// no lock. Which lengths and kinds have the same mark is not known outside of the process: a file cannot be made so that a second
/// reference to a unit, to a longer extent or one of another kind, counts as verified.
struct SoundMarks {
  /// No mark of a reference is even. One thread writes to the memory of the extent; others wait.
  static let busy: UInt32 = 2

  private let mapping: Mapping
  private let start: UnsafeMutableRawPointer
  private let factor = UInt64.random(in: 0...(.max)) | 1

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
  func mark(of reference: Reference) -> UInt32 {
    let kind = UInt64(reference.flags.rawValue) << 32 ^ reference.version << 40
    let product = (UInt64(reference.length) ^ kind) &* factor
    return UInt32(truncatingIfNeeded: reference.sum.low ^ product >> 32) | 1
  }
}
