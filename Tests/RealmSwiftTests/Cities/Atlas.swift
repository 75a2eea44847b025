import Foundation
import RealmSwift
import Testing

/// A realm with cities, and what it was made from.
final class Atlas: Sendable {
  /// The one that the tests of `CityQueries` share.
  @TaskLocal static var current: Atlas?

  let records: WorldRecords
  private let storage: ScratchRealm

  init() throws {
    records = try WorldRecords()
    storage = ScratchRealm([AtlasCity.self, AtlasPoint.self, AtlasCountry.self, AtlasCurrency.self])
    let realm = try storage.open()
    try realm.write {
      let countries = Dictionary(
        uniqueKeysWithValues: records.countries.map { ($0.code, Self.add($0, realm)) })
      for record in records.countries {
        countries[record.code]!.neighbours.append(objectsIn: record.neighbours.compactMap { countries[$0] })
      }
      for record in records.cities { realm.add(Self.city(record, countries[record.country])) }
    }
  }

  func open() throws -> Realm { try storage.open() }

  private static func add(_ record: CountryRecord, _ realm: Realm) -> AtlasCountry {
    let country = AtlasCountry()
    country.code = record.code
    country.name = record.name
    country.continent = AtlasContinent(rawValue: record.continent)!
    country.population = record.population
    country.area = record.area
    if let record = record.currency {
      let currency = AtlasCurrency()
      currency.code = record.code
      currency.name = record.name
      country.currency = currency
    }
    country.languages.insert(objectsIn: record.languages)
    realm.add(country)
    return country
  }

  private static func city(_ record: CityRecord, _ country: AtlasCountry?) -> AtlasCity {
    let city = AtlasCity()
    city.id = record.id
    city.name = record.name
    city.country = country
    let location = AtlasPoint()
    location.coordinates.append(objectsIn: [record.longitude, record.latitude])
    city.location = location
    city.population = record.population
    city.timezone = record.timezone
    city.alternateNames.append(objectsIn: record.alternateNames)
    return city
  }
}

/// Imports the cities once for a suite.
struct SharedAtlas: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Atlas.$current.withValue(Atlas(), operation: function)
  }
}

/// Queries on up to 34,006 cities, each compared with what plain Swift finds in the same data.
@Suite(SharedAtlas()) enum CityQueries {}

/// The realm of one test.
struct OpenAtlas {
  let realm: Realm
  let records: WorldRecords

  init() throws {
    let atlas = try #require(Atlas.current)
    realm = try atlas.open()
    records = atlas.records
  }

  var cities: Results<AtlasCity> { realm.objects(AtlasCity.self) }
  var countries: Results<AtlasCountry> { realm.objects(AtlasCountry.self) }

  /// Expects that results are the cities, in the order of the import, for which a condition holds.
  func expect(
    _ results: Results<AtlasCity>, sourceLocation: SourceLocation = #_sourceLocation,
    _ isIncluded: (CityRecord) -> Bool
  ) {
    let expected = records.cities.filter(isIncluded).map(\.id)
    let found = Array(results.map(\.id))
    #expect(!expected.isEmpty, "nothing to be found", sourceLocation: sourceLocation)
    #expect(found == expected, sourceLocation: sourceLocation)
    #expect(results.count == expected.count, sourceLocation: sourceLocation)
  }

  /// Expects that two ways to ask find the cities for which a condition holds.
  func expect(
    _ results: Results<AtlasCity>, _ same: Results<AtlasCity>,
    sourceLocation: SourceLocation = #_sourceLocation, _ isIncluded: (CityRecord) -> Bool
  ) {
    expect(results, sourceLocation: sourceLocation, isIncluded)
    expect(same, sourceLocation: sourceLocation, isIncluded)
  }

  /// The codes of countries that a query found, compared with those for which a condition holds.
  func expect(
    _ results: Results<AtlasCountry>, sourceLocation: SourceLocation = #_sourceLocation,
    _ isIncluded: (CountryRecord) -> Bool
  ) {
    let expected = records.countries.filter(isIncluded).map(\.code)
    #expect(!expected.isEmpty, "nothing to be found", sourceLocation: sourceLocation)
    #expect(results.map(\.code) == expected, sourceLocation: sourceLocation)
  }
}
