import Storage

/// The statements with which an audit compares one class: a hash for each of many groups of rows, then the rows of the groups
/// whose hashes differ.
///
/// A row belongs to the group that the lowest bits of its hash say. The hash of a group is the exclusive or of its rows' hashes.
struct AuditQuery {
  /// The number and the hash of the rows of a group.
  struct Group: Hashable {
    var count = 0
    var hash: UInt64 = 0

    mutating func add(_ rowHash: UInt64) {
      count += 1
      hash ^= rowHash
    }
  }

  private let query: PullQuery
  private let source: String
  private let hash: String
  private let mask: Int

  /// Number of groups for a number of rows: some 250 rows each.
  static func groupCount(rows: Int) -> Int {
    var count = 1
    while count < 65_536 && count * 256 < rows { count *= 2 }
    return count
  }

  /// - Parameters:
  ///   - seed: Another one for each audit: rows whose hashes are equal by chance are not equal the next time.
  ///   - groupCount: A power of two.
  init(
    _ syncClass: SyncClass, _ query: PullQuery, schema: String, seed: UInt64, groupCount: Int
  ) {
    self.query = query
    source = "\(query.source) t\(query.filter.map { " where \($0)" } ?? "")"
    mask = groupCount - 1
    let columns = syncClass.properties.map { "t.\(SQLText.identifier($0.name))" }
    let values = zip(columns, syncClass.presences).map { column, presences in
      presences.isEmpty
        ? column
        : "case when \(presences.map { columns[$0] }.joined(separator: " and ")) then \(column) end"
    }
    let key = "t.\(SQLText.identifier(syncClass.key.name))"
    hash = Self.hash("record_send(row(\(([key] + values).joined(separator: ", "))))", seed)
  }

  /// Returns the hash of an expression of the type `bytea`.
  static func hash(_ bytes: String, _ seed: UInt64) -> String {
    "hash_record_extended(row(\(bytes)), '\(Int64(bitPattern: seed))'::bigint)"
  }

  /// A query that returns true when the server hashes as this library does.
  static let probe: String = {
    let bytes = Array("synchronised".utf8) + [0, 255, 1]
    let expected = bytes.withUnsafeBytes { RowHash.hash($0, seed: 0x0123_4567_89AB_CDEF) }
    let text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return
      "select \(hash("'\\x\(text)'::bytea", 0x0123_4567_89AB_CDEF)) = '\(Int64(bitPattern: expected))'::bigint"
  }()

  /// For each group that has rows: its number, the number of its rows, its hash, and the greatest stamp.
  func groups(stampNumbers: [Int]) -> String {
    let stamps = (["t._at"] + stampNumbers.map { "t._st[\($0)]" }).joined(separator: ", ")
    // With "offset 0" the hash is computed once for each row, and not at each place that names it.
    return "copy (select h.hash & \(mask), count(*), bit_xor(h.hash), max(h.stamp) from "
      + "(select \(hash) as hash, greatest(\(stamps)) as stamp from \(source) offset 0) h group by 1) "
      + "to stdout (format binary)"
  }

  static let groupTypes: [ServerType] = [.bigint, .bigint, .bigint, .bigint]

  /// The rows of some groups, with the columns of a pull.
  func rows(of groups: [Int]) -> String {
    let condition =
      groups.count > mask
      ? ""
      : " where t.realm$hash & \(mask) = any ('{\(groups.map { "\($0)" }.joined(separator: ","))}'::bigint[])"
    return "copy (select \(query.columns) from (select t.*, \(hash) as realm$hash from \(source) offset 0) t"
      + "\(condition)) to stdout (format binary)"
  }

  /// All rows, with the columns of a pull.
  var allRows: String { "copy (select \(query.columns) from \(source)) to stdout (format binary)" }
}
