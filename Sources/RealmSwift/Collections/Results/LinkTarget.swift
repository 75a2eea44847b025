import QueryEngine
import Storage
import Synchronization

/// An object as the target of the links of one column.
final class LinkTarget {
  let realm: RealmCore
  let table: Table
  let row: Int
  let origin: ClassTable
  let column: Int
  private var found: ContiguousArray<Int> = []
  private let foundStamp = Atomic(Int.min)
  private let lock = FirstUseLock()

  convenience init(_ object: ObjectBase, origin: ClassTable, column: Int) {
    self.init(
      object._realm.unsafelyUnwrapped, object._table, object._row, origin: origin, column: column)
  }

  init(_ realm: RealmCore, _ table: Table, _ row: Int, origin: ClassTable, column: Int) {
    self.realm = realm
    self.table = table
    self.row = row
    self.origin = origin
    self.column = column
  }

  /// A query on the objects that link here.
  var query: ResultsCore {
    ResultsCore(
      realm: realm, type: origin.schema.type, dynamicTable: origin.dynamicNumber,
      source: .rows { self.isValid ? Array(self.rows) : [] }, origin: .links(location))
  }

  var isValid: Bool { !realm.isClosed && !realm.isRetired(table) && table.isAlive(row) }

  func checkAccess() {
    if realm.isClosed { trap("Access to invalidated Results objects") }
    if realm.isFrozen { return realm.checkProcess() }
    realm.checkThread("LinkingObjects<\(origin.className)>")
    if !isValid { trap("Access to invalidated Results objects") }
    if realm.isTracked {
      realm.openTracking?.note(ReadTracking.Cell(table: origin.table.number, column: column, row: -1))
    }
  }

  /// The rows that link here, ascending.
  var rows: ContiguousArray<Int> {
    let snapshot = table.snapshot
    let now = snapshot.visibleStamp
    if foundStamp.load(ordering: .acquiring) == now { return found }
    if !realm.isFrozen {
      find(now)
    } else {
      lock.withLock {
        if foundStamp.load(ordering: .relaxed) != now { find(now) }
      }
    }
    return found
  }

  private func find(_ now: Int) {
    found = ContiguousArray(
      table.snapshot.backlinks(to: row, of: table.number, from: origin.table.number, column: column))
    foundStamp.store(now, ordering: .releasing)
  }
}
