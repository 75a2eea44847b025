import CProcessor
import LibC
import TestSupport
import Testing

@testable import Storage

/// Both ways to find the smallest and the largest integer, against the library of Swift. What is read ends where no memory is behind it.
@Suite struct IntegerRangeTests {
  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1))
  func findsWhatSwiftFinds(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pageSize = 4096
    let memory = mmap(nil, pageSize * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer { munmap(memory, pageSize * 2) }
    try #require(mprotect(memory + pageSize, pageSize, PROT_NONE) == 0)
    let none = openrealm_integer_range(low: .max, high: .min)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...100, using: &random)
      let limit = [1, 1000, Int64.max].randomElement(using: &random)!
      let values = (0..<count).map { _ in Int64.random(in: -limit...limit, using: &random) }
      // Not at the end of the page: then integers are not aligned.
      let start = memory + pageSize - count * 8 - Int.random(in: 0...7, using: &random)
      values.withUnsafeBytes { if count > 0 { start.copyMemory(from: $0.baseAddress!, byteCount: $0.count) } }
      let plain = openrealm_extend_range(none, start, count)
      #expect(plain.low == values.min() ?? .max && plain.high == values.max() ?? .min)
      if Processor.hasAVX2 {
        let wide = openrealm_extend_range_avx2(none, start, count)
        #expect(wide.low == plain.low && wide.high == plain.high)
      }
    }
  }
}
