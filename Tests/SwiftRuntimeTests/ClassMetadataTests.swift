import Foundation
import Testing

@testable import SwiftRuntime

/// Sizes and names of classes, and objects that are copied.
@Suite struct ClassMetadataTests {
  private class Stone: NSObject {
    var weight = 1
  }
  private final class Rock<Kind>: Stone {
    var hardness: Int32 = 2
  }
  private struct Heap<Kind> {
    class Grain {}
  }

  @Test func names() {
    let types: [(AnyClass, String)] = [
      (Stone.self, "Stone"), (Rock<Int>.self, "Rock"), (Rock<Rock<Int>>.self, "Rock"),
      (Heap<Int>.Grain.self, "Grain"),
      (NSObject.self, "NSObject"),
    ]
    for (type, name): (AnyClass, String) in types { #expect(ClassName.unqualified(of: type) == name) }
  }

  @Test func sizes() {
    #expect(ClassMetadata.instanceSize(of: Stone.self) == 24)
    #expect(ClassMetadata.instanceSize(of: Rock<Int>.self) == 28)
    #expect(ClassMetadata.alignment(of: Rock<Int>.self) == 8)
  }

  @Test func copies() {
    let stone = Rock<Int>()
    stone.weight = 5
    let template = ObjectTemplate(stone)
    defer { template.deallocate() }
    stone.weight = 6
    func make() -> Stone { Unmanaged<Stone>.fromOpaque(template.makeObject()).takeRetainedValue() }
    let copy = make()
    #expect(copy.weight == 5 && (copy as? Rock<Int>)?.hardness == 2)
    copy.weight = 7
    #expect(make().weight == 5)
  }

  private final class Wide {
    var numbers = SIMD8<Double>()
  }

  /// malloc() would not align them enough.
  @Test func wideObjectsAreNotCopied() {
    #expect(ObjectTemplate.allows(Stone.self))
    #expect(MemoryLayout<SIMD8<Double>>.alignment <= 16 || !ObjectTemplate.allows(Wide.self))
  }
}
