import Storage
import Synchronization

/// The rows of a view in one version, which it does not pin, to be found beside the queue.
final class RowCache: Sendable {
  private let query: StudioQuery
  /// Locked while rows are found, so that windows of the same version wait for them.
  private let known = Mutex<(version: UInt64, rows: [Int])?>(nil)

  init(_ query: StudioQuery) { self.query = query }

  func rows(_ snapshot: Snapshot) throws -> [Int] {
    try known.withLock { known in
      if let known, known.version == snapshot.version { return known.rows }
      let rows = try query.rows(try query.reader(in: snapshot))
      if known.map({ $0.version < snapshot.version }) ?? true { known = (snapshot.version, rows) }
      return rows
    }
  }
}
