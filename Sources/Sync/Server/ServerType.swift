package import Storage

/// The type of a column on the server.
package enum ServerType: String, Sendable, Hashable, CaseIterable {
  case bigint, boolean, real, double, text, bytea, timestamp, objectId, uuid, numeric, jsonb

  /// The server's type for the values that a realm file stores in a column. Links have the type of the key that they
  /// hold, which the caller finds by the target: the result is nil for them.
  package init?(storing type: ValueType) {
    switch type {
    case .int: self = .bigint
    case .bool: self = .boolean
    case .float: self = .real
    case .double: self = .double
    case .string: self = .text
    case .data: self = .bytea
    case .date: self = .timestamp
    case .objectId: self = .objectId
    case .uuid: self = .uuid
    case .decimal128: self = .numeric
    case .mixed: self = .jsonb
    case .link: return nil
    }
  }

  /// The type of the values in a realm file.
  package var valueType: ValueType {
    switch self {
    case .bigint: .int
    case .boolean: .bool
    case .real: .float
    case .double: .double
    case .text: .string
    case .bytea: .data
    case .timestamp: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .numeric: .decimal128
    case .jsonb: .mixed
    }
  }

  /// The type as a declaration of a column names it. Text is compared byte by byte, as realms compare it.
  package var declaration: String {
    switch self {
    case .text: "text collate \"C\""
    default: name
    }
  }

  /// The name of the type, as a cast, a parameter or an array element has it.
  package var name: String {
    switch self {
    case .bigint: "bigint"
    case .boolean: "boolean"
    case .real: "real"
    case .double: "double precision"
    case .text: "text"
    case .bytea, .objectId: "bytea"
    case .timestamp: "timestamptz"
    case .uuid: "uuid"
    case .numeric: "numeric"
    case .jsonb: "jsonb"
    }
  }

  /// The value of a required property that nothing was written to, as an SQL expression.
  package var zero: String {
    switch self {
    case .bigint, .real, .double, .numeric: "0"
    case .boolean: "false"
    case .text: "''"
    case .bytea: "'\\x'"
    case .timestamp: "'1970-01-01 00:00:00+00'"
    case .objectId: "'\\x000000000000000000000000'"
    case .uuid: "'00000000-0000-0000-0000-000000000000'"
    case .jsonb: "'null'"
    }
  }

  /// Whether properties of this type can be primary keys.
  package var canBeKey: Bool {
    switch self {
    case .bigint, .text, .objectId, .uuid: true
    case .boolean, .real, .double, .bytea, .timestamp, .numeric, .jsonb: false
    }
  }
}
