internal import CPostgres
import LibC

/// How to reach a server: a checked connection string, and the limits of waiting.
///
/// Descriptions and errors never hold a password.
package struct PostgresSettings: Sendable {
  /// The keywords of the connection string and their values, without passwords.
  package let keywords: [String: String]
  /// Where the password is obtained from.
  package var password: PostgresPassword
  /// Whether the connection string held a password, for the tool's warning.
  package let hadPasswordInString: Bool
  /// Maximum duration of a statement, in seconds; the server ends it then. No limit, when 0.
  package var statementTimeout = 60.0
  /// Maximum time in seconds without a byte from the server while an answer is due; the connection is closed then. Must be
  /// greater than `statementTimeout`, since the server is silent while a statement runs.
  package var silenceLimit = 120.0
  /// Maximum time in seconds for establishing a connection. The resolver's own limits apply to looking up names.
  package var connectTimeout = 30.0
  private let secrets: [String: String]

  /// Checks a connection string.
  ///
  /// - Parameters:
  ///   - string: A URL `postgresql://role@host/database?sslmode=verify-full`, or keywords `host=… dbname=…`.
  ///   - password: Where the password is obtained from.
  ///   - allowsInsecureConnection: Whether a host that is not this machine may be reached with a weaker `sslmode` than
  ///     `verify-full`.
  ///   - allowsPasswordInString: Whether the string may hold a password.
  /// - Throws: `PostgresError` for strings that cannot be parsed, and for what is not allowed.
  package init(
    _ string: String, password: PostgresPassword = .environment, allowsInsecureConnection: Bool = false,
    allowsPasswordInString: Bool = false
  ) throws(PostgresError) {
    var keywords = try Self.parse(string)
    let secrets = keywords.filter { Self.secretKeywords.contains($0.key) }
    keywords = keywords.filter { !Self.secretKeywords.contains($0.key) }
    guard secrets.isEmpty || allowsPasswordInString else {
      throw PostgresError(
        "The connection string holds a password. Use a password file, PGPASSWORD, or a provider instead.")
    }
    self.secrets = secrets
    hadPasswordInString = !secrets.isEmpty
    if case .passFile(let path) = password { keywords["passfile"] = path }
    let isLocal = Self.isLocal(keywords)
    if let mode = keywords["sslmode"], mode != "verify-full" {
      guard isLocal || allowsInsecureConnection else {
        throw PostgresError(
          "sslmode=\(mode) does not verify that \(Self.hostName(keywords)) is the server. "
            + "Use sslmode=verify-full, or allow insecure connections.")
      }
    } else if !isLocal {
      keywords["sslmode"] = "verify-full"
    }
    // Encryption by GSSAPI would be tried before TLS, and verifies otherwise.
    if keywords["gssencmode"] == nil { keywords["gssencmode"] = "disable" }
    self.keywords = keywords
    self.password = password
  }

  /// The keywords and values with which the connection is established, with the password.
  ///
  /// - Parameter wasRefused: Whether the server has just refused the provider's password.
  func parameters(wasRefused: Bool) throws(PostgresError) -> [(String, String)] {
    var all = [
      "fallback_application_name": "OpenRealm", "keepalives_idle": "30", "keepalives_interval": "10",
      "keepalives_count": "3", "tcp_user_timeout": "30000",
    ].merging(keywords) { $1 }
    // What is read and written is UTF-8, whatever the string says.
    all["client_encoding"] = "UTF8"
    all.merge(secrets) { $1 }
    switch password {
    case .environment: break
    case .passFile: all["password"] = secrets["password"] ?? ""
    case .provider(let provide):
      do {
        all["password"] = try provide(wasRefused)
      } catch {
        throw .noPassword("The provider of the password has failed: \(error)")
      }
      // An empty password would be looked up in the password file.
      all["passfile"] = Self.noFile
    }
    // libpq takes PGPASSWORD for an empty parameter, but not for an empty password in a connection string, which the name of the
    // database may be.
    let words =
      (all["password"] == "" ? ["password=''"] : [])
      + (all["dbname"].map { ["dbname=\(Self.quoted($0))"] } ?? [])
    if !words.isEmpty { all["dbname"] = words.joined(separator: " ") }
    return all.map { ($0, $1) }
  }

  /// The path of a file that cannot be there.
  private static let noFile = "/dev/null/none"

  /// Returns a value as a connection string has it.
  private static func quoted(_ value: String) -> String {
    let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "'\(escaped)'"
  }

  /// The connection string without passwords.
  package var address: String {
    keywords.sorted { $0.key < $1.key }.map { "\($0)=\(Self.quoted($1))" }.joined(separator: " ")
  }

  private static let secretKeywords: Set = ["password", "sslpassword"]

  /// Parses a string without telling what is in it: libpq's messages quote it.
  private static func parse(_ string: String) throws(PostgresError) -> [String: String] {
    guard !string.utf8.contains(0) else {
      throw PostgresError("The connection string contains the character U+0000.")
    }
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(string, &message)
    defer {
      PQconninfoFree(options)
      PQfreemem(message)
    }
    guard var option = options else {
      let reason = message.map { withoutQuotations(String(cString: $0)) } ?? "out of memory"
      throw PostgresError("The connection string is invalid: \(reason)")
    }
    var keywords: [String: String] = [:]
    while let name = option.pointee.keyword {
      if let value = option.pointee.val { keywords[String(cString: name)] = String(cString: value) }
      option += 1
    }
    return keywords
  }

  /// The message up to what it quotes, which may be a part of a password.
  private static func withoutQuotations(_ message: String) -> String {
    let kept = message.prefix { $0 != "\"" }
    return kept.count == message.count
      ? message.trimmingSuffix { $0 == "\n" } : kept + "… (not shown: it may be a part of a password)"
  }

  /// Whether all hosts are this machine: Unix sockets, or loopback.
  private static func isLocal(_ keywords: [String: String]) -> Bool {
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    // The address is what is connected to, if both are given.
    let given = [keywords["hostaddr"], keywords["host"]].compactMap { $0 }.first { !$0.isEmpty }
    if given == nil && (keywords["service"] ?? environment("PGSERVICE")) != nil { return false }
    let hosts = given ?? environment("PGHOSTADDR") ?? environment("PGHOST") ?? ""
    return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
        || isLoopback(host)
    }
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, String(host), &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  private static func hostName(_ keywords: [String: String]) -> String {
    keywords["host"] ?? keywords["hostaddr"] ?? "the host"
  }
}

extension PostgresSettings: CustomStringConvertible, CustomReflectable {
  /// Role, host and database: nothing secret.
  package var description: String {
    let role = keywords["user"].map { "\($0)@" } ?? ""
    let port = keywords["port"].map { ":\($0)" } ?? ""
    return "\(role)\(Self.hostName(keywords))\(port)/\(keywords["dbname"] ?? "")"
  }

  /// Shows no stored property to `dump`.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension String {
  /// The text without the characters at its end for which a condition holds.
  func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    var text = Substring(self)
    while let last = text.last, condition(last) { text.removeLast() }
    return String(text)
  }
}
