import TestSupport
import Testing

@testable import QueryEngine

/// Numbers of byte strings, against a dictionary.
@Suite struct BytesNumbersTests {
  @Test(arguments: [94, 95, 96] as [UInt64])
  func stringsAreNumberedAsTheyCome(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    // Few letters, so that strings differ in one place, at an end or between, and come again.
    let strings = (0..<6000).map { _ -> [UInt8] in
      var string = [UInt8](repeating: 97, count: Int.random(in: 0...40, using: &random))
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        if let place = string.indices.randomElement(using: &random) {
          string[place] = UInt8.random(in: 97...99, using: &random)
        }
      }
      return string
    }
    let memory = strings.map { string in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: string.count, alignment: 1)
      copy.copyBytes(from: string)
      return UnsafeRawBufferPointer(copy)
    }
    defer { for bytes in memory { bytes.deallocate() } }
    var numbers = BytesNumbers()
    var model: [[UInt8]: UInt32] = [:]
    for (string, bytes) in zip(strings, memory) {
      let expected = model[string] ?? UInt32(model.count)
      model[string] = expected
      #expect(numbers.number(of: bytes) == expected, "seed \(seed): \(string)")
    }
    #expect(
      numbers.number(of: UnsafeRawBufferPointer(start: nil, count: 0)) == model[[]] ?? UInt32(model.count))
  }
}
