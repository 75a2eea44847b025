/// What the runtime keeps of a class: the size of its objects, and how they are aligned.
///
/// Without Objective-C there are flags and address point at 16, the instance size in 4 bytes at 24, the alignment mask in
/// 2 bytes at 28 and the address of the descriptor at 40 (swift/include/swift/ABI/Metadata.h, TargetClassMetadata).
/// Checked with classes of different sizes and alignments. Otherwise sizes are not known.
package enum ClassMetadata {
  static let isKnown = RuntimeFact.classMetadata.isSo { Probe.isAsDescribed }

  /// The number of bytes of an object. Only where it is known.
  static func instanceSize(of type: AnyClass) -> Int {
    Int(address(of: type).load(fromByteOffset: 24, as: UInt32.self))
  }

  /// What the address of an object is a multiple of. Only where it is known.
  static func alignment(of type: AnyClass) -> Int {
    Int(address(of: type).load(fromByteOffset: 28, as: UInt16.self)) + 1
  }

  /// The address of the class's descriptor. Only where it is known.
  static func descriptor(of type: AnyClass) -> UnsafeRawPointer? {
    address(of: type).load(fromByteOffset: 40, as: UnsafeRawPointer?.self)
  }

  static func address(of type: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
  }

  private class Probe {
    var first = 0

    static var isAsDescribed: Bool {
      #if canImport(ObjectiveC)
        return false
      #else
        // Two words, and what the class stores.
        let header = 2 * MemoryLayout<Int>.size
        let wide = MemoryLayout<SIMD4<Float>>.size
        return instanceSize(of: Probe.self) == header + 8 && alignment(of: Probe.self) == 8
          && instanceSize(of: LongProbe.self) == header + 8 + 300 * 8 && alignment(of: LongProbe.self) == 8
          && instanceSize(of: WideProbe.self) == header + 16 + wide && alignment(of: WideProbe.self) == wide
      #endif
    }
  }

  private final class LongProbe: Probe {
    var numbers = InlineArray<300, Int>(repeating: 0)
  }

  private final class WideProbe: Probe {
    var numbers = SIMD4<Float>()
  }
}
