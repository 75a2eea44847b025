import Testing

@testable import SwiftRuntime

/// What tells that nobody else holds an object, and references that do not count.
@Suite struct ReferenceCountsTests {
  private final class Pebble {}

  @Test func strongAndWeakReferences() {
    let pebble = Pebble()
    let memory = Unmanaged.passUnretained(pebble).toOpaque()
    weak var weakPebble: Pebble?
    withExtendedLifetime(pebble) {
      var others: [Pebble] = [pebble]
      #expect(!ReferenceCounts.isUnique(memory))
      others.removeAll()
      weakPebble = pebble
      #expect(!ReferenceCounts.isUnique(memory))
    }
    #expect(weakPebble === pebble)
  }

  @Test func alone() {
    let pebble = Unmanaged.passRetained(Pebble())
    #expect(ReferenceCounts.isUnique(pebble.toOpaque()))
    _ = pebble.retain()
    #expect(!ReferenceCounts.isUnique(pebble.toOpaque()))
    pebble.release()
    #expect(ReferenceCounts.isUnique(pebble.toOpaque()))
    pebble.release()
  }

  /// What an uncounted reference gives while its object is freed.
  private final class Boulder {
    var reference: UncountedReference<Boulder>?
    let look: (Boulder?) -> Void

    init(_ look: @escaping (Boulder?) -> Void) { self.look = look }

    deinit { look(reference!.retained()) }
  }

  @Test func uncountedReferences() {
    var looks = 0
    do {
      let boulder = Boulder { found in
        #expect(found == nil)
        looks += 1
      }
      let reference = UncountedReference(boulder)
      boulder.reference = reference
      #expect(reference.retained() === boulder)
      #expect(reference.address == UncountedReference.address(of: boulder))
      #expect(looks == 0)
    }
    #expect(looks == 1)
  }
}
