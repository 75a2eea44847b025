import Foundation
import Storage
import Sync

extension SyncedFile {
  /// Says whether the file is in step with its database: what its program has noted at most a minute ago, what waits in it, and
  /// whether the database can be reached from here.
  func status() throws {
    let client = try client(nil)
    try client.noteWaiting()
    let now = SyncClock.systemMilliseconds() + (try snapshot.syncClock()).offset
    if record.lastPull == 0 { return try console.print("never synchronised: \(waiting(client.facts, now))") }
    let failure = failure(of: client)
    let oldest = client.facts.oldestWaiting?.milliseconds
    let since = oldest.map { min($0, record.lastPull) } ?? record.lastPull
    let hasDifferences = record.audit.map { $0.differences > 0 } ?? false
    // A session notes its pulls once a minute.
    let isBehind = now - record.lastPull > 150_000 || oldest.map { now - $0 > 60_000 } ?? false
    if isBehind || hasDifferences || failure != nil {
      var parts = [waiting(client.facts, now)]
      if hasDifferences { parts.append(audit(now)) }
      if let failure { parts.append(failure) }
      try console.print(
        "behind since \(Self.time(since - now)) (\(Self.age(now - since))): \(parts.joined(separator: "; "))")
    } else {
      let sent =
        record.lastAcknowledged == 0
        ? "nothing was sent"
        : "version \(state.acknowledged) acknowledged \(Self.age(now - record.lastAcknowledged)) ago"
      try console.print(
        "current: \(sent), snapshot of \(Self.age(now - record.lastPull)) ago; \(waiting(client.facts, now)); \(audit(now))"
      )
    }
  }

  private func waiting(_ facts: SyncFacts, _ now: Int64) -> String {
    guard facts.waiting > 0 else { return "nothing waits" }
    let age = facts.oldestWaiting.map { ", the oldest \(Self.age(now - $0.milliseconds))" } ?? ""
    return "\(Numbers.count(facts.waiting, "change")) \(facts.waiting == 1 ? "waits" : "wait")\(age)"
  }

  private func audit(_ now: Int64) -> String {
    guard let audit = record.audit else { return "no audit yet" }
    let found =
      audit.differences == 0 ? "no differences" : Numbers.count(audit.differences, "difference")
    return "audit \(Self.age(now - audit.time)) ago: \(found)"
  }

  /// Why the file cannot be synchronised from here: the database cannot be reached, or its schema does not fit the file, which also
  /// stops the session of the program. Nil when it can.
  private func failure(of client: SyncClient) -> String? {
    do {
      client.connection = try server().connect()
      defer { client.disconnect() }
      try client.verifyServer()
      return nil
    } catch let error as ToolError {
      return error.message
    } catch let problem as SyncProblem {
      return problem.description
    } catch let error as PostgresError {
      let lines = (error.message + "\n" + (error.advice ?? "")).split(separator: "\n")
      return lines.joined(separator: " ")
    } catch {
      return "\(error)"
    }
  }

  private static func age(_ milliseconds: Int64) -> String {
    SyncMaintenance.age(Int(max(milliseconds, 0) / 1000))
  }

  /// The time of day, at some distance from now in milliseconds.
  private static func time(_ distance: Int64) -> String {
    let parts = Calendar.current.dateComponents(
      [.hour, .minute], from: Date(timeIntervalSinceNow: TimeInterval(distance) / 1000))
    return "\(parts.hour ?? 0):\((parts.minute ?? 0) < 10 ? "0" : "")\(parts.minute ?? 0)"
  }
}
