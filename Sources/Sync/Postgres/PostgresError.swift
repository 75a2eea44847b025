/// An error that the server reported, or that the connection to it ended with.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the caller does about an error.
  package enum Kind: Sendable, Hashable {
    /// The connection is lost: connect again and repeat the transaction.
    case lost
    /// The server could not do it this time: repeat the transaction.
    case retry
    /// The server refuses the values: it would refuse them again.
    case rejected
    /// Everything else.
    case other
  }

  /// The five characters that name the error; nil if it was found on this side of the connection.
  package var sqlState: String?
  /// What is wrong, in the server's words or ours.
  package var message: String
  /// The server's further explanation.
  package var detail: String?
  /// The server's advice.
  package var hint: String?
  /// The name of the constraint that refused a value.
  package var constraint: String?
  /// Whether the connection cannot be used any more.
  package var isConnectionLost = false
  /// Whether the server may have committed although no answer has arrived: a commit, or a statement outside of a
  /// transaction, was sent and the connection was lost before its answer.
  package var isOutcomeUnknown = false
  /// Whether the server has asked for a password, and there is none.
  package var isPasswordMissing = false
  /// Whether the provider of the password has thrown an error, so that the server was not asked for anything.
  package var hasProviderFailed = false
  /// Whether another thread interrupted the call through `PostgresInterrupter.stop`.
  package var isInterrupted = false

  package init(_ message: String, sqlState: String? = nil) {
    self.message = message
    self.sqlState = sqlState
  }

  /// An error that ends the connection.
  static func lost(_ message: String) -> PostgresError {
    var error = PostgresError(message)
    error.isConnectionLost = true
    return error
  }

  /// The error of a provider that has thrown one.
  static func noPassword(_ message: String) -> PostgresError {
    var error = PostgresError(message)
    error.hasProviderFailed = true
    return error
  }

  /// What the caller does about it. Follows from the SQLSTATE where there is one.
  package var kind: Kind {
    guard let sqlState, sqlState.utf8.count == 5 else { return isConnectionLost ? .lost : .other }
    switch sqlState {
    // Serialisation failure, deadlock, lock timeout; undefined column or table: the schema has changed.
    case "40001", "40P01", "55P03", "42703", "42P01": return .retry
    case "42501": return .rejected
    default: break
    }
    if sqlState.hasPrefix("57P0") { return .retry }
    switch sqlState.prefix(2) {
    case "08": return .lost
    // The role or its password, or the database's name, is wrong.
    case "28", "3D": return .other
    case "22", "23": return .rejected
    default: return isConnectionLost ? .lost : .other
    }
  }

  /// Whether the error stays until the database is changed: it does not exist or is not prepared, or the role lacks a
  /// privilege.
  package var needsIntervention: Bool {
    switch sqlState {
    case "3D000", "3F000", "42501", "42703", "42883", "42P01": true
    default: false
    }
  }

  /// What to do about an error that stays until the database is changed; nil for other errors.
  package var advice: String? {
    switch sqlState {
    case "3D000": "Restore the database from a backup, or correct the URL."
    case "3F000", "42P01": "Prepare the database with 'realm sync init', or correct the URL."
    case "42703", "42883": "Run 'realm sync push-schema'."
    case "42501" where concernsBookkeeping:
      "The role of the URL must be a member of realm_user: let the owner of the database grant that."
    case "42501":
      "The role of the URL may use the schema realm, but lacks the right that the message names: let the owner of the database grant "
        + "it to realm_user, as with 'grant usage on schema app to realm_user' or 'grant select, insert, update, delete on "
        + "app.\"Dog\" to realm_user'."
    default: nil
    }
  }

  /// Whether the message names the schema `realm`, which a session uses before all others and which only members of `realm_user` may
  /// use. The server may write in any language, but names no schema elsewhere in the error.
  private var concernsBookkeeping: Bool {
    message.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains("realm")
  }

  /// Whether the server does not accept the role or its password, or there is no password.
  package var isAuthenticationFailure: Bool {
    isPasswordMissing || hasProviderFailed || sqlState?.hasPrefix("28") == true
  }

  package var description: String {
    var text = sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message
    if let detail { text += "\n\(detail)" }
    if let hint { text += "\n\(hint)" }
    return text
  }
}
