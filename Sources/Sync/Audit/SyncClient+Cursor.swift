import Storage

extension SyncClient {
  /// Tells the server, at most once an hour, which snapshot the file has, and how long transfers took: departures that all
  /// clients have can be removed there.
  ///
  /// The file has the cursor durably before: a server that had removed departures could not tell of them again.
  package func reportCursor() throws {
    let now = time()
    if state.needsFullPull || state.cursor == SessionState.emptyCursor || now - lastReport < 3_600_000 {
      return
    }
    do {
      try saveState()
    } catch is StateConflict {
      return
    }
    try file.waitUntilSynced(snapshot.version)
    let lag = facts.downloadLag
    try connected().query(
      """
      update realm.client set cursor = $2::pg_snapshot, seen = now(), lag = $3::int, lag_max = $4::int
        where id = $1::int and token = $5::uuid
      """,
      [
        String(state.client), state.cursor, lag.isEmpty ? nil : String(min(lag.median, 1_000_000_000)),
        lag.isEmpty ? nil : String(min(lag.maximum, 1_000_000_000)), state.token,
      ])
    lastReport = now
  }
}
