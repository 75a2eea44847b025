import Foundation
import TestSupport

/// The cities and countries of the demo program's data as plain values, to compute from what queries must find.
struct CityRecord: Decodable, Sendable {
  let id: Int
  let name: String
  let country: String
  let latitude: Double
  let longitude: Double
  let population: Int
  let timezone: String
  let alternateNames: [String]

  /// Whether it should be among a fifth of all cities.
  fileprivate var isSpecial: Bool {
    population > 300_000 || abs(latitude) > 60 || abs(longitude) > 165
      || !name.utf8.allSatisfy { $0 < 0x80 }
  }
}

struct CountryRecord: Decodable, Sendable {
  struct Currency: Decodable, Sendable {
    let code: String
    let name: String
  }

  let code: String
  let name: String
  let capital: String
  let continent: String
  let population: Int
  let area: Double
  let currency: Currency?
  let languages: [String]
  let neighbours: [String]
}

struct WorldRecords: Sendable {
  /// In the order in which they are added to the realm.
  let cities: [CityRecord]
  let countries: [CountryRecord]
  let countryOfCode: [String: CountryRecord]

  init() throws {
    let decoder = JSONDecoder()
    let lines = try Self.decompressed("cities.jsonl.gz").split(separator: UInt8(ascii: "\n"))
    cities = try lines.map { try decoder.decode(CityRecord.self, from: Data($0)) }.enumerated()
      .filter { TestLength.isLong || $0.offset % 5 == 0 || $0.element.isSpecial }.map(\.element)
    countries = try decoder.decode(
      [CountryRecord].self, from: Data(try Self.decompressed("countries.json.gz")))
    countryOfCode = Dictionary(uniqueKeysWithValues: countries.map { ($0.code, $0) })
  }

  func country(of city: CityRecord) -> CountryRecord? { countryOfCode[city.country] }

  private static func decompressed(_ name: String) throws -> [UInt8] {
    let package = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
    let file = "\(package)/Examples/WorldCities/Data/\(name)"
    return [UInt8](try ChildProgram.run(["/usr/bin/env", "gzip", "-dc", file]).said)
  }
}
