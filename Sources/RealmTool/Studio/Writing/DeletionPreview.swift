import RealmSwift
import Storage

/// What deleting an object would do. It is tried in a transaction that is cancelled, so that all rules count.
struct DeletionPreview {
  /// Number of links of remaining objects that would become null or leave their collections.
  private(set) var links = 0
  /// The numbers of other objects that would be deleted, by class. Embedded objects are left out: they are part of others.
  private(set) var owned: [(className: String, count: Int)] = []
  /// Why the object cannot be deleted.
  private(set) var denied: String?

  /// - Throws: `StudioFault` with status 404 when there is no such object.
  init(_ className: String, _ row: Int, _ realm: NumberedRealm, _ lock: WriteRequest) throws {
    self = try realm.trial(lock) {
      let snapshot = realm.realm.storedVersion
      guard let table = snapshot.catalogue.table(named: className), snapshot.isAlive(table: table, row: row)
      else {
        throw StudioFault(404, "Class '\(className)' has no object in row \(row).")
      }
      return DeletionPreview(NumberedObject(classNumber: table, row: row), realm, snapshot)
    }
  }

  private init(_ object: NumberedObject, _ realm: NumberedRealm, _ snapshot: Snapshot) {
    let before = snapshot.catalogue.tables.indices.map { snapshot.liveCount(table: $0) }
    let columns = LinkColumns(snapshot)
    var endangered: [NumberedObject] = []
    columns.forEachObject(deletedWith: object) {
      endangered.append($0)
      return true
    }
    let incoming = endangered.map { columns.incoming(to: $0).map(\.object) }
    do {
      try realm.delete(object)
      denied = Writer(snapshot).brokenRule?.message
    } catch {
      denied = Refusal(of: error).message
    }
    for (target, sources) in zip(endangered, incoming) where !snapshot.isAlive(target) {
      links += sources.count { snapshot.isAlive($0) }
    }
    for (table, description) in snapshot.catalogue.tables.enumerated() where !description.isEmbedded {
      let count = before[table] - snapshot.liveCount(table: table) - (table == object.classNumber ? 1 : 0)
      if count > 0 { owned.append((description.name, count)) }
    }
    owned.sort { $0.className < $1.className }
  }

  var json: [UInt8] {
    var bytes = Array("{\"links\":\(links),\"owned\":".utf8)
    bytes.appendArray(owned) { entry, bytes in
      bytes.append("[")
      bytes.appendJSON(entry.className)
      bytes.append(",\(entry.count)]")
    }
    bytes.append(",\"denied\":")
    bytes.appendJSON(orNull: denied)
    bytes.append("}")
    return bytes
  }
}
