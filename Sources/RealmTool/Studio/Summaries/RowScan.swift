import QueryEngine
import RealmSwift
import Storage

/// The objects of a view in one version, for what is computed from all of them. To be used beside the queue of the session.
struct RowScan {
  let reader: ClassReader
  let selection: RowSelection

  init(_ query: StudioQuery, _ snapshot: Snapshot) throws {
    reader = try query.reader(in: snapshot)
    selection = try query.selection(reader)
  }

  /// Calls the body with each row, in ascending order.
  func forEachRow(_ body: (Int) throws -> Void) rethrows {
    switch selection {
    case .all: try reader.forEachRow(body)
    case .set(let set):
      for (index, row) in set.rows.enumerated() {
        reader.pause(at: index)
        try body(row)
      }
    case .rows(let rows): for row in rows { try body(row) }
    }
  }
}
