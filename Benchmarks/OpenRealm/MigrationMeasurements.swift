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

/// Dogs whose age is a text.
private enum Retyped {
  class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = ""
    @Persisted var color = ""
    @Persisted var weight = 0.0
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var vaccinated = false

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// Dogs with many small properties more.
private enum Detailed {
  class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var color = ""
    @Persisted var weight = 0.0
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var vaccinated = false
    @Persisted var months = 0
    @Persisted var days = 0
    @Persisted var grams = 0
    @Persisted var pounds: Double?
    @Persisted var isOld = false
    @Persisted var isHeavy = false
    @Persisted var initial = ""
    @Persisted var rank: Int?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// A migration that computes a new property of every object, beside the same work without one: `value(forKey:)` and
/// `setValue` of a property within a write transaction; and one that changes a type, and one that sets many properties. All
/// in processes of their own, for their memory.
struct MigrationMeasurements {
  static let works = ["migration", "migration memory", "migration memory type", "migration memory many"]
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
    let others = try [("type", "of a type changed"), ("many", "of eight properties")].map { mode, title in
      var memory = Measurement(
        work: "migration memory \(mode)", title: title, unit: .bytes, target: .atMost(Self.memory))
      let result = try child(mode)
      memory.figures[.openRealm] = result.memory
      return (memory, "\(title): \(Measurement.Unit.seconds.format(result.seconds)) ms")
    }
    let note =
      "Migration: the same property by setValue takes \(Measurement.Unit.seconds.format(set.seconds)) ms and \(Measurement.Unit.bytes.format(set.memory)) MB; "
      + others.map(\.1).joined(separator: ", ") + "."
    return ([time, memory] + others.map(\.0), note)
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

  /// `child-migrate set|migrate|type|many PATH` prints the seconds, and the most memory that it took beside the file.
  static func runChild(_ arguments: [String]) throws {
    let path = arguments[2]
    var seconds = 0.0
    let memory = try ProcessMemory.anonymousPeak {
      seconds = try Stopwatch.seconds {
        switch arguments[1] {
        case "set": try set(path)
        case "type": try changeType(path)
        case "many": try setMany(path)
        default: try migrate(path)
        }
      }
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

  /// Opens the file as the next version of the program does.
  private static func migrate(
    _ path: String, to type: Object.Type,
    _ block: @escaping @Sendable (MigrationObject, MigrationObject) -> Void
  ) throws -> Realm {
    var configuration = OpenRealmSubject.configuration(path: path)
    configuration.objectTypes = [type]
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, new in block(old!, new!) }
    }
    return try Realm(configuration: configuration)
  }

  private static func migrate(_ path: String) throws {
    let realm = try migrate(path, to: Later.Dog.self) { old, new in
      new["title"] = "\(old["name"] as! String)!"
    }
    guard let dog = realm.objects(Later.Dog.self).last, dog.title == dog.name + "!" else {
      throw BenchmarkError("The dogs were not migrated.")
    }
  }

  private static func changeType(_ path: String) throws {
    let realm = try migrate(path, to: Retyped.Dog.self) { old, new in new["age"] = "\(old["age"] as! Int)" }
    guard let dog = realm.objects(Retyped.Dog.self).last, !dog.age.isEmpty else {
      throw BenchmarkError("The ages were not migrated.")
    }
  }

  private static func setMany(_ path: String) throws {
    let realm = try migrate(path, to: Detailed.Dog.self) { old, new in
      let (age, weight) = (old["age"] as! Int, old["weight"] as! Double)
      new["months"] = age * 12
      new["days"] = age * 365
      new["grams"] = Int(weight * 1000)
      new["pounds"] = weight * 2.2
      new["isOld"] = age > 10
      new["isHeavy"] = weight > 30
      new["initial"] = String((old["name"] as! String).prefix(1))
      new["rank"] = age
    }
    guard let dog = realm.objects(Detailed.Dog.self).last, dog.months == dog.age * 12 else {
      throw BenchmarkError("The dogs were not migrated.")
    }
  }
}
