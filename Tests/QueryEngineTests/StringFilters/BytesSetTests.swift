import TestSupport
import Testing

@testable import QueryEngine

/// Byte strings found by length and bisection, against a set of Swift.
@Suite struct BytesSetTests {
  @Test(arguments: [81, 82, 83] as [UInt64])
  func agreesWithASet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func bytes() -> [UInt8] {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        [0, 1, 127, 128, 255].randomElement(using: &random)!
      }
    }
    for count in [0, 1, 2, 30, 300] {
      let members = (0..<count).map { _ in bytes() }
      let set = BytesSet(members)
      for _ in 0..<500 {
        let wanted = bytes()
        #expect(wanted.withUnsafeBytes { set.contains($0) } == members.contains(wanted))
      }
      #expect(
        (0..<250).allSatisfy { length in
          set.canContain(lengthByte: UInt8(length)) == members.contains { $0.count == length }
        })
    }
  }
}
