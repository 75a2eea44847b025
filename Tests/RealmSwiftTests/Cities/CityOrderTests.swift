import Foundation
import RealmSwift
import Testing

extension CityQueries {
  @Suite struct Order {
    private let atlas: OpenAtlas

    init() throws { atlas = try OpenAtlas() }

    /// Strings in the order of their code points.
    private func order(_ a: String, _ b: String) -> Int {
      if a.utf8.elementsEqual(b.utf8) { return 0 }
      return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }

    /// The cities in the order that a comparison gives, otherwise in that of the import.
    private func sorted(_ order: (CityRecord, CityRecord) -> Int) -> [Int] {
      atlas.records.cities.enumerated().sorted { a, b in
        let result = order(a.element, b.element)
        return result == 0 ? a.offset < b.offset : result < 0
      }.map(\.element.id)
    }

    @Test func byOneProperty() {
      #expect(
        atlas.cities.sorted(byKeyPath: "population", ascending: false).map(\.id)
          == sorted { $1.population - $0.population })
      #expect(atlas.cities.sorted(by: \.name).map(\.id) == sorted { order($0.name, $1.name) })
      #expect(
        atlas.cities.sorted(by: \.timezone, ascending: false).map(\.id)
          == sorted { order($1.timezone, $0.timezone) })
    }

    @Test func bySeveralPropertiesAndOverALink() {
      let descriptors: [RealmSwift.SortDescriptor] = [
        .init(keyPath: "country.name"), .init(keyPath: "population", ascending: false),
        .init(keyPath: "name"),
      ]
      func name(_ city: CityRecord) -> String { atlas.records.country(of: city)?.name ?? "" }
      let expected = sorted { a, b in
        let country = order(name(a), name(b))
        if country != 0 { return country }
        return a.population != b.population ? b.population - a.population : order(a.name, b.name)
      }
      let cities = atlas.cities.sorted(by: descriptors)
      #expect(cities.map(\.id) == expected)
      let middle = expected.count / 2
      #expect(cities[middle].id == expected[middle])
      #expect(cities.prefix(10).map(\.id) == Array(expected.prefix(10)))
      #expect(cities.last?.id == expected.last)
    }

    @Test func distinct() {
      var zones: Set<String> = []
      let first = atlas.records.cities.filter { zones.insert($0.timezone).inserted }.map(\.id)
      #expect(atlas.cities.distinct(by: ["timezone"]).map(\.id) == first)
      // The largest city of each time zone and of each country.
      func firsts(_ key: (CityRecord) -> String) -> [Int] {
        let byId = Dictionary(uniqueKeysWithValues: atlas.records.cities.map { ($0.id, $0) })
        var seen: Set<String> = []
        return sorted { $1.population - $0.population }.filter { seen.insert(key(byId[$0]!)).inserted }
      }
      let largest = atlas.cities.sorted(byKeyPath: "population", ascending: false)
      #expect(largest.distinct(by: ["timezone"]).map(\.id) == firsts { $0.timezone })
      #expect(largest.distinct(by: ["country.code"]).map(\.id) == firsts { $0.country })
      #expect(
        largest.distinct(by: ["country.code", "timezone"]).map(\.id)
          == firsts { "\($0.country) \($0.timezone)" }
      )
      #expect(
        largest.distinct(by: [\.timezone]).count == zones.count && zones.count > 300)
    }

    @Test func chains() {
      let millions = atlas.cities.where { $0.population >= 1_000_000 }
        .sorted(byKeyPath: "population", ascending: false)
        .distinct(by: ["country.code"])
        .where { $0.country.continent != .asia }
        .filter("NOT name CONTAINS[c] 'o'")
      var seen: Set<String> = []
      let expected = atlas.records.cities.enumerated().filter { $0.element.population >= 1_000_000 }
        .sorted {
          ($1.element.population, $0.offset) < ($0.element.population, $1.offset)
        }
        .map(\.element)
        .filter { seen.insert($0.country).inserted }
        .filter { atlas.records.country(of: $0)?.continent != "AS" && !$0.name.lowercased().contains("o") }
      #expect(!expected.isEmpty)
      #expect(millions.map(\.id) == expected.map(\.id))
    }
  }
}
