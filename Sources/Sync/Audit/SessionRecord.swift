package import Storage

/// What an audit has found.
package struct AuditFindings: Sendable, Hashable {
  /// By the server's clock, in milliseconds since 1970.
  package var time: Int64
  /// Number of objects of the server that were compared.
  package var objects: Int
  /// Number of objects that were different, missing or too many in the file, and have been repaired.
  package var differences: Int

  package init(time: Int64, objects: Int, differences: Int) {
    self.time = time
    self.objects = objects
    self.differences = differences
  }
}

/// What a session notes in the file for `realm sync status` and for its next audit, beside its state.
package struct SessionRecord: Sendable, Hashable {
  /// The number of the policies under which the file was read; -1 before that.
  package var policyEpoch: Int64 = -1
  /// The last audit.
  package var audit: AuditFindings?
  /// When the server last confirmed to have a version, by its clock, in milliseconds since 1970; 0 if it has not.
  package var lastAcknowledged: Int64 = 0
  /// The time of the state of the server that was applied last, by its clock, in milliseconds since 1970; 0 if none was.
  package var lastPull: Int64 = 0
  /// The address of the server as a connection string, without passwords.
  package var address = ""

  package init() {}

  /// Returns what the session of a file has noted; nil in a file that is not synchronised.
  package static func read(_ snapshot: Snapshot) throws(StorageError) -> (SessionRecord, SessionState)? {
    guard let state = try snapshot.session(.state).flatMap({ SessionState($0) }) else { return nil }
    return (try snapshot.session(.record).flatMap { SessionRecord($0) } ?? SessionRecord(), state)
  }

  private static let format: Int64 = 1

  /// Reads what `encoded` wrote; nil for bytes of a later version.
  package init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard reader.readInteger() == Self.format, let epoch = reader.readInteger(),
      let audits = reader.readList({ reader -> AuditFindings? in
        guard let time = reader.readInteger(), let objects = reader.readInteger(),
          let differences = reader.readInteger()
        else { return nil }
        return AuditFindings(time: time, objects: Int(objects), differences: Int(differences))
      }),
      let acknowledged = reader.readInteger(), let pull = reader.readInteger(),
      let address = reader.readText()
    else { return nil }
    policyEpoch = epoch
    audit = audits.last
    lastAcknowledged = acknowledged
    lastPull = pull
    self.address = address
  }

  /// The bytes that are stored.
  package var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(Self.format)
    writer.append(policyEpoch)
    writer.append(audit.map { [$0] } ?? []) {
      $0.append($1.time)
      $0.append(Int64($1.objects))
      $0.append(Int64($1.differences))
    }
    writer.append(lastAcknowledged)
    writer.append(lastPull)
    writer.append(address)
    return writer.bytes
  }
}

extension SessionKey {
  /// What `SessionRecord` has.
  static let record = SessionKey(Kind(rawValue: 25))
}
