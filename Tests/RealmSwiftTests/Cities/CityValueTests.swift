import Foundation
import RealmSwift
import TestSupport
import Testing

extension CityQueries {
  /// Comparisons with numbers and with many values.
  @Suite struct Values {
    private let atlas: OpenAtlas

    init() throws { atlas = try OpenAtlas() }

    @Test func manyValues() {
      let seed = UInt64.random(in: 0 ... .max)
      var generator = SeededGenerator(seed: seed)
      for count in [1, 10, 500, 10_000] {
        let chosen = atlas.records.cities.shuffled(using: &generator).prefix(count)
        // Half of the numbers belong to no city.
        let ids = chosen.flatMap { [$0.id, -$0.id] }
        let known = Set(ids)
        atlas.expect(atlas.cities.where { $0.id.in(ids) }, atlas.cities.filter("id IN %@", ids)) {
          known.contains($0.id)
        }
        let names = Set(chosen.map(\.name))
        atlas.expect(atlas.cities.where { $0.name.in(names) }, atlas.cities.filter("name IN %@", names)) {
          names.contains($0.name)
        }
        if count < 10_000 {
          atlas.expect(atlas.cities.where { !$0.name.in(names) }) { !names.contains($0.name) }
        }
        let populations = Set(chosen.map(\.population))
        atlas.expect(atlas.cities.filter("population IN %@", populations)) {
          populations.contains($0.population)
        }
      }
      let codes = ["CH", "LI", "AT", "??"]
      atlas.expect(
        atlas.cities.where { $0.country.code.in(codes) }, atlas.cities.filter("country.code IN %@", codes)
      ) { codes.contains($0.country) }
      let lowercase = codes.map { $0.lowercased() }
      #expect(
        atlas.cities.filter("country.code IN[c] %@", lowercase).count
          == atlas.cities.filter("country.code IN %@", codes).count)
      #expect(atlas.cities.filter("name IN %@", [String]()).isEmpty)
    }

    @Test func ranges() {
      atlas.expect(
        atlas.cities.where { $0.population.contains(100_000...110_000) },
        atlas.cities.filter("population BETWEEN {100000, 110000}")
      ) { (100_000...110_000).contains($0.population) }
      atlas.expect(
        atlas.cities.where { $0.population.contains(100_000..<110_000) },
        atlas.cities.filter("population >= 100000 && population < 110000")
      ) { (100_000..<110_000).contains($0.population) }
      atlas.expect(
        atlas.cities.where { !($0.population > 16_000) || $0.population >= 10_000_000 },
        atlas.cities.filter("NOT population > 16000 OR population >= 10000000")
      ) { $0.population <= 16_000 || $0.population >= 10_000_000 }
    }

    @Test func indexedTexts() {
      atlas.expect(
        atlas.cities.where { $0.timezone == "Europe/Zurich" },
        atlas.cities.filter("timezone == 'Europe/Zurich'")
      ) { $0.timezone == "Europe/Zurich" }
      atlas.expect(
        atlas.cities.where { $0.timezone.starts(with: "America/Argentina/") },
        atlas.cities.filter("timezone BEGINSWITH 'America/Argentina/'")
      ) { $0.timezone.hasPrefix("America/Argentina/") }
      atlas.expect(atlas.cities.where { $0.name >= "Z" && $0.name < "Zb" }) {
        $0.name.utf8.starts(with: "Z".utf8) && $0.name.utf8.lexicographicallyPrecedes("Zb".utf8)
      }
      // After the last ASCII letter: names that begin with an accented one.
      atlas.expect(atlas.cities.filter("name > 'zzz'")) { "zzz".utf8.lexicographicallyPrecedes($0.name.utf8) }
      for city in atlas.records.cities.prefix(300) {
        #expect(atlas.realm.object(ofType: AtlasCity.self, forPrimaryKey: city.id)?.name == city.name)
      }
    }

    @Test func coordinatesOfPoints() {
      atlas.expect(atlas.cities.filter("ANY location.coordinates > 175")) {
        $0.longitude > 175 || $0.latitude > 175
      }
      atlas.expect(atlas.cities.where { $0.location.coordinates.min < -100 }) {
        min($0.longitude, $0.latitude) < -100
      }
    }
  }
}
