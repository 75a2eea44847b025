public import CSwiftRuntime

/// An object's bytes, from which others are made without running an initialiser.
///
/// The runtime makes objects with malloc() and frees them with free() (swift/stdlib/public/runtime/Heap.cpp), so that one
/// whose stored properties are numbers and nils can be copied once its reference counts and its size are known. Checked
/// with an object that says when it is freed. Otherwise objects are made by `init`.
///
/// `public` where the compiler is to inline it into the other layers, which it does not do with what is `package`.
public struct ObjectTemplate {
  @usableFromInline let bytes: UnsafeMutableRawPointer
  @usableFromInline let size: Int

  static let isKnown = RuntimeFact.objectCopies.isSo {
    ReferenceCounts.areKnown && ClassMetadata.isKnown && Probe.isAsDescribed
  }

  /// Whether objects of a class may be made this way. It is the caller's to know that nothing in them is counted.
  package static func allows(_ type: AnyClass) -> Bool {
    // What malloc() aligns to is what the runtime asks it for.
    isKnown && ClassMetadata.alignment(of: type) <= 16
  }

  /// Copies an object of a class for which that is allowed.
  package init(_ object: AnyObject) {
    size = ClassMetadata.instanceSize(of: type(of: object))
    bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    withExtendedLifetime(object) {
      bytes.copyMemory(from: Unmanaged.passUnretained(object).toOpaque(), byteCount: size)
    }
    ReferenceCounts.setUnique(bytes)
  }

  package func deallocate() { bytes.deallocate() }

  /// The memory of a new object, of the class that the copied one had. It has one reference, which is the caller's.
  @inlinable @inline(__always)
  public func makeObject() -> UnsafeMutableRawPointer { copyOf(bytes, size) }

  /// An object to try it with.
  private final class Probe {
    let first = 1
    let second = 2
    let freed: UnsafeMutablePointer<Int>

    init(_ freed: UnsafeMutablePointer<Int>) { self.freed = freed }

    deinit { freed.pointee += first + second }

    static var isAsDescribed: Bool {
      var freed = 0
      return withUnsafeMutablePointer(to: &freed) { freed in
        let probe = Probe(freed)
        // What malloc() made knows its own size, which is little more than what was asked for.
        let known = malloc_usable_size(Unmanaged.passUnretained(probe).toOpaque())
        let size = ClassMetadata.instanceSize(of: Probe.self)
        guard (size..<size + 64).contains(known) else { return false }
        let template = ObjectTemplate(probe)
        defer { template.deallocate() }
        for copies in 1...2 {
          let copy = Unmanaged<Probe>.fromOpaque(template.makeObject()).takeRetainedValue()
          let isCopy = copy !== probe && ReferenceCounts.isUnique(Unmanaged.passUnretained(copy).toOpaque())
          Unmanaged.passRetained(consume copy).release()
          if !isCopy || freed.pointee != 3 * copies { return false }
        }
        return withExtendedLifetime(probe) { true }
      }
    }
  }
}
