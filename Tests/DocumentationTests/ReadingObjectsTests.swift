import RealmSwift
import Testing

struct ReadingObjectsTests {
  @Test func results() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let huts = realm.objects(Hut.self)
    let ridge = realm.object(ofType: Trail.self, forPrimaryKey: "Ridge")
    let high = huts.where { $0.altitude > 2_000 }
    #expect(ridge?.length == 14.5)
    for hut in high {
      print(hut.name, hut.beds)
    }
    let names = high.map { $0.name }
    let first = high.first
    #expect(names.sorted() == ["Blackrock", "Summit"])
    #expect(first != nil)
    let count = high.count
    try realm.write {
      realm.add(Hut(value: ["name": "Eyrie", "altitude": 3_100]))
    }
    print(high.count - count)  // 1
    #expect(high.count == count + 1)
    #expect(huts.count == 4)
  }

  @Test func names() throws {
    let mountains = try Mountains()
    let ridge = mountains.trails.first
    let larch = mountains.larch
    let beds = ridge?.huts.value(forKey: "beds") as? [Int]
    let name = larch["name"] as? String
    #expect(beds == [80, 6])
    #expect(name == "Larch")
  }

  @Test func aggregates() throws {
    let huts = try Mountains().huts
    let total = huts.sum(of: \.beds)
    let highest = huts.max(of: \.altitude)
    let average: Double? = huts.average(of: \.beds)
    #expect(total == 131)
    #expect(highest == 3_012)
    #expect(average == 131.0 / 3)
  }

  @Test func groups() throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let counts = huts.grouped(by: \.kind).counts
    print(counts[.bivouac, default: 0])
    for group in huts.grouped(by: \.kind).aggregated(.sum(\.beds), .max(\.altitude)) {
      let (beds, altitude) = group.values
      print(group.key, group.count, beds, altitude ?? 0)
    }
    #expect(counts == [.bivouac: 1, .staffed: 2])
    let sums = huts.grouped(by: \.kind).aggregated(.sum(\.beds), .max(\.altitude))
    #expect(sums.map(\.key) == [.bivouac, .staffed])
    #expect(sums.map { $0.values.0 } == [6, 125])
    #expect(sums.map { $0.values.1 } == [3_012, 2_441])
    let perWarden = huts.grouped(by: \.warden?.name, \.kind).aggregated()
    let perYear = huts.grouped(by: .year(of: \.opened)).aggregated(.average(\.beds))
    #expect(perWarden.map(\.key.0) == [nil, nil, "Ida"])
    #expect(perWarden.map(\.key.1) == [.bivouac, .staffed, .staffed])
    #expect(perYear.count == 1 && perYear[0].key == nil && perYear[0].values == 131.0 / 3)
    let beds = huts.grouped(by: .year(of: \.opened)).aggregated(.sum(\.beds))
    let years = huts.grouped(by: .value(\.kind), .year(of: \.opened)).aggregated()
    let groups = huts.grouped(by: .value(\.warden?.name), .year(of: \.opened))
    #expect(beds[0].values == 131)
    #expect(years.count == 2)
    #expect(groups.aggregated().count == 2)
  }
}
