import Sync

/// A local change to an object that the server has refused. The realm then has the server's state of the object.
public struct Rejection: Sendable {
  /// The reason for a refusal.
  public enum Reason: Sendable, Hashable {
    /// The role may not write the object, or may not see the object that has the key. Or a trigger has left the object out
    /// without an error.
    case denied
    /// A constraint or trigger of the table has refused the values.
    case constraint
    /// A value cannot be stored in PostgreSQL, such as a text with U+0000, or one that is too long for an index.
    case value
    /// Another copy of the file has sent its increments of counters first. Those of this one would count what both have
    /// twice; `values` has them.
    case copied
  }

  /// The name of the object's class.
  public let objectType: String
  /// The primary key: an `Int`, `String`, `ObjectId` or `UUID`.
  public let primaryKey: any Sendable
  /// The reason.
  public let reason: Reason
  /// The error code of PostgreSQL; nil if the server has reported none.
  public let sqlState: String?
  /// The message of the server.
  public let message: String
  /// The values that were refused, by the names of the properties: of an object, all its values that are no collections. When elements
  /// were refused, the elements of that collection which were sent with them: `[(any Sendable)?]` for a list or a set, and
  /// `[String: (any Sendable)?]` for a map; links are the primary keys of their targets. Removals and moves have no values. Empty if
  /// the object has been deleted.
  ///
  /// The properties of an embedded object have the names of its columns, such as `address_city`. One that is a single value of the
  /// database, in a list or a map or with collections of its own, is a `[String: (any Sendable)?]` of all its properties, of which
  /// its class can be made again: `Address(value:)`. Lists and dictionaries in an `AnyRealmValue` are such arrays and
  /// dictionaries, too; a link in an `AnyRealmValue` property is nil.
  public let values: [String: (any Sendable)?]
}

/// The reason why a realm is compared with the whole database.
public enum ResetReason: Sendable, Hashable {
  /// The database was restored from a backup, another server has taken over, or the server has recovered from a crash.
  case historyChanged
  /// The client was away for longer than the server remembers deletions.
  case tooOld
  /// The program has asked for it: ``SyncSession/resyncEverything()``.
  case requested
  /// The policies of the database have been changed: `realm sync allow`.
  case permissionsChanged
}
