import Foundation
import RealmSwift
import Testing

extension CityQueries {
  /// From cities to countries and back.
  @Suite struct Links {
    private let atlas: OpenAtlas
    private let citiesOfCountry: [String: [CityRecord]]

    init() throws {
      atlas = try OpenAtlas()
      citiesOfCountry = Dictionary(grouping: atlas.records.cities, by: \.country)
    }

    private func cities(_ country: CountryRecord) -> [CityRecord] {
      citiesOfCountry[country.code, default: []]
    }

    @Test func continentsOfCities() {
      for continent in [AtlasContinent.africa, .asia, .europe, .northAmerica, .oceania, .southAmerica] {
        let cities = atlas.cities.where { $0.country.continent == continent }
        func isThere(_ city: CityRecord) -> Bool {
          atlas.records.country(of: city)?.continent == continent.rawValue
        }
        atlas.expect(cities, atlas.cities.filter("country.continent == %@", continent), isThere)
        let expected = atlas.records.cities.filter(isThere)
        #expect(cities.sum(of: \.population) == expected.reduce(0) { $0 + $1.population })
        #expect(cities.max(of: \.population) == expected.map(\.population).max())
        #expect(cities.min(of: \.population) == expected.map(\.population).min())
      }
      atlas.expect(
        atlas.cities.where { $0.country.continent.in([.asia, .oceania]) && !($0.country.code == "CN") },
        atlas.cities.filter("country.continent IN {'AS', 'OC'} AND country.code != 'CN'")
      ) { ["AS", "OC"].contains(atlas.records.country(of: $0)?.continent) && $0.country != "CN" }
    }

    @Test func embeddedObjectsOfCountries() {
      atlas.expect(
        atlas.cities.where { $0.country.currency.code == "EUR" && $0.population > 200_000 },
        atlas.cities.filter("country.currency.code == 'EUR' AND population > 200000")
      ) { atlas.records.country(of: $0)?.currency?.code == "EUR" && $0.population > 200_000 }
      atlas.expect(atlas.countries.where { $0.currency.code == "" || $0.currency == nil }) {
        ($0.currency?.code ?? "").isEmpty
      }
    }

    @Test func collectionsOfCountries() {
      atlas.expect(atlas.countries.where { $0.languages.contains("fr") }) { $0.languages.contains("fr") }
      atlas.expect(atlas.countries.filter("ANY languages BEGINSWITH 'fr'")) {
        $0.languages.contains { $0.hasPrefix("fr") }
      }
      atlas.expect(atlas.countries.filter("languages.@count >= 5")) { Set($0.languages).count >= 5 }
      atlas.expect(atlas.countries.where { $0.neighbours.code == "DE" }) { $0.neighbours.contains("DE") }
      atlas.expect(atlas.countries.filter("NONE neighbours.continent == 'EU' AND neighbours.@count > 0")) {
        let continents = $0.neighbours.compactMap { atlas.records.countryOfCode[$0]?.continent }
        return !continents.isEmpty && !continents.contains("EU")
      }
      atlas.expect(atlas.countries.where { $0.neighbours.population.sum > 500_000_000 }) {
        $0.neighbours.reduce(0) { $0 + (atlas.records.countryOfCode[$1]?.population ?? 0) } > 500_000_000
      }
      atlas.expect(atlas.cities.filter("ANY country.neighbours.code == 'CH' AND population > 500000")) {
        atlas.records.country(of: $0)?.neighbours.contains("CH") == true && $0.population > 500_000
      }
    }

    @Test func aggregatesOfEachCountry() {
      for country in atlas.countries {
        let expected = citiesOfCountry[country.code, default: []].map(\.population)
        #expect(country.cities.count == expected.count)
        #expect(country.cities.sum(of: \.population) == expected.reduce(0, +))
        #expect(country.cities.min(of: \.population) == expected.min())
        #expect(country.cities.max(of: \.population) == expected.max())
        let average: Double? = country.cities.average(of: \.population)
        if expected.isEmpty {
          #expect(average == nil)
        } else {
          let exact = Double(expected.reduce(0, +)) / Double(expected.count)
          #expect(abs((average ?? 0) - exact) <= exact * 1e-12)
        }
      }
    }

    @Test func conditionsOnAggregates() {
      atlas.expect(atlas.countries.where { $0.cities.count > 500 }) { cities($0).count > 500 }
      atlas.expect(atlas.countries.filter("cities.@count == 0")) { cities($0).isEmpty }
      atlas.expect(atlas.countries.where { $0.cities.population.sum > 50_000_000 }) {
        cities($0).reduce(0) { $0 + $1.population } > 50_000_000
      }
      atlas.expect(atlas.countries.filter("cities.@avg.population > 150000")) {
        let all = cities($0)
        return !all.isEmpty && Double(all.reduce(0) { $0 + $1.population }) / Double(all.count) > 150_000
      }
      atlas.expect(
        atlas.countries.filter("cities.@min.population >= 20000 AND cities.@max.population < 1000000")
      ) {
        let all = cities($0).map(\.population)
        return !all.isEmpty && all.min()! >= 20_000 && all.max()! < 1_000_000
      }
    }

    @Test func subqueries() {
      for population in [1_000_000, 100_000, 15_000, 10_000_000] {
        func large(_ country: CountryRecord) -> Int { cities(country).count { $0.population > population } }
        let counts = atlas.records.countries.map(large).sorted()
        let count = counts[counts.count / 2]
        atlas.expect(atlas.countries.where { ($0.cities.population > population).count > count }) {
          large($0) > count
        }
        atlas.expect(
          atlas.countries.filter(
            "SUBQUERY(cities, $city, $city.population > %@).@count == %@", population, count)
        ) { large($0) == count }
      }
      atlas.expect(
        atlas.countries.filter(
          "SUBQUERY(cities, $c, $c.name BEGINSWITH[c] 'san' AND $c.population BETWEEN {20000, 90000}).@count >= 3"
        )
      ) {
        cities($0).count {
          $0.name.lowercased().hasPrefix("san") && (20_000...90_000).contains($0.population)
        } >= 3
      }
      atlas.expect(
        atlas.countries.where {
          ($0.cities.name == "Georgetown" || $0.cities.name == "Victoria").count > 0
            && $0.continent != .africa
        }
      ) {
        $0.continent != "AF" && cities($0).contains { ["Georgetown", "Victoria"].contains($0.name) }
      }
    }
  }
}
