import TestSupport
import Testing

@testable import Storage

@Suite struct QueueTests {
  @Test(arguments: [51, 52] as [UInt64])
  func isAnArrayOfWhichTheFirstIsTaken(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var queue = Queue<Int>()
    var model: [Int] = []
    // Grows, and then mostly shrinks, so that what was taken is let go of.
    for step in 0..<4_000 {
      if Int.random(in: 0..<10, using: &random) < (step < 2_000 ? 6 : 4) {
        queue.append(step)
        model.append(step)
      } else if model.isEmpty {
        #expect(queue.removeFirst() == nil)
      } else if Int.random(in: 0..<5, using: &random) == 0 {
        let member = model.randomElement(using: &random)!
        let offset = queue.firstOffset { $0 == member }
        #expect(offset == model.firstIndex(of: member))
        if let offset { queue.remove(at: offset) }
        model.removeAll { $0 == member }
      } else if Int.random(in: 0..<20, using: &random) == 0 {
        queue.prepend(step)
        model.insert(step, at: 0)
      } else if step < 2_000 && Int.random(in: 0..<40, using: &random) == 0 {
        // Not later, as nothing of what was taken is left behind it.
        let divisor = Int.random(in: 2..<9, using: &random)
        #expect(queue.removeAll { $0 % divisor == 0 } == model.filter { $0 % divisor == 0 })
        model.removeAll { $0 % divisor == 0 }
      } else {
        #expect(queue.removeFirst() == model.removeFirst())
      }
      #expect(queue.first == model.first && queue.count == model.count && queue.isEmpty == model.isEmpty)
      #expect(queue.firstOffset { $0 == -1 } == nil && queue.removeAll { $0 < 0 }.isEmpty)
    }
    while let first = queue.removeFirst() { #expect(first == model.removeFirst()) }
    #expect(model.isEmpty)
  }
}
