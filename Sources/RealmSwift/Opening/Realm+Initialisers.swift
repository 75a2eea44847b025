public import Dispatch
public import Foundation
import Storage

// The place in the program's code, which is the caller's unless it is given, is what `diagnostics` tells of a realm.
extension Realm {
  /// Opens the default realm.
  ///
  /// `queue` is a serial queue, which must be the current one: the realm may then be used on it, whatever thread it runs
  /// on. Without one the realm belongs to the current thread.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public init(queue: DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue, file: file, line: line)
  }

  /// Opens a realm. Opening one that is open here already costs next to nothing.
  ///
  ///     let realm = try Realm(configuration: configuration)
  ///
  /// - Parameters:
  ///   - configuration: The file, and how to treat it.
  ///   - queue: A serial queue, which must be the current one; without one the realm belongs to the current thread.
  ///   - file: The file of the caller, for `diagnostics`: of the calls that get the same realm, the first counts.
  ///   - line: The line of the caller.
  /// - Throws: `Realm.Error`: `fileNotFound` when the folder, or a read-only file, is missing;
  ///   `filePermissionDenied`; `fileAccess` when the path is a folder; `invalidDatabase` when the file is no
  ///   realm or damaged; `unsupportedFileFormatVersion` when a newer version wrote it; `schemaMismatch` when the
  ///   classes do not fit the file; `outOfDiskSpace`; `fail` for other reasons, which its message tells.
  public init(
    configuration: Configuration, queue: DispatchQueue? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    core = try Opening.openKept(
      configuration, at: queue.map { .queue($0) } ?? .current, from: CodeLocation(file, line))
  }

  /// Opens a file with the other settings of the default configuration.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public init(fileURL: URL, file: StaticString = #fileID, line: UInt = #line) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration, file: file, line: line)
  }

  /// Opens a realm so that its file is brought to the configuration's schema version, and closes it again.
  ///
  ///     try Realm.performMigration(for: configuration)
  ///
  /// Stops the program when the realm is open in this process.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    configuration.validate()
    RealmFiles.letGoOfKept(configuration)
    if RealmFiles.isOpen(configuration) { trap("Cannot migrate Realms that are already open.") }
    _ = try Opening.open(configuration, at: .current, from: CodeLocation(file, line))
  }
}

// The same without a place, for where they are not called but passed on, or fulfil a protocol.
extension Realm {
  /// Opens the default realm.
  @_disfavoredOverload
  public init(queue: DispatchQueue?) throws {
    core = try Opening.openKept(.defaultConfiguration, at: queue.map { .queue($0) } ?? .current, from: nil)
  }

  /// Opens a realm.
  @_disfavoredOverload
  public init(configuration: Configuration, queue: DispatchQueue?) throws {
    core = try Opening.openKept(configuration, at: queue.map { .queue($0) } ?? .current, from: nil)
  }

  /// Opens a file with the other settings of the default configuration.
  @_disfavoredOverload
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    core = try Opening.openKept(configuration, at: .current, from: nil)
  }
}

/// The schema version of a realm's file.
///
///     let version = try schemaVersionAtURL(configuration.fileURL!)
///
/// - Throws: `Realm.Error`: `invalidDatabase` when there is no file, or one that is no realm.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  try Opening.catalogue(path: fileURL.path, encryptionKey: encryptionKey).schemaVersion
}
