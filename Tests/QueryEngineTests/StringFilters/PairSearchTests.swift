import CProcessor
import LibC
import TestSupport
import Testing

/// Both ways to look for two bytes, against a plain loop. What is searched ends where no memory is behind it.
@Suite struct PairSearchTests {
  private static let pageSize = 4096

  private func plain(
    _ bytes: UnsafePointer<UInt8>, _ a: UInt8, _ b: UInt8, _ apart: Int, _ start: Int, _ end: Int
  )
    -> Int
  {
    (start..<max(start, end)).first { bytes[$0] == a && bytes[$0 + apart] == b } ?? end
  }

  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1))
  func findsWhatAPlainLoopFinds(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let size = Self.pageSize * 2
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer { munmap(memory, size) }
    try #require(mprotect(memory + Self.pageSize, Self.pageSize, PROT_NONE) == 0)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...200, using: &random)
      let apart = Int.random(in: 0..<min(count, 9), using: &random)
      let bytes = (memory + Self.pageSize - count).assumingMemoryBound(to: UInt8.self)
      let kinds = UInt8.random(in: 1...40, using: &random)
      for index in 0..<count { bytes[index] = 0xF0 &+ UInt8.random(in: 0...kinds, using: &random) }
      let (a, b) = (0xF0 &+ UInt8.random(in: 0...kinds, using: &random), bytes[count / 2])
      let end = count - apart
      for start in [0, Int.random(in: 0...end, using: &random)] {
        let expected = plain(bytes, a, b, apart, start, end)
        #expect(openrealm_find_pair(bytes, a, bytes + apart, b, start, end) == expected)
        if openrealm_processor_has_avx2() != 0 {
          #expect(openrealm_find_pair_avx2(bytes, a, bytes + apart, b, start, end) == expected)
        }
      }
    }
  }
}
