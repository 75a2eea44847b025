import Testing

@testable import RealmSwift

/// Objects that are used for row after row.
@Suite struct AccessorReuseTests {
  final class Pebble: Object {
    @Persisted var number = 0
  }

  private static func pebbles(_ count: Int) throws -> (ScratchRealm, Results<Pebble>) {
    let file = ScratchRealm([Pebble.self])
    let realm = try file.open()
    try realm.write { realm.add((0..<count).map { Pebble(value: ["number": $0]) }) }
    return (file, realm.objects(Pebble.self))
  }

  /// Whoever keeps an object of a walk, strongly or weakly, keeps the one of its row.
  @Test func whatIsKeptIsNotUsedAgain() throws {
    let (_, pebbles) = try Self.pebbles(300)
    struct Weak { weak var pebble: Pebble? }
    struct Unowned { unowned let pebble: Pebble }
    for frozen in [false, true] {
      let pebbles = frozen ? pebbles.freeze() : pebbles
      var strong: [Pebble] = []
      var weak: [(Int, Weak)] = []
      for pebble in pebbles {
        switch pebble.number % 3 {
        case 0: strong.append(pebble)
        case 1: weak.append((pebble.number, Weak(pebble: pebble)))
        default: #expect(Unowned(pebble: pebble).pebble.number == pebble.number)
        }
      }
      #expect(strong.map(\.number) == Array(stride(from: 0, to: 300, by: 3)))
      for (number, weak) in weak { #expect(weak.pebble == nil || weak.pebble?.number == number) }
      #expect(Array(pebbles).map(\.number) == Array(0..<300))
    }
  }
}
