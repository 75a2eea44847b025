import RealmSwift
import Testing

struct AggregatesTests {
  @Test func aggregates() throws {
    let huts = try Mountains().huts
    let total = huts.sum(of: \.beds)
    let highest = huts.max(of: \.altitude)
    let average: Double? = huts.average(of: \.beds)
    let count = huts.count
    #expect(total == 131)
    #expect(highest == 3_012)
    #expect(average == 131.0 / 3)
    #expect(count == 3)
    // An integer is rounded towards zero.
    let whole: Int? = huts.average(of: \.beds)
    #expect(whole == 43)
    let named: Int = huts.sum(ofProperty: "beds")
    #expect(named == 131)
    let none = huts.where { $0.beds > 1_000 }
    let noAverage: Double? = none.average(of: \.beds)
    #expect(none.sum(of: \.beds) == 0 && none.max(of: \.altitude) == nil && noAverage == nil)
    #expect(huts.min(of: \.opened) == nil)
  }

  @Test func collections() throws {
    let mountains = try Mountains()
    let hut = mountains.larch
    try mountains.realm.write {
      hut.visits.append(Visit(value: ["guest": "Emmy", "nights": 2] as [String: Any]))
      hut.visits.append(Visit(value: ["guest": "Sofia", "nights": 3] as [String: Any]))
      hut.prices["EUR"] = 25
      hut.prices["CHF"] = 27.5
    }
    let stay = Stay(value: ["nights": [1, 2, 4]])
    let nights = hut.visits.sum(of: \.nights)
    let dearest = hut.prices.max()
    let longest = stay.nights.max()
    let perWeek: Double? = stay.nights.average()
    #expect(nights == 5)
    #expect(dearest == 27.5)
    #expect(longest == 4)
    #expect(perWeek == 7.0 / 3)
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
    for group in perWarden {
      print(group.key.0 ?? "nobody", group.key.1, group.count)
    }
    let perYear = huts.grouped(by: .year(of: \.opened)).aggregated(.average(\.beds))
    let perKindAndYear = huts.grouped(by: .value(\.kind), .year(of: \.opened)).aggregated()
    #expect(perWarden.map(\.key.0) == [nil, nil, "Ida"])
    #expect(perWarden.map(\.key.1) == [.bivouac, .staffed, .staffed])
    #expect(perYear.count == 1 && perYear[0].key == nil && perYear[0].values == 131.0 / 3)
    #expect(perKindAndYear.count == 2)
    // The samples of comments.
    let beds = huts.grouped(by: .year(of: \.opened)).aggregated(.sum(\.beds))
    let years = huts.grouped(by: .value(\.kind), .year(of: \.opened)).aggregated()
    let groups = huts.grouped(by: .value(\.warden?.name), .year(of: \.opened))
    #expect(beds[0].values == 131)
    #expect(years.count == 2)
    #expect(groups.aggregated().count == 2)
  }
}
