import Storage
import Testing

@Suite struct BinarySearchTests {
  @Test func findsTheFirstOfAllLengths() {
    for length in 0..<40 {
      for first in 0...length {
        #expect((100..<100 + length).partitioningIndex { $0 >= 100 + first } == 100 + first)
      }
    }
  }

  @Test func boundsThatDoNotFitTogetherInASum() {
    #expect((UInt64.max - 10..<UInt64.max).partitioningIndex { $0 >= UInt64.max - 3 } == UInt64.max - 3)
    #expect((0..<Int.max).partitioningIndex { $0 >= 12_345 } == 12_345)
  }

  @Test func predicatesMayThrow() {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try (0..<5).partitioningIndex { _ in throw Failure() } }
    #expect((5..<5).partitioningIndex { _ in fatalError() } == 5)
  }
}
