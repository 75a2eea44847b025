import Foundation
import RealmSwift
import Testing

/// What the article *Query reference* says of the operators that can use an index.
struct QueryIndexUseTests {
  private static let indexed: [(String, Bool)] = [
    ("name == 'Hut 77'", true), ("name < 'Hut 1001'", true), ("name > 'Hut 9990'", true),
    ("name BEGINSWITH 'Hut 77'", true), ("name LIKE 'Hut 7777*'", true), ("name IN {'Hut 1', 'Hut 2'}", true),
    ("name == nil", true), ("name == 'Hut 1' AND beds > 3", true),
    ("name == 'Hut 1' OR name == 'Hut 2'", true), ("trails.@count > 0 AND name == 'Hut 1'", true),
    ("name == 'Hut 1' OR beds > 3", false), ("name != 'Hut 1'", false), ("NOT name == 'Hut 1'", false),
    ("name ==[c] 'Hut 1'", false), ("name BEGINSWITH[c] 'Hut 77'", false), ("name CONTAINS '77'", false),
    ("name ENDSWITH '77'", false), ("name LIKE '*77'", false), ("beds == 3", false),
    ("name == warden.name", false), ("'de' IN languages", false), ("visits.@count > 0", false),
    ("prices['EUR'] > 3", false), ("remark == 3", false),
  ]

  @Test func indexesAreUsed() throws {
    let fixture = try Stays()
    let (realm, huts, trails, stays) = (fixture.realm, fixture.huts, fixture.trails, fixture.stays)
    try realm.write {
      for number in 0..<20_000 {
        realm.create(Hut.self, value: ["name": "Hut \(number)"], update: .all)
      }
    }
    func isIndexUsed(_ results: Results<Hut>) -> Bool { results.explain().contains("  index: name") }
    for (format, expected) in Self.indexed {
      #expect(isIndexUsed(huts.filter(format)) == expected, "\(format): \(huts.filter(format).explain())")
    }
    // The condition on the linked class has an index of its own.
    for format in ["ANY huts.name == 'Hut 1'", "SUBQUERY(huts, $h, $h.name == 'Hut 1').@count > 0"] {
      let plan = trails.filter(format).explain()
      #expect(plan.contains("first, of Hut:") && plan.contains("index: name"), "\(plan)")
    }
    let byLink = stays.filter("hut.name == 'Hut 1'").explain()
    #expect(byLink.contains("first, of Hut:") && byLink.contains("index: name"), "\(byLink)")
    let today = Date(timeIntervalSince1970: 1_800_000_000)
    try realm.write {
      for number in 0..<20_000 {
        let arrival = today.addingTimeInterval(Double(number))
        realm.create(Stay.self, value: ["arrival": arrival, "price": number] as [String: Any])
      }
    }
    #expect(
      stays.filter("arrival BETWEEN %@", [fixture.first, fixture.last]).explain().contains("index: arrival"))
    #expect(stays.filter("id == %@", fixture.id).explain().contains("index: id"))
    #expect(!stays.filter("price == 7").explain().contains("index:"))
  }
}
