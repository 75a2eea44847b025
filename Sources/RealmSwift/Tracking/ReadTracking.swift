import Observation
import QueryEngine
import Storage

/// What was read from a realm within `withObservationTracking`, so that those who have read it can be told.
///
/// Used where its realm is used. Tells when the realm has moved to another version: at once after a commit of its own,
/// after a refresh for those of others.
final class ReadTracking {
  /// Something that was read.
  struct Cell: Hashable {
    /// -1 for everything.
    var table: Int
    /// -1 for which rows there are.
    var column: Int
    /// -1 for all rows.
    var row: Int

    static let everything = Cell(table: -1, column: -1, row: -1)
  }

  /// What the Observation library knows as the observed object.
  private final class Subject: Observable {
    subscript(cell: Cell) -> Bool { true }
  }

  private unowned(unsafe) let realm: RealmCore
  private let registrar = ObservationRegistrar()
  private let subject = Subject()
  private var cells: Set<Cell> = []
  /// The version that the cells were read from.
  private var version: UInt64
  private var hasReadChanges = false
  /// When more single values than this were read, whole columns are watched.
  private static let maximumCells = 4096

  init(_ realm: RealmCore) {
    self.realm = realm
    version = realm.snapshot.version
  }

  /// Notes that the current scope has read something.
  func note(_ cell: Cell) {
    var cell = cell
    if cells.count >= Self.maximumCells { cell.row = -1 }
    cells.insert(cell)
    if realm.snapshot.hasChanges { hasReadChanges = true }
    registrar.access(subject, keyPath: \.[cell])
  }

  /// Notes that the current scope has read what a query finds.
  func note(_ dependencies: QueryDependencies) {
    if dependencies.isUnknown { return note(.everything) }
    for (table, columns) in dependencies.columns {
      note(Cell(table: table, column: -1, row: -1))
      for column in columns { note(Cell(table: table, column: column, row: -1)) }
    }
  }

  /// The realm shows another version.
  func versionMoved() {
    let now = realm.snapshot.version
    if now == version { return }
    defer { version = now }
    hasReadChanges = false
    if cells.isEmpty { return }
    guard let changes = realm.snapshot.changes(after: version) else { return tell(cells) }
    tell(cells.filter { $0.isTouched(by: changes) })
  }

  /// The open write transaction was rolled back.
  func rolledBack() {
    if hasReadChanges { forgotten() }
  }

  /// Nothing of what was read holds any more.
  func forgotten() {
    hasReadChanges = false
    version = realm.snapshot.version
    tell(cells)
  }

  private func tell(_ changed: Set<Cell>) {
    // Whoever is told may read again at once.
    cells.subtract(changed)
    for cell in changed { registrar.withMutation(of: subject, keyPath: \.[cell]) {} }
  }
}

extension ReadTracking.Cell {
  fileprivate func isTouched(by changes: VersionChanges) -> Bool {
    if table < 0 { return !changes.isEmpty }
    guard let changes = changes.tables[table] else { return false }
    if row < 0 {
      return !changes.deleted.isEmpty || !changes.insertedRange.isEmpty
        || column >= 0 && changes.modified[column] != nil
    }
    // Of new rows the log does not tell what was written.
    return row >= changes.firstNewRow || changes.deleted.contains(row)
      || changes.modified[column]?.contains(row) == true
  }
}

extension RealmCore {
  /// What was read within `withObservationTracking`; nil where nothing is to be noted. Not on a fast path.
  var openTracking: ReadTracking? {
    guard !isFrozen, !configuration.readOnly, isTracked else { return nil }
    if let tracking { return tracking }
    let made = ReadTracking(self)
    tracking = made
    return made
  }
}

extension ObjectBase {
  /// Checks that a property may be read, and notes that it is.
  @usableFromInline @inline(never)
  final func _checkReadSlowly(_ column: Int32) {
    _checkAccessSlowly()
    guard !_isShared, let tracking = _realm.unsafelyUnwrapped.openTracking else { return }
    tracking.note(ReadTracking.Cell(table: _table.number, column: Int(column), row: _row))
  }
}
