public import CSwiftRuntime

/// The word of an object that counts its references.
///
/// It follows the object's class, at 8. The strong references after the first one are counted from bit 33; an object
/// without unowned and weak references has 3 below (swift/stdlib/public/SwiftShims/RefCount.h). So in Swift 5.9 to 6.3.
/// Checked with an object that gets references of each kind. Otherwise no object counts as unique.
///
/// `public` where the compiler is to inline it into the other layers, which it does not do with what is `package`.
public enum ReferenceCounts {
  /// The counts of an object that has one strong reference, no unowned and no weak ones. Any other state has another value.
  @inlinable static var unique: UInt64 { 3 }
  /// What another strong reference adds.
  private static var strongReference: UInt64 { 1 << 33 }

  static let areKnown = RuntimeFact.referenceCounts.isSo { Probe.isAsDescribed }

  /// Whether an object has a single reference, of whatever kind. Only where the counts are known.
  @inlinable @inline(__always)
  public static func isUnique(_ object: UnsafeRawPointer) -> Bool { referenceCounts(object) == unique }

  /// Gives the copy of an object a single strong reference.
  static func setUnique(_ object: UnsafeMutableRawPointer) {
    object.storeBytes(of: unique, toByteOffset: 8, as: UInt64.self)
  }

  /// An object to try it with.
  private final class Probe {
    static var isAsDescribed: Bool {
      #if canImport(ObjectiveC)
        return false
      #else
        let probe = Unmanaged.passRetained(Probe())
        defer { probe.release() }
        let memory = probe.toOpaque()
        guard isUnique(memory) else { return false }
        _ = probe.retain()
        let isCounted = referenceCounts(memory) == unique + strongReference
        probe.release()
        guard isCounted, isUnique(memory) else { return false }
        return hasOther(Unowned(object: probe.takeUnretainedValue()), memory) && isUnique(memory)
          && hasOther(Weak(object: probe.takeUnretainedValue()), memory)
      #endif
    }

    private struct Unowned { unowned let object: Probe }
    private struct Weak { weak var object: Probe? }

    /// Whether an object with another reference is not unique.
    @inline(never)
    private static func hasOther(_ reference: some Any, _ object: UnsafeRawPointer) -> Bool {
      withExtendedLifetime(reference) { !isUnique(object) }
    }
  }
}
