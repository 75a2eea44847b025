import Foundation
import RealmSwift
import Storage
import Sync

// What `Sync` reports, in the words of the interface.
extension ResetReason {
  init(_ cause: ResetCause) {
    switch cause {
    case .historyChanged: self = .historyChanged
    case .tooOld: self = .tooOld
    case .requested: self = .requested
    case .policiesChanged: self = .permissionsChanged
    }
  }
}

extension AuditReport {
  init(_ findings: AuditFindings) {
    date = Date(milliseconds: findings.time)
    objects = findings.objects
    differences = findings.differences
  }
}

extension SyncLag {
  init?(_ samples: LagSamples) {
    if samples.isEmpty { return nil }
    median = TimeInterval(samples.median) / 1000
    maximum = TimeInterval(samples.maximum) / 1000
  }
}

extension Rejection {
  init(_ object: RejectedObject) {
    objectType = object.className
    primaryKey = object.key.scalarValue ?? 0
    values = object.values.mapValues(\.programValue).merging(
      object.elements.mapValues(\.collectionValue)
    ) { $1 }
    switch object.reason {
    case .rejected(let state, let text):
      sqlState = state
      message = text
      // 22 says that a value is wrong, 54 that one is too long for an index; triggers raise errors of all other classes.
      reason =
        state == "42501"
        ? .denied : state.hasPrefix("22") || state.hasPrefix("54") ? .value : .constraint
    case .lost:
      sqlState = nil
      message = "Another copy of the file has sent its increments first."
      reason = .copied
    case .denied, .gone:
      sqlState = nil
      message = "The role may not write the object, or a trigger has left it out."
      reason = .denied
    }
  }
}

extension RejectedElements {
  /// An array, or a dictionary for a map.
  fileprivate var collectionValue: (any Sendable)? {
    let elements = values.map(\.value.programValue)
    guard let keys else { return elements }
    return Dictionary(zip(keys, elements)) { $1 }
  }
}

extension Value {
  /// The value as a program writes it: an array for a list or a set, a dictionary for a map or an embedded object, the primary key for
  /// a link that has one; nil for null and for other links.
  fileprivate var programValue: (any Sendable)? {
    converted { value -> (any Sendable)?? in
      if let linked = value.linkedObject { return .some(linked.key.scalarValue) }
      return value.unreadableReason == nil ? .none : .some(nil)
    } single: {
      $0.scalarValue
    } list: {
      $0
    } dictionary: { keys, values in
      Dictionary(zip(keys, values)) { $1 }
    }
  }
}

extension SyncHealth {
  init(_ report: SyncLoop.Report, at now: Date) {
    let facts = report.facts
    acknowledgedVersion = report.uploaded
    lastAcknowledged = facts.lastAcknowledged.map { Date(milliseconds: $0) }
    lastPull = facts.lastPull.map { Date(milliseconds: $0) }
    waiting = facts.waiting
    oldestWaiting = facts.oldestWaiting.map { Date(milliseconds: $0.milliseconds - facts.clockOffset) }
    rejected = facts.rejected
    clockOffset = TimeInterval(facts.clockOffset) / 1000
    lastAudit = facts.lastAudit.map { AuditReport($0) }
    uploadLag = SyncLag(facts.uploadLag)
    downloadLag = SyncLag(facts.downloadLag)
    status = Self.status(report, oldestWaiting: oldestWaiting, at: now)
  }

  private static func status(_ report: SyncLoop.Report, oldestWaiting: Date?, at now: Date) -> Status {
    if let reason = report.stopReason { return .stopped(reason: reason) }
    if report.isSuspended {
      return .offline(
        since: Date(milliseconds: report.lastCycle ?? report.started),
        reason: "The program has suspended the session: resume() continues it.")
    }
    if let failure = report.failure {
      let since = Date(milliseconds: failure.since)
      return failure.isRefusal
        ? .refused(since: since, reason: failure.reason) : .offline(since: since, reason: failure.reason)
    }
    let lastCycle = Date(milliseconds: report.lastCycle ?? report.started)
    if report.lastCycle == nil || now.timeIntervalSince(lastCycle) > report.pollInterval * 2 {
      return .behind(since: lastCycle)
    }
    if let oldestWaiting, now.timeIntervalSince(oldestWaiting) > 60 { return .behind(since: oldestWaiting) }
    if let audit = report.facts.lastAudit, audit.differences > 0 {
      return .behind(since: Date(milliseconds: audit.time - report.facts.clockOffset))
    }
    return .current
  }
}

extension Date {
  fileprivate init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
  }
}
