import Testing

@testable import RealmSwift

/// Objects that are made by copying memory, and used for row after row.
@Suite struct RuntimeLayoutTests {
  final class Pebble: Object {
    @Persisted var number = 0
  }

  class Stone: Object {
    @Persisted var weight = 0
  }
  final class Rock<Kind>: Stone {}

  private static func pebbles(_ count: Int) throws -> (TestRealm, Results<Pebble>) {
    let file = try TestRealm([Pebble.self])
    let realm = try file.open()
    try realm.write { realm.add((0..<count).map { Pebble(value: ["number": $0]) }) }
    return (file, realm.objects(Pebble.self))
  }

  /// Otherwise everything works, but slowly: the toolchain is one whose layout is not known yet.
  @Test func theToolchainIsKnown() {
    #expect(RuntimeLayout.isKnown)
  }

  @Test func names() {
    for type in [Pebble.self, Stone.self, ObjectBase.self, DynamicObject.self] as [ObjectBase.Type] {
      #expect(RuntimeLayout.name(of: type) == String(describing: type))
    }
  }

  @Test func uniqueObjects() {
    let pebble = Pebble()
    let memory = Unmanaged.passUnretained(pebble).toOpaque()
    weak var weakPebble: Pebble?
    withExtendedLifetime(pebble) {
      var others: [Pebble] = [pebble]
      #expect(!RuntimeLayout.isUnique(memory))
      others.removeAll()
      weakPebble = pebble
      #expect(!RuntimeLayout.isUnique(memory))
    }
    #expect(weakPebble === pebble)
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
