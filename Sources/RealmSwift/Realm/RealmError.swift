public import Foundation
package import QueryEngine
import Storage

extension Realm {
  /// An error in opening, writing or copying a realm.
  ///
  /// ```swift
  /// do {
  ///   _ = try Realm(configuration: configuration)
  /// } catch Realm.Error.filePermissionDenied {
  ///   print("no permission")
  /// }
  /// ```
  public struct Error: Swift.Error, LocalizedError, CustomNSError {
    /// The kind of failure. The numbers are those of the official SDK; numbers from 1,000 on are additions.
    public enum Code: Int, Sendable {
      /// Another failure, which the message states.
      case fail = 1
      /// The file could not be read or written.
      case fileAccess = 2
      /// The process has no permission to read or write the file.
      case filePermissionDenied = 3
      /// The file to be written exists already.
      case fileExists = 4
      /// The file or its folder is missing.
      case fileNotFound = 5
      /// The file has an older format and must not be upgraded.
      case fileFormatUpgradeRequired = 6
      /// Another process uses the file with another version of the storage engine.
      case incompatibleLockFile = 8
      /// The file does not fit into the address space.
      case addressSpaceExhausted = 9
      /// The classes differ from the file in a way that needs a migration.
      case schemaMismatch = 10
      /// The file is in use in this process.
      case alreadyOpen = 12
      /// An argument is invalid.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// Never used; present for source compatibility.
      case incompatibleSession = 15
      /// The version of the file format is not supported.
      case unsupportedFileFormatVersion = 16
      /// Never used; present for source compatibility.
      case multipleSyncAgents = 17
      /// Never used; present for source compatibility.
      case subscriptionFailed = 18
      /// A file that belongs to the realm could not be created.
      case fileOperationFailed = 19
      /// The file is not a realm, or is damaged.
      case invalidDatabase = 20
      /// Never used; present for source compatibility.
      case incompatibleHistories = 21
      /// Never used; present for source compatibility.
      case noSubscriptionForWrite = 22
      /// A write transaction violates a rule of the schema, such as `onDelete: .deny`.
      case ruleBroken = 1000
    }

    /// Failures with the code `fail`, for programs in other languages, which compare no messages.
    enum Reason {
      /// The file has a newer version of the classes, or another one than a read-only realm.
      case schemaVersion
      /// The file is open with other settings.
      case conflictingSettings
      /// Objects have the same primary key after a migration.
      case duplicateKeys
      /// Settings contradict each other.
      case contradictingSettings
    }

    /// The kind of failure.
    public let code: Code
    /// The message under `NSLocalizedDescriptionKey`, the path under `NSFilePathErrorKey`, and the number and
    /// name of the code under "Error Code" and "Error Name".
    public var errorUserInfo: [String: Any] {
      var info: [String: Any] = additionalInfo
      info[NSLocalizedDescriptionKey] = message
      info["Error Code"] = code.rawValue
      info["Error Name"] = "\(code)"
      if let path { info[NSFilePathErrorKey] = path }
      return info
    }
    private let message: String
    private let path: String?
    /// The property that a predicate or an order names and its class does not have.
    package let missingProperty: MissingProperty?
    /// What failed, where `code`, which is that of the official SDK, does not tell.
    let reason: Reason?
    // Only ever read after the error was made.
    private nonisolated(unsafe) let additionalInfo: [String: Any]

    /// Creates an error with a message.
    public init(_ code: Code, _ message: String) {
      self.init(code, message, path: nil)
    }

    /// Creates an error with the message and path that `userInfo` has under `NSLocalizedDescriptionKey` and
    /// `NSFilePathErrorKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      message = userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)"
      path = userInfo[NSFilePathErrorKey] as? String
      missingProperty = nil
      reason = nil
      additionalInfo = userInfo
    }

    init(
      _ code: Code, _ message: String, path: String?,
      missing missingProperty: MissingProperty? = nil, reason: Reason? = nil
    ) {
      self.code = code
      self.message = message
      self.path = path
      self.missingProperty = missingProperty
      self.reason = reason
      additionalInfo = [:]
    }

