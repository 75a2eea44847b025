import Storage

extension SyncClient {
  /// The server's time, as far as it is known, in milliseconds since 1970.
  var serverTime: Int64 { time() + facts.clockOffset }

  /// Sends what is pending, and takes note of how long the oldest of it has waited. Returns whether anything was sent.
  func measuredPush() throws -> Bool {
    let before = state.acknowledged
    let hasSent = try push()
    if state.acknowledged > before, let oldest = facts.oldestWaiting {
      facts.uploadLag.add(serverTime - oldest.milliseconds)
    }
    // What was committed since then is counted before it is sent.
    if state.acknowledged > before, state.acknowledged >= countedVersion {
      facts.waiting = 0
      facts.oldestWaiting = nil
    }
    return hasSent
  }
}
