import Observation
import QueryEngine
import Storage

/// The values that were read from a realm within `withObservationTracking`, so that their readers can be notified.
///
/// Confined as its realm is. Notifies when the realm has moved to another version: at once after a commit of its own, and
/// after a refresh for commits of other realms.
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
  /// What was read from the present version.
  private var cells: Set<Cell> = []
  /// Changed values whose readers are not notified yet.
  private var untold: Set<Cell> = []
  private var hasReadChanges = false
  /// When more single values than this were read, whole columns are watched.
  private static let maximumCells = 4096

  init(_ realm: RealmCore) { self.realm = realm }

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

  /// Looks up what of the values that were read may be others now.
  func follow(_ move: inout RealmMove) {
    switch move.cause {
    case .refreshed, .refreshedQuietly, .writeBegun, .committed:
      if !move.isToOtherVersion { return }
      hasReadChanges = false
      if cells.isEmpty { return }
      guard let changes = move.changes else { return forget(cells) }
      forget(cells.filter { $0.isTouched(by: changes) })
    case .staged: break
    case .rolledBack:
      if !hasReadChanges { return }
      hasReadChanges = false
      forget(cells)
    case .invalidated:
      hasReadChanges = false
      forget(cells)
    }
  }

  private func forget(_ changed: Set<Cell>) {
    cells.subtract(changed)
    untold.formUnion(changed)
  }

  /// Notifies the readers of the changed values; they may read again at once.
  func tell() {
    let changed = untold
    untold = []
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

  @usableFromInline @inline(never)
  final func _checkCollectionReadSlowly(_ column: Int32) {
    if let realm = _realm, !realm.isClosed, !_isAlive {
      realm.checkThread(classSchema.className)
    } else {
      _checkReadSlowly(column)
    }
  }
}
