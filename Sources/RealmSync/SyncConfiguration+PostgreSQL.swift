public import Foundation
public import RealmSwift

extension SyncConfiguration {
  /// The source of the password of the PostgreSQL role.
  public enum Password: Sendable {
    /// `PGPASSWORD` in the environment, or the password file of libpq (`~/.pgpass`, `PGPASSFILE`).
    case environment
    /// A password file in the format of libpq, which only its owner may read. `PGPASSWORD` is ignored then.
    case passFile(URL)
    /// A function that returns the password. It is called for each connection, and once more when the server has refused the password.
    case provider(@Sendable () async throws -> String)
  }

  /// Creates the settings for synchronising a realm with a PostgreSQL database.
  ///
  /// `realm sync init` prepares the database.
  ///
  /// - Parameters:
  ///   - url: The database, as a URL or keywords of libpq: `postgresql://kiosk7@db.example/fleet`. The role
  ///     is the user. A password in it is refused.
  ///   - schema: The schema of the database that has the tables.
  ///   - password: The source of the role's password.
  ///   - initialSubscriptions: A function that adds the first subscriptions of a realm file, with
  ///     ``SyncSubscriptionSet/append(_:)``; only what is subscribed to is received. Nil: every object that the role may
  ///     see is received, and subscriptions cannot be changed.
  ///   - rerunOnOpen: Whether the function is called whenever the first realm of a file is opened in a process, and not
  ///     only for a file without subscriptions.
  ///   - classes: The classes that are synchronised, each with a primary key; nil for all classes of the
  ///     realm. Objects of other classes stay local.
  ///   - pollInterval: Time between two pulls if the server sends no signal, in seconds. Each one is varied by up to a quarter.
  ///   - auditInterval: Time between two comparisons of the whole realm with the server, in seconds. The first one is within a
  ///     minute after the first download. Infinite for none.
  ///   - openTimeout: Maximum time that opening a realm with `downloadBeforeOpen` waits while there is no connection, in
  ///     seconds. It throws at once when the server refuses the role or its password.
  ///   - allowsInsecureConnection: Whether the server's identity may remain unverified: other values of
  ///     `sslmode` than `verify-full`.
  ///   - onRejected: A function that is called, on any thread, with the objects that the server has refused.
  ///     The realm then has the server's state of them.
  ///   - onReset: A function that is called, on the thread of the session, before the realm is compared with the whole
  ///     database. Local changes that the server does not have yet are kept.
  public init(
    url: String, schema: String = "app", password: Password = .environment,
    initialSubscriptions: (@Sendable (SyncSubscriptionSet) -> Void)? = nil, rerunOnOpen: Bool = false,
    classes: [ObjectBase.Type]? = nil, pollInterval: TimeInterval = 30,
    auditInterval: TimeInterval = 86_400, openTimeout: TimeInterval = 30,
    allowsInsecureConnection: Bool = false,
    onRejected: (@Sendable ([Rejection]) -> Void)? = nil,
    onReset: (@Sendable (ResetReason) -> Void)? = nil
  ) {
    self.init(
      PostgresSynchroniser(
        url: url, schema: schema, password: password, classes: classes.map { $0.map { $0.className() } },
        initialSubscriptions: initialSubscriptions, rerunsSubscriptions: rerunOnOpen,
        pollInterval: pollInterval, auditInterval: auditInterval, openTimeout: openTimeout,
        allowsInsecureConnection: allowsInsecureConnection,
        onRejected: onRejected, onReset: onReset))
  }
}

extension Realm.Configuration {
  /// Creates a configuration of a realm that is synchronised with a PostgreSQL database.
  ///
  /// - Parameters:
  ///   - sync: The server.
  ///   - fileURL: The local file, which the realm reads and writes whether the server can be reached or not.
  ///   - encryptionKey: The key of an encrypted file, 64 bytes.
  ///   - schemaVersion: The schema version.
  ///   - migrationBlock: A block that migrates the objects when the schema version has been raised.
  ///   - objectTypes: The classes; nil for all classes of the program.
  public init(
    sync: SyncConfiguration, fileURL: URL? = Realm.Configuration.defaultFileURL, encryptionKey: Data? = nil,
    schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil, objectTypes: [ObjectBase.Type]? = nil
  ) {
    self.init(
      fileURL: fileURL, syncConfiguration: sync, encryptionKey: encryptionKey, schemaVersion: schemaVersion,
      migrationBlock: migrationBlock, objectTypes: objectTypes)
  }
}
