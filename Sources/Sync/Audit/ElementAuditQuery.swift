import Storage

/// The statements with which an audit compares the elements of one collection: a hash for each of many groups of owners.
///
/// An owner belongs to the group that the lowest bits of its key's hash say, with all its elements. The hash of a group is the exclusive
/// or of its elements' hashes.
struct ElementAuditQuery {
  private let source: String
  private let key: String
  private let hash: String
  private let stamp: String
  private let mask: Int

  /// - Parameters:
  ///   - filter: The condition for owners that the subscriptions select, on the alias `t`; nil when they select all.
  ///   - comparison: The elements of the file.
  init(
    _ collection: SyncCollection, of syncClass: SyncClass, schema: String, filter: String?,
    _ comparison: ElementComparison
  ) {
    let owners = ServerNames(schema: schema, className: syncClass.name).table
    let names = ServerNames(schema: schema, className: syncClass.name, collection: collection.name)
    let ownerKey = "t.\(SQLText.identifier(syncClass.key.name))"
    source =
      "\(names.table) e join \(owners) t on \(ownerKey) = e.owner\(filter.map { " where \($0)" } ?? "")"
    key = AuditQuery.hash("record_send(row(\(ownerKey)))", comparison.seed)
    let columns = ["owner"] + collection.comparedColumns.map(\.name)
    hash = AuditQuery.hash(
      "record_send(row(\(columns.map { "e.\($0)" }.joined(separator: ", "))))", comparison.seed)
    stamp = collection.kind == .list ? "greatest(e._ks, e._vs)" : "e._at"
    mask = comparison.groups.count - 1
  }

  /// For each group that has elements: its number, the number of its elements, its hash, and the greatest stamp. The types of the
  /// columns are those of ``AuditQuery/groups(stampNumbers:)``.
  var groups: String {
    "copy (select h.owner & \(mask), count(*), bit_xor(h.hash), max(h.stamp) from "
      + "(select \(key) as owner, \(hash) as hash, \(stamp) as stamp from \(source) offset 0) h group by 1) "
      + "to stdout (format binary)"
  }

  /// Returns the condition for the owners of some groups, on the alias `t`.
  func isOwner(inGroups groups: [Int]) -> String {
    groups.count > mask
      ? "true"
      : "\(key) & \(mask) = any ('{\(groups.map { "\($0)" }.joined(separator: ","))}'::bigint[])"
  }
}

extension SyncCollection {
  /// The columns that are compared beside the owner, with their types.
  var comparedColumns: [(name: String, type: ServerType)] {
    switch kind {
    case .list: [("_el", .bigint), ("_key", .bytea), ("value", element)]
    case .map: [("key", .text), ("value", element)]
    case .set, .none: [("value", element)]
    }
  }
}
