import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// A class in the versions of its schema with an even number.
final class EvenKillThing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
  /// How often the object was migrated.
  @Persisted var migrations = 0
  override class func _realmObjectName() -> String? { "KillThing" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same class in those with an odd number, with an index and a property more, and one of another type.
final class OddKillThing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var value = 0
  @Persisted(indexed: true) var name = "new"
  @Persisted var migrations = "0"
  override class func _realmObjectName() -> String? { "KillThing" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A process that migrates a file over and over, adds an object after each migration, and is killed.
struct SchemaRound {
  let path: String
  /// The objects that the file begins with. With many of them most of the time is spent on going through them, on
  /// indexes, and on the commit.
  let firstCount: Int

  private var url: URL { URL(fileURLWithPath: path) }
  private var key: Data? { Ledger.encryptionKey(path) }

  private func open(_ version: UInt64) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: url, encryptionKey: key, schemaVersion: version, migrationBlock: Self.countMigrations,
        objectTypes: version % 2 == 0 ? [EvenKillThing.self] : [OddKillThing.self],
        durability: version % 3 == 0 ? .full : .relaxed))
  }

  private static let countMigrations: MigrationBlock = { migration, _ in
    let isText = migration.newSchema["KillThing"]?["migrations"]?.type == .string
    migration.enumerateObjects(ofType: "KillThing") { old, new in
      let count =
        (old?["migrations"] as? Int ?? (old?["migrations"] as? String).flatMap { Int($0) } ?? -1) + 1
      new?["migrations"] = isText ? "\(count)" : count
    }
  }

  /// In the child: says the number of each version whose object was acknowledged.
  func write() throws {
    for version in UInt64(1)... {
      let realm = try open(version)
      let id = firstCount + Int(version)
      try realm.write {
        if version % 2 == 0 {
          realm.add(EvenKillThing(value: [id, id]))
        } else {
          realm.add(OddKillThing(value: ["id": id, "value": id, "name": "\(version)"]))
        }
      }
      ChildProcess.say(version)
    }
  }

  func run(_ random: inout SeededGenerator) throws -> String {
    try lay()
    let writer = try ChildProcess(Kills.self, ["schema", path, "\(firstCount)"])
    let isLarge = firstCount > 0
    var acknowledged = 0
    for _ in 0..<Int.random(in: 0...(isLarge ? 3 : 12), using: &random) {
      acknowledged = try writer.nextNumber()
    }
    // A migration of many objects takes longer.
    usleep(.random(in: 0...(isLarge ? 300_000 : acknowledged == 0 ? 60_000 : 3_000), using: &random))
    acknowledged = try writer.killedNumbers().max() ?? acknowledged
    let version =
      acknowledged == 0 ? try versionOfNewFile() : try schemaVersionAtURL(url, encryptionKey: key)
    guard version == UInt64(acknowledged) || version == UInt64(acknowledged) + 1 else {
      throw KillFault("schema: version \(version) after \(acknowledged)")
    }
    let realm = try open(version)
    let things = realm.dynamicObjects("KillThing").map { ($0["id"] as? Int, $0["value"] as? Int) }
    let count = things.count
    let added = count - firstCount
    guard added == acknowledged || added == acknowledged + 1, added <= version else {
      throw KillFault("schema: \(count) objects in version \(version), after \(acknowledged)")
    }
    for (position, thing) in things.enumerated() where thing != (position + 1, position + 1) {
      throw KillFault("schema: object \(position + 1) is \(thing)")
    }
    for thing in realm.dynamicObjects("KillThing") {
      guard let id = thing["id"] as? Int,
        "\(thing["migrations"] ?? "nil")" == "\(Int(version) - max(0, id - firstCount))"
      else {
        throw KillFault("schema: in version \(version), \(thing) was not migrated once for each")
      }
    }
    // The next change works.
    guard try open(version + 1).dynamicObjects("KillThing").count == count else {
      throw KillFault("schema: objects lost in version \(version + 1)")
    }
    try WritingRound.verify(path, "schema")
    return isLarge ? "schema of many" : "schema"
  }

  private func lay() throws {
    if firstCount == 0 { return }
    let realm = try open(0)
    try realm.write { realm.add((1...firstCount).map { EvenKillThing(value: [$0, $0]) }) }
  }

  /// That of a file that may not be there, or not have a schema.
  private func versionOfNewFile() throws -> UInt64 {
    do {
      return try schemaVersionAtURL(url, encryptionKey: key)
    } catch let error as Realm.Error where error.code == .invalidDatabase {
      return 0
    }
  }
}
