import Foundation
import RealmSwift
import TestSupport
import Testing

/// `first`, `count` and walks of one indexed value, which are answered in different ways where few and where many have it.
@Suite struct IndexedEqualityTests {
  class Marked: Hidden {
    @Persisted(indexed: true) var name: String?
    @Persisted(indexed: true) var number: Int?
    @Persisted var position: Int
  }

  private static let sizes = [0, 1, 2, 63, 64, 65, 66, 1_000]

  /// Asks for the objects of each value in every way.
  private func check(_ realm: Realm, _ positions: [Int: [Int]]) {
    let all = realm.objects(Marked.self)
    for (value, positions) in positions {
      let name = value < 0 ? nil : "name \(value)"
      let number = value < 0 ? nil : value
      for found in [
        all.where { $0.name == name }, all.where { $0.number == number },
        all.filter("name == %@", name as Any), all.where { $0.position >= 0 }.where { $0.number == number },
        all.where { $0.name == name && $0.number == number },
      ] {
        #expect(found.first?.position == positions.first)
        #expect(found.count == positions.count)
        #expect(found.isEmpty == positions.isEmpty)
        #expect(found.map(\.position) == positions)
        #expect(found.last?.position == positions.last)
        #expect(found.first?.position == positions.first)
      }
    }
  }

  @Test func fewAndMany() throws {
    let realm = try ScratchRealm([Marked.self]).open()
    var positions: [Int: [Int]] = [:]
    try realm.write {
      var next = 0
      for (value, size) in Self.sizes.enumerated() {
        // The first ones are null.
        positions[value - 1] = Array(next..<next + size)
        for position in next..<next + size {
          let name: Any = value == 0 ? NSNull() : "name \(value - 1)"
          let number: Any = value == 0 ? NSNull() : value - 1
          realm.create(
            Marked.self, value: ["name": name, "number": number, "position": position] as [String: Any])
        }
        next += size
      }
      let nulls = (0..<65).map { next + $0 }
      for position in nulls { realm.create(Marked.self, value: ["position": position]) }
      positions[-1]! += nulls
      check(realm, positions)
    }
    check(realm, positions)
    check(realm.freeze(), positions)
    realm.beginWrite()
    var fewer = positions
    for (value, positions) in positions where !positions.isEmpty {
      realm.delete(realm.objects(Marked.self).where { $0.position == positions[0] })
      fewer[value]!.removeFirst()
    }
    check(realm, fewer)
    realm.cancelWrite()
    check(realm, positions)
  }
}
