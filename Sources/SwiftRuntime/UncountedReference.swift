import CSwiftRuntime

/// Whether the runtime's `swift_tryRetain` is there, and does what `UncountedReference` says.
///
/// It is what weak references are loaded with (swift/stdlib/public/runtime/HeapObject.cpp). Checked with an object that
/// lives, and with the same while it is freed.
enum TryRetain {
  static let isKnown = RuntimeFact.tryRetain.isSo { hasTryRetain() && Probe.isAsDescribed }

  private final class Probe {
    /// What became of the try while the object was being freed.
    let failed: UnsafeMutablePointer<Bool>

    init(_ failed: UnsafeMutablePointer<Bool>) { self.failed = failed }

    deinit { failed.pointee = tryRetain(Unmanaged.passUnretained(self).toOpaque()) == nil }

    static var isAsDescribed: Bool {
      var failed = false
      return withUnsafeMutablePointer(to: &failed) { failed in
        var probe = Probe(failed)
        let memory = Unmanaged.passUnretained(probe).toOpaque()
        guard isKnownUniquelyReferenced(&probe), tryRetain(memory) == memory,
          !isKnownUniquelyReferenced(&probe)
        else { return false }
        let second = Unmanaged<Probe>.fromOpaque(memory)
        second.release()
        guard isKnownUniquelyReferenced(&probe) else { return false }
        let last = Unmanaged.passRetained(consume probe)
        last.release()
        return failed.pointee
      }
    }
  }
}

/// A reference that does not keep an object alive, and can be turned into one that does on any thread, as long as the
/// object's memory is there.
///
/// A weak reference can do that, too, but moves the object's reference counts to a table of their own, which makes every
/// use of the object slower. It is what is used where the runtime's function is not known.
package struct UncountedReference<Object: AnyObject>: @unchecked Sendable {
  /// Tells the object from all others that live.
  package let address: UInt
  private let weak: Weak?

  private final class Weak {
    weak var object: Object?
    init(_ object: Object) { self.object = object }
  }

  package init(_ object: Object) {
    address = Self.address(of: object)
    weak = TryRetain.isKnown ? nil : Weak(object)
  }

  package static func address(of object: Object) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// The object, unless its last reference is gone. One atomic step.
  package func retained() -> Object? {
    if let weak { return weak.object }
    return tryRetain(UnsafeMutableRawPointer(bitPattern: address)!).map {
      Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
    }
  }
}
