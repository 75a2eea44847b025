public import Dispatch
public import Foundation
import Storage

// The place in the program's code, which is the caller's unless it is given, is what `diagnostics` tells of a realm.
extension Realm {
  /// Opens the default realm.
  ///
  /// ```swift
  /// let realm = try Realm()
  /// ```
  ///
  /// `queue` is a serial queue, which must be the current queue. The realm can then be used on this queue,
  /// whatever thread the queue runs on. Without a queue, the realm belongs to the current thread.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public init(queue: DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue, file: file, line: line)
  }

  /// Opens a realm. If the realm is open already on the current thread or queue, the call is cheap and
  /// returns the same realm.
  ///
  /// ```swift
  /// let configuration = Realm.Configuration(fileURL: folder.appending(path: "huts.realm"))
  /// let realm = try Realm(configuration: configuration)
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The file, its classes, and how to open it.
  ///   - queue: A serial queue, which must be the current queue; if nil, the realm belongs to the current
  ///     thread.
  ///   - file: The source file of the caller, for `diagnostics`. Of several calls that return the same realm,
  ///     the first one counts.
  ///   - line: The line of the caller.
  /// - Throws: `Realm.Error`: `fileNotFound` if the folder, or a read-only file, is missing;
  ///   `filePermissionDenied`; `fileAccess` if the path is a folder; `invalidDatabase` if the file is not a
  ///   realm, is damaged or has another key; `unsupportedFileFormatVersion` if a newer version wrote it;
  ///   `schemaMismatch` if the classes do not fit the file; `outOfDiskSpace`; `fail` for other reasons, which
  ///   the message states.
  public init(
    configuration: Configuration, queue: DispatchQueue? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    core = try Opening.openKept(
      configuration, at: queue.map { .queue($0) } ?? .current, from: CodeLocation(file, line))
  }

  /// Opens a file. Other settings are those of the default configuration.
  ///
  /// - Throws: `Realm.Error`; see `init(configuration:queue:)`.
  public init(fileURL: URL, file: StaticString = #fileID, line: UInt = #line) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration, file: file, line: line)
  }

  /// Opens a realm, which migrates its file to the schema version of the configuration, and closes it again.
  ///
  /// ```swift
  /// try Realm.performMigration(for: configuration)
  /// ```
  ///
  /// Stops the program if the realm is open in this process.
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

/// Returns the schema version of a realm file.
///
/// ```swift
/// let version = try schemaVersionAtURL(configuration.fileURL!)
/// ```
///
/// - Throws: `Realm.Error`: `invalidDatabase` if there is no file, or if the file is not a realm.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  try Opening.catalogue(path: fileURL.path, encryptionKey: encryptionKey).schemaVersion
}
