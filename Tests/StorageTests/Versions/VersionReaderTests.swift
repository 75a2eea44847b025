import LibC
import Testing

@testable import Storage

@Suite struct VersionReaderTests {
  /// How far down the stack it is called.
  private static func depth() -> UInt {
    var marker = 0
    return withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
  }

  /// Asks from the same place each time.
  @inline(never)
  private static func ask(_ reader: VersionReader) -> UInt { reader.owner.flatMap { UInt($0.name) } ?? 0 }

  /// Who reads is told by a function, which must not be wrapped in others with every copy, or when it is asked.
  @Test func copyingAndAskingAddNothing() {
    let reader = VersionReader()
    reader.setOwner { VersionReader.Owner(name: "\(Self.depth())", location: nil) }
    let first = Self.ask(reader)
    #expect(first != 0)
    var last = reader
    for _ in 0..<1000 {
      let next = VersionReader()
      next.copyOwner(of: last)
      last = next
      #expect(Self.ask(reader) != 0)
    }
    #expect(Self.ask(reader) == first)
    #expect(Self.ask(last) == first)
  }
}
