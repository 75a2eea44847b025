import Foundation
import RealmSwift

/// Brings the countries and cities into the realm. What is there already is updated and never duplicated, so
/// that a second import of the same data changes nothing.
struct WorldImport {
  let realm: Realm
  let report: Report

  func run() throws {
    var data: WorldData?
    try report.step("read and decompress the data") {
      data = try WorldData()
      return "countries.json.gz, cities.jsonl.gz (GeoNames, CC BY 4.0)"
    }
    guard let data else { return }
    try report.step("countries, with currency, languages, neighbours") {
      try upserting(Country.self) { try importCountries(data.countries) }
    }
    try report.step("cities, with coordinates and a country each") {
      try upserting(City.self) { try importCities(data.cityLines) }
    }
    try report.step("facts of each country, through its inverse link") {
      try realm.write { deriveFacts() }
      let switzerland = realm.object(ofType: Country.self, forPrimaryKey: "CH")
      return "Switzerland: \(switzerland?.facts["cities"] ?? 0) cities"
    }
    let countries = realm.objects(Country.self).count
    let cities = realm.objects(City.self).count
    report.expect(countries == WorldData.countryCount, "252 countries, not \(countries)")
    report.expect(cities == WorldData.cityCount, "34,006 cities, not \(grouped(cities))")
  }

  /// Runs `body` in one transaction and tells how many objects it created and how many it found.
  private func upserting<T: Object>(_ type: T.Type, _ body: () throws -> Int) throws -> String {
    let before = realm.objects(type).count
    let read = try realm.write(body)
    let created = realm.objects(type).count - before
    return "\(grouped(created)) created, \(grouped(read - created)) upserted"
  }

  /// A country's neighbours come as codes. A dictionary that holds nothing but the primary key finds the
  /// neighbour, or creates it so that a later line completes it.
  private func importCountries(_ countries: [[String: Any]]) throws -> Int {
    for var country in countries {
      let codes = country["neighbours"] as? [String] ?? []
      country["neighbours"] = codes.map { ["code": $0] }
      realm.create(Country.self, value: country, update: .modified)
    }
    return countries.count
  }

  private func importCities(_ lines: [Data]) throws -> Int {
    let countries = Dictionary(uniqueKeysWithValues: realm.objects(Country.self).map { ($0.code, $0) })
    let progress = ProgressBar("cities", total: lines.count)
    defer { progress.finish() }
    for (number, line) in lines.enumerated() {
      guard var city = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
        throw UnreadableData(name: "line \(number + 1) of cities.jsonl.gz")
      }
      // A managed object as the value of a link is linked, not copied.
      city["country"] = (city["country"] as? String).flatMap { countries[$0] }
      city["coordinates"] = ["type": "Point", "coordinates": [city["longitude"], city["latitude"]]]
      realm.create(City.self, value: city, update: .modified)
      progress.show(number + 1)
    }
    return lines.count
  }

  private func deriveFacts() {
    for country in realm.objects(Country.self) {
      let facts = [
        "cities": country.cities.count,
        "people in cities": country.cities.sum(of: \.population),
        "languages": country.languages.count,
        "neighbours": country.neighbours.count,
      ]
      let note: AnyRealmValue =
        if country.population == 0 {
          .string("no permanent population")
        } else if country.area > 0 {
          .double(Double(country.population) / country.area)
        } else {
          .none
        }
      let value: [String: Any] = ["code": country.code, "facts": facts, "note": note]
      realm.create(Country.self, value: value, update: .modified)
    }
  }
}