    init(_ error: StorageError) {
      self.init(Code(error.kind), error.message, path: error.path)
    }

    /// The domain of these errors as `NSError`.
    public static var errorDomain: String { "io.realm" }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The values of `errorUserInfo`.
    public var userInfo: [String: Any] { errorUserInfo }
    /// The file that the error refers to.
    public var fileURL: URL? { path.map { URL(fileURLWithPath: $0) } }
    /// The message.
    public var errorDescription: String? { message }
    /// The message.
    public var localizedDescription: String { message }

    /// An error for an operation that failed without a reason.
    public static let callFailed = Error(.fail, "Call failed")
  }
}

extension Realm.Error: Equatable {
  /// Returns whether both have the same code.
  public static func == (first: Self, second: Self) -> Bool { first.code == second.code }
}

extension Realm.Error: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

// The codes as members, so that `catch Realm.Error.fileNotFound` works.
extension Realm.Error {
  /// Another failure, which the message states.
  public static var fail: Code { .fail }
  /// The file could not be read or written.
  public static var fileAccess: Code { .fileAccess }
  /// The process has no permission to read or write the file.
  public static var filePermissionDenied: Code { .filePermissionDenied }
  /// The file to be written exists already.
  public static var fileExists: Code { .fileExists }
  /// The file or its folder is missing.
  public static var fileNotFound: Code { .fileNotFound }
  /// The file must be upgraded, but cannot be written.
  public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
  /// The lock file belongs to another version of the library.
  public static var incompatibleLockFile: Code { .incompatibleLockFile }
  /// The file could not be mapped into memory.
  public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
  /// The classes differ from the file in a way that needs a migration.
  public static var schemaMismatch: Code { .schemaMismatch }
  /// The file is open already, with settings that contradict these.
  public static var alreadyOpen: Code { .alreadyOpen }
  /// An argument is invalid.
  public static var invalidInput: Code { .invalidInput }
  /// The disk is full.
  public static var outOfDiskSpace: Code { .outOfDiskSpace }
  /// Never thrown; present for source compatibility.
  public static var incompatibleSession: Code { .incompatibleSession }
  /// The version of the file format is not supported.
  public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
  /// Never thrown; present for source compatibility.
  public static var multipleSyncAgents: Code { .multipleSyncAgents }
  /// Never thrown; present for source compatibility.
  public static var subscriptionFailed: Code { .subscriptionFailed }
  /// An operation on the file failed.
  public static var fileOperationFailed: Code { .fileOperationFailed }
  /// The file is not a realm, is damaged, or has another key.
  public static var invalidDatabase: Code { .invalidDatabase }
  /// Never thrown; present for source compatibility.
  public static var incompatibleHistories: Code { .incompatibleHistories }
  /// Never thrown; present for source compatibility.
  public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }
  /// A write transaction violates a rule of the schema.
  public static var ruleBroken: Code { .ruleBroken }
}

extension Realm.Error.Code {
  init(_ kind: StorageError.Kind) {
    self =
      switch kind {
      case .notFound: .fileNotFound
      case .permissionDenied: .filePermissionDenied
      case .access: .fileAccess
      case .alreadyExists: .fileExists
      case .operationFailed: .fileOperationFailed
      case .invalidDatabase, .unrecovered: .invalidDatabase
      case .unsupportedFormat: .unsupportedFileFormatVersion
      case .outOfSpace: .outOfDiskSpace
      case .addressSpaceExhausted: .addressSpaceExhausted
      case .ruleBroken: .ruleBroken
      case .other: .fail
      }
  }

  /// Returns whether an error has this code, for patterns such as `catch Realm.Error.fileNotFound`.
  public static func ~= (code: Self, error: any Swift.Error) -> Bool {
    (error as? Realm.Error)?.code == code
  }
}

/// Returns whether two errors have the same domain and code.
public func == (first: any Error, second: any Error) -> Bool {
  first._code == second._code && first._domain == second._domain
}
