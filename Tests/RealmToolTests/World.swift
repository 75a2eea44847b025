import Foundation
import TestSupport

/// The cities and countries of Examples/WorldCities as the tool has imported them.
enum World {
  private static let data = Repository.folder.appending(path: "Examples/WorldCities/Data")

  private static func unpacked(_ name: String, through filter: String = "cat") throws -> String {
    let path = ScratchFolder.lastingPath("\(UUID().uuidString)-\(name)")
    let outcome = try RealmProgram.shell("gzip -dc '\(data.path)/\(name).gz' | \(filter) > '\(path)'")
    if outcome.status != 0 { fatalError(outcome.error) }
    return path
  }

  /// All cities in long tests; otherwise a third of them, with those of Norway and those of a million.
  static let cities: String = {
    let million = String(repeating: "[0-9]", count: 7)
    let third = #"awk 'NR % 3 == 1 || /"country":"NO"|"population":\#(million)/'"#
    return try! unpacked("cities.jsonl", through: TestLength.isLong ? "cat" : third)
  }()
  static let cityCount: Int = {
    try! Data(contentsOf: URL(fileURLWithPath: cities)).split(separator: UInt8(ascii: "\n")).count
  }()
  static let countries: String = { try! unpacked("countries.json") }()

  /// Not to be changed.
  static let path: String = {
    let path = ScratchFolder.lastingPath("\(UUID().uuidString)-world.realm")
    for (source, name, key) in [(cities, "City", "id"), (countries, "Country", "code")] {
      let outcome = try! RealmProgram.run("import", path, source, "--class", name, "--key-property", key)
      if outcome.status != 0 { fatalError(outcome.error) }
    }
    return path
  }()

  /// A file of a few countries, of the test's own.
  static func small(in folder: ScratchFolder, _ name: String = "small.realm") throws -> String {
    let path = folder.path(name)
    let outcome = try RealmProgram.run(
      "import", path, "-", "--class", "Country", "--key-property", "code", "--format", "jsonl",
      input: """
        {"code":"NO","name":"Norway","population":5314336,"area":324220.5,"neighbours":["FI","RU","SE"],"since":"1905-06-07"}
        {"code":"SE","name":"Sweden","population":10183175,"area":449964,"neighbours":["NO","FI"],"since":"1523-06-06"}
        {"code":"IS","name":"Iceland","population":353574,"area":103000,"neighbours":[],"since":null}
        """)
    if outcome.status != 0 { fatalError(outcome.error) }
    return path
  }

  /// A sample of the official engine.
  static func official(_ name: String) -> String {
    Repository.folder.appending(path: "Tests/OfficialFilesTests/Samples/Files/\(name).realm").path
  }

  /// One of them, converted.
  static func converted(_ name: String, in folder: ScratchFolder) throws -> String {
    let path = folder.path("\(name).realm")
    let outcome = try RealmProgram.run("convert", official(name), path)
    if outcome.status != 0 { fatalError(outcome.error) }
    return path
  }
}
