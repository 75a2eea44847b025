import Foundation
import RealmSync
import Storage
import Sync
import TestSupport

/// The object of the measurements.
final class BenchmarkDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var color: String
  @Persisted var weight: Double
  @Persisted var born: Date
  @Persisted var vaccinated: Bool
}

/// A PostgreSQL with durable commits, a database that is prepared for the class, and a folder for realm files.
final class BenchmarkServer {
  let server: PostgresServer
  let database: String
  let folder = ScratchFolder()

  init() throws {
    server = try PostgresServer(isDurable: true)
    try server.psql("alter system set max_wal_size = '4GB'")
    try server.psql("alter system set shared_buffers = '512MB'")
    server.stop()
    try server.start()
    database = try server.makeDatabase()
    try autoreleasepool {
      _ = try Realm(
        configuration: Realm.Configuration(
          fileURL: folder.file("model.realm"), objectTypes: [BenchmarkDog.self]))
    }
    let model = try SyncModel.read(
      Snapshot(file: DatabaseFile.open(path: folder.path("model.realm"), readOnly: true)).catalogue)
    try run(ServerSchema(model).initialSQL().joined(separator: ";\n"))
  }

  @discardableResult
  func run(_ sql: String) throws -> String { try server.psql(sql, database: database) }

  /// The configuration of a file that is synchronised with the database.
  func configuration(_ file: String, pollInterval: TimeInterval = 30) -> Realm.Configuration {
    Realm.Configuration(
      sync: SyncConfiguration(url: server.connectionString(database: database), pollInterval: pollInterval),
      fileURL: folder.file(file), objectTypes: [BenchmarkDog.self])
  }

  func localConfiguration(_ file: String) -> Realm.Configuration {
    Realm.Configuration(fileURL: folder.file(file), objectTypes: [BenchmarkDog.self])
  }

  /// Fills a local file with dogs.
  func fill(_ file: String, objects: Int) throws {
    try autoreleasepool {
      let realm = try Realm(configuration: localConfiguration(file))
      try realm.write { addDogs(0..<objects, to: realm) }
    }
  }
}

func addDogs(_ keys: Range<Int>, to realm: Realm) {
  let begin = Date(timeIntervalSince1970: 1_600_000_000)
  for key in keys {
    let dog = BenchmarkDog()
    dog.id = key
    dog.name = "Name\(key % 64)-\(key &* 7919 % 1_000_003)"
    dog.age = key % 20
    dog.color = "brown"
    dog.weight = Double(key % 80) + 0.5
    dog.born = begin
    dog.vaccinated = key % 2 == 0
    realm.add(dog)
  }
}

/// Returns the seconds that the body takes.
@MainActor func seconds(_ body: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return (ContinuousClock.now - start) / .seconds(1)
}

func text(_ seconds: Double) -> String {
  seconds < 0.1 ? String(format: "%.2f ms", seconds * 1000) : String(format: "%.2f s", seconds)
}

func ratio(_ value: Double, _ peer: Double) -> String { String(format: "%.1f", value / peer) }

/// Prints a line at once, also into a pipe.
func report(_ line: String) {
  print(line)
  fflush(nil)
}
