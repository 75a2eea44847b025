import Foundation
import RealmSwift

/// Dogs of a later version, with one more name.
private enum Later {
  class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var color = ""
    @Persisted var weight = 0.0
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var vaccinated = false
    @Persisted var title = ""

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// A migration that computes a new property of every object, beside the same work without one: `value(forKey:)` and
/// `setValue` of a property within a write transaction. Both in processes of their own, for their memory.
struct MigrationMeasurements {
  static let works = ["migration", "migration memory"]
  static let childCommand = "child-migrate"

  let files: FileStore
  let options: Options
  /// More than setting the properties takes.
  private static let factor = 3.0
  private static let memory = 64.0 * 1024 * 1024

  func run() throws -> (measurements: [Measurement], note: String) {
    let set = try child("set")
    let migrated = try child("migrate")
    var time = Measurement(
      work: "migration", title: "compute a property", target: .atMost(Self.factor * set.seconds))
    time.figures[.openRealm] = migrated.seconds
    var memory = Measurement(
      work: "migration memory", title: "above the file's map", unit: .bytes, target: .atMost(Self.memory))
    memory.figures[.openRealm] = migrated.memory
    let note =
      "Migration: the same property by setValue takes \(Measurement.Unit.seconds.format(set.seconds)) ms and \(Measurement.Unit.bytes.format(set.memory)) MB."
    return ([time, memory], note)
  }

  private func child(_ mode: String) throws -> (seconds: Double, memory: Double) {
    let path = try files.copyOfFileAfterInsert(for: OpenRealmSubject.self, label: mode)
    defer { files.remove(path) }
    let words = try ChildProcess.run([Self.childCommand, mode, path])
    guard words.count == 2, let seconds = Double(words[0]), let memory = Double(words[1]) else {
      throw BenchmarkError("The child process printed \(words).")
    }
    return (seconds, memory)
  }

  /// `child-migrate set|migrate PATH` prints the seconds, and the most memory that it took beside the file.
  static func runChild(_ arguments: [String]) throws {
    let path = arguments[2]
    var seconds = 0.0
    let memory = try ProcessMemory.anonymousPeak {
      seconds = try Stopwatch.seconds { try arguments[1] == "set" ? set(path) : migrate(path) }
    }
    print(seconds, memory)
  }

  private static func set(_ path: String) throws {
    let realm = try Realm(configuration: OpenRealmSubject.configuration(path: path))
    try realm.write {
      for dog in realm.objects(Dog.self) {
        dog.setValue("\(dog.value(forKey: "name") as! String)!", forKey: "color")
      }
    }
  }

  private static func migrate(_ path: String) throws {
    var configuration = OpenRealmSubject.configuration(path: path)
    configuration.objectTypes = [Later.Dog.self]
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, new in
        new!["title"] = "\(old!["name"] as! String)!"
      }
    }
    let realm = try Realm(configuration: configuration)
    guard let dog = realm.objects(Later.Dog.self).last, dog.title == dog.name + "!" else {
      throw BenchmarkError("The dogs were not migrated.")
    }
  }
}
