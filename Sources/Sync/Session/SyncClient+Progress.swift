import Storage

// What observers are notified of while rows are sent and received.
extension SyncClient {
  /// Number of rows between two reports.
  private static let step = 1000

  /// Begins to count the rows of a transfer.
  func beginTransfer(_ direction: Transfer.Direction, rows: Int) {
    transfer = Transfer(direction, transferred: 0, transferrable: rows)
  }

  /// Counts a row.
  func countRow() {
    transfer.transferred += 1
    if transfer.transferred % Self.step == 0, let noteTransfer {
      noteTransfer(
        Transfer(
          transfer.direction, transferred: transfer.transferred, transferrable: transfer.transferrable))
    }
  }

  /// Counts the rows that a download of everything will receive; 0 when no observer is registered.
  func rowsToReceive(_ connection: any ServerConnection) throws(PostgresError) -> Int {
    guard noteTransfer != nil, state.needsFullPull else { return 0 }
    var count = 0
    for item in model.classes {
      let table = ServerNames(schema: schema, className: item.name).table
      count += try connection.query("select count(*)::text from \(table)").first?[0].flatMap { Int($0) } ?? 0
    }
    return count
  }
}
