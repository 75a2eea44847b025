import TestSupport
import Testing

@testable import Storage
@testable import Sync

/// The stamps of insertions follow their elements, against an array with the stamp of each element.
@Suite struct InsertionStampsTests {
  @Test(arguments: TestLength.seeds([1, 2, 3, 4], short: 2), [false, true])
  func stampsFollowTheirElements(seed: UInt64, isNew: Bool) {
    var random = SeededGenerator(printing: seed)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    for _ in 0..<100 {
      let creation = Stamp(rawValue: 1)
      var stamps = isNew ? InsertionStamps(of: creation) : InsertionStamps()
      var model = [Stamp?](repeating: isNew ? creation : nil, count: below(10))
      for step in 2..<20 {
        let stamp = Stamp(rawValue: Int64(step))
        var changes = PositionChanges()
        for _ in 0..<1 + below(4) {
          let (position, count) = (below(model.count + 1), 1 + below(3))
          if below(3) > 0 {
            model.insert(contentsOf: [Stamp?](repeating: stamp, count: count), at: position)
            changes.insert(at: position, count: count)
          } else if position < model.count {
            let range = position..<min(position + count, model.count)
            model.removeSubrange(range)
            changes.remove(range)
          }
        }
        stamps.add(changes, stamp)
        #expect(model.indices.map { stamps[$0] } == model)
      }
    }
  }
}
