import Foundation
import RealmSwift

// Imports the cities of the world into a realm file, then walks through creating, updating, querying and
// deleting objects. Usage: WorldCities [path of the realm file]

func openWorld(at file: URL) throws -> Realm {
  // Opening creates a missing file, but not its folder.
  try FileManager.default.createDirectory(
    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  // The version counts changes of the models; a file of an earlier version is adapted to them.
  return try Realm(configuration: Realm.Configuration(fileURL: file, schemaVersion: 1))
}

func tour(_ file: URL, _ report: Report) throws {
  let exists = FileManager.default.fileExists(atPath: file.path)
  print("\(exists ? "Opening" : "Creating") \(file.path)")
  let clock = ContinuousClock()
  let start = clock.now

  report.heading("Import")
  var opened: Realm?
  try report.step(exists ? "open the file of an earlier run" : "create the file") {
    let realm = try openWorld(at: file)
    opened = realm
    return "\(grouped(realm.objects(City.self).count)) cities in it"
  }
  guard let realm = opened else { return }
  try DeleteSteps(realm: realm, report: report).removeLeftovers()

  try WorldImport(realm: realm, report: report).run()
  try QuerySteps(realm: realm, report: report).run()
  try CreateSteps(realm: realm, report: report).run()
  try WriteSteps(realm: realm, report: report).run()
  try UpdateSteps(realm: realm, report: report).run()
  try CollectionSteps(realm: realm, report: report).run()
  try DeleteSteps(realm: realm, report: report).run()

  let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
  let seconds = Double(start.duration(to: clock.now) / .milliseconds(1)) / 1_000
  print("\n\(String(format: "%.2f", seconds)) s, \(grouped(size / 1_024)) KiB on disk: \(file.path)")
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.count > 1 || arguments.first?.hasPrefix("-") == true {
  print("Usage: WorldCities [path of the realm file, by default .build/demo/WorldCities.realm]")
  exit(arguments.first == "--help" ? 0 : 2)
}

let report = Report()
do {
  try tour(URL(fileURLWithPath: arguments.first ?? ".build/demo/WorldCities.realm"), report)
} catch {
  print("\nThe tour stopped: \(error.localizedDescription)")
  exit(1)
}
exit(report.conclude())
