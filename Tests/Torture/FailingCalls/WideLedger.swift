import Foundation
import ProcessTestModels
import RealmSwift

/// The counter of a ledger, with a property and an index more.
final class WideCounter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
  @Persisted(indexed: true) var added = 0
  override class func _realmObjectName() -> String? { LedgerCounter.className() }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What one transaction left behind in a ledger, with a property and two indexes more.
final class WideEntry: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var number = 0
  @Persisted var writer = ""
  @Persisted(fullText: true) var text = ""
  @Persisted var counters: List<WideCounter>
  @Persisted(indexed: true) var added: String?
  override class func _realmObjectName() -> String? { LedgerEntry.className() }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A ledger whose schema has an odd version, and more properties than a usual one, which has an even version: to open one
/// as the other is a migration.
struct WideLedger {
  let realm: Realm

  init(path: String, durability: Realm.Durability, queue: DispatchQueue) throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path),
        schemaVersion: Self.version(of: path, isWide: true),
        migrationBlock: { migration, _ in
          migration.enumerateObjects(ofType: LedgerCounter.className()) { old, new in
            new!["added"] = old!["value"]
          }
          migration.enumerateObjects(ofType: LedgerEntry.className()) { old, new in
            new!["added"] = old!["id"]
          }
        }, objectTypes: [WideCounter.self, WideEntry.self], durability: durability), queue: queue)
  }

  /// The version with which a file is opened one way or the other: its own, or the next.
  static func version(of path: String, isWide: Bool) throws -> UInt64 {
    let url = URL(fileURLWithPath: path)
    var version: UInt64 = 0
    do {
      version = try schemaVersionAtURL(url, encryptionKey: Ledger.encryptionKey(path))
    } catch let error as Realm.Error where error.code == .fileNotFound || error.code == .invalidDatabase {
      // There is none yet, or without a schema.
    }
    return version % 2 == (isWide ? 1 : 0) ? version : version + 1
  }

  var number: Int { realm.object(ofType: WideCounter.self, forPrimaryKey: 0)?.value ?? 0 }

  /// What is wrong with what the migration has made.
  var fault: String? {
    let number = number
    let counters = realm.objects(WideCounter.self)
    let entries = realm.objects(WideEntry.self)
    if counters.contains(where: { $0.value != number || $0.added != number }) {
      return "counters have other values"
    }
    let found = counters.where { $0.added == number }.count
    if found != counters.count { return "\(found) of \(counters.count) counters in the index" }
    for entry in entries {
      guard entry.added == entry.id, entries.where({ $0.added == entry.id }).count == 1,
        entries.where({ $0.text.fullTextSearch(entry.id) }).contains(entry)
      else { return "entry \(entry.id) was not migrated" }
    }
    return nil
  }
}
