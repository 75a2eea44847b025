import Dispatch
import Foundation

extension Realm {
  /// Opens the default realm.
  ///
  /// - Parameter queue: A serial queue, which must be the current one: the realm may then be used on it, whatever
  ///   thread it runs on. Without one the realm belongs to the current thread.
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens a realm. Opening one that is open here already costs next to nothing.
  ///
  /// - Throws: `Realm.Error`: `fileNotFound` when the folder, or a read-only file, is missing;
  ///   `filePermissionDenied`; `fileAccess` when the path is a folder; `invalidDatabase` when the file is no
  ///   realm or damaged; `unsupportedFileFormatVersion` when a newer version wrote it; `schemaMismatch` when the
  ///   classes do not fit the file; `outOfDiskSpace`; `fail` for other reasons, which its message tells.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    core = try Opening.open(configuration, at: queue.map { .queue($0) } ?? .current)
  }

  /// Opens a file with the other settings of the default configuration.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a realm so that its file is brought to the configuration's schema version, and closes it again.
  ///
  /// Stops the program when the realm is open in this process.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    configuration.validate()
    if RealmFiles.isOpen(configuration) { trap("Cannot migrate Realms that are already open.") }
    _ = try Opening.open(configuration, at: .current)
  }
}

/// The schema version of a realm's file.
///
/// - Throws: `Realm.Error`: `invalidDatabase` when there is no file, or one that is no realm.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  try Opening.schemaVersion(path: fileURL.path, encryptionKey: encryptionKey)
}
