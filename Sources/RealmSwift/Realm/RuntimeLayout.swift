import CConcurrencyRuntime
import Glibc

/// How Swift's runtime lays out classes and their objects, as far as making, and using again, many accessors quickly
/// depends on it.
///
/// Nothing of that is promised by anybody. It was so in Swift 5.9 to 6.3; what another toolchain does differently is
/// noticed by trying it once (`isKnown`), and then objects are made by `init`, and each is used for one row only.
///
/// Layout without Objective-C: an object begins with its class and a word of reference counts. The class has flags and
/// address point (16), instance size (24, 4 bytes), alignment mask (28, 2 bytes) and the address of a descriptor (40);
/// that has the name at 8, relative to that place. Objects are freed with free().
enum RuntimeLayout {
  /// The reference counts of an object that has one strong reference, no unowned and no weak ones. Any other state
  /// has another value.
  private static let uniqueReference: UInt64 = 3
  /// What another strong reference adds.
  private static let strongReference: UInt64 = 1 << 33

  /// Whether the runtime is as described above.
  static let isKnown = Probe.isAsDescribed

  /// Whether objects of a class may be made by copying the bytes of one.
  static func allowsCopies(of type: AnyClass) -> Bool {
    // What malloc() aligns to is what the runtime asks it for.
    isKnown && metadata(type).load(fromByteOffset: 28, as: UInt16.self) < 16
  }

  /// The number of bytes of an object.
  static func instanceSize(of type: AnyClass) -> Int {
    Int(metadata(type).load(fromByteOffset: 24, as: UInt32.self))
  }

  /// The name of a class without its module.
  static func name(of type: AnyClass) -> String {
    let place = metadata(type).load(fromByteOffset: 40, as: UnsafeRawPointer.self) + 8
    return String(cString: (place + Int(place.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
  }

  /// Whether an object has a single reference, of whatever kind.
  @inline(__always)
  static func isUnique(_ object: UnsafeRawPointer) -> Bool { referenceCounts(object) == uniqueReference }

  /// Gives the copy of an object a single strong reference.
  static func setUnique(_ object: UnsafeMutableRawPointer) {
    object.storeBytes(of: uniqueReference, toByteOffset: 8, as: UInt64.self)
  }

  private static func metadata(_ type: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
  }

  /// An object to try it with.
  private final class Probe {
    let first = 1
    let second = 2
    let freed: UnsafeMutablePointer<Int>

    init(_ freed: UnsafeMutablePointer<Int>) { self.freed = freed }

    deinit { freed.pointee += first + second }

    static var isAsDescribed: Bool {
      #if canImport(ObjectiveC)
        return false
      #else
        let size = 16 + 3 * MemoryLayout<Int>.size
        guard instanceSize(of: Probe.self) == size,
          metadata(Probe.self).load(fromByteOffset: 28, as: UInt16.self) < 16, name(of: Probe.self) == "Probe"
        else { return false }
        var freed = 0
        return withUnsafeMutablePointer(to: &freed) { freed in
          let probe = Unmanaged.passRetained(Probe(freed))
          defer { probe.release() }
          let memory = probe.toOpaque()
          guard isUnique(memory) else { return false }
          _ = probe.retain()
          let isCounted = referenceCounts(memory) == uniqueReference + strongReference
          probe.release()
          guard isCounted, isUnique(memory) else { return false }
          let copy = malloc(size)!
          copy.copyMemory(from: memory, byteCount: size)
          setUnique(copy)
          Unmanaged<Probe>.fromOpaque(copy).release()
          return freed.pointee == 3
        }
      #endif
    }
  }
}
