public import Foundation
import Storage

extension Realm {
  /// Why a realm could not be opened, written or copied.
  ///
  ///     do {
  ///       _ = try Realm(configuration: configuration)
  ///     } catch Realm.Error.filePermissionDenied {
  ///       print("no permission")
  ///     }
  public struct Error: Swift.Error, LocalizedError, CustomNSError {
    /// What kind of failure it is. The numbers are those of the official SDK; those from 1,000 on are additions.
    public enum Code: Int, Sendable {
      /// Anything without a code of its own.
      case fail = 1
      /// The file could not be read or written.
      case fileAccess = 2
      /// The program may not read or write the file.
      case filePermissionDenied = 3
      /// The file to be written is there already.
      case fileExists = 4
      /// The file, or its folder, is missing.
      case fileNotFound = 5
      /// The file has an older format, and may not be upgraded.
      case fileFormatUpgradeRequired = 6
      /// Another process uses the file with another version of the storage engine.
      case incompatibleLockFile = 8
      /// The file does not fit into the address space.
      case addressSpaceExhausted = 9
      /// The classes differ from the file in a way that needs a migration.
      case schemaMismatch = 10
      /// The file is in use in this process.
      case alreadyOpen = 12
      /// A value that was passed is not valid.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// Only for source compatibility.
      case incompatibleSession = 15
      /// The format of the file is not one that this version reads.
      case unsupportedFileFormatVersion = 16
      /// Only for source compatibility.
      case multipleSyncAgents = 17
      /// Only for source compatibility.
      case subscriptionFailed = 18
      /// A file that belongs to the realm could not be made.
      case fileOperationFailed = 19
      /// The file is no realm, or damaged.
      case invalidDatabase = 20
      /// Only for source compatibility.
      case incompatibleHistories = 21
      /// Only for source compatibility.
      case noSubscriptionForWrite = 22
      /// What a write transaction was to store breaks a rule of the schema, such as `onDelete: .deny`.
      case ruleBroken = 1000
    }

    /// What went wrong.
    public let code: Code
    /// The message under `NSLocalizedDescriptionKey`, the path under `NSFilePathErrorKey`, and the code's number
    /// and name under "Error Code" and "Error Name".
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
    // Only ever read after the error was made.
    private nonisolated(unsafe) let additionalInfo: [String: Any]

    /// An error with a message.
    public init(_ code: Code, _ message: String) {
      self.init(code, message, path: nil)
    }

    /// An error with the message and path that `userInfo` has under `NSLocalizedDescriptionKey` and
    /// `NSFilePathErrorKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      message = userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)"
      path = userInfo[NSFilePathErrorKey] as? String
      additionalInfo = userInfo
    }

    init(_ code: Code, _ message: String, path: String?) {
      self.code = code
      self.message = message
      self.path = path
      additionalInfo = [:]
    }

    init(_ error: StorageError) {
      self.init(Code(error.kind), error.message, path: error.path)
    }

    /// The domain of these errors as `NSError`s.
    public static var errorDomain: String { "io.realm" }
    /// The code's number.
    public var errorCode: Int { code.rawValue }
    /// What `errorUserInfo` has.
    public var userInfo: [String: Any] { errorUserInfo }
    /// The file that the error is about.
    public var fileURL: URL? { path.map { URL(fileURLWithPath: $0) } }
    /// The message.
    public var errorDescription: String? { message }
    /// The message.
    public var localizedDescription: String { message }

    /// Stands for an operation that failed without saying why.
    public static let callFailed = Error(.fail, "Call failed")
  }
}

extension Realm.Error: Equatable {
  /// Errors are equal when their codes are.
  public static func == (first: Self, second: Self) -> Bool { first.code == second.code }
}

extension Realm.Error: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

// The codes as members, so that `catch Realm.Error.fileNotFound` works.
extension Realm.Error {
  /// Any other reason, which the message tells.
  public static var fail: Code { .fail }
  /// The file could not be read or written.
  public static var fileAccess: Code { .fileAccess }
  /// The system does not permit it.
  public static var filePermissionDenied: Code { .filePermissionDenied }
  /// There is a file already.
  public static var fileExists: Code { .fileExists }
  /// There is no such file or folder.
  public static var fileNotFound: Code { .fileNotFound }
  /// The file must be upgraded, but can not be written.
  public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
  /// The lock file belongs to another version of the library.
  public static var incompatibleLockFile: Code { .incompatibleLockFile }
  /// The file could not be mapped into memory.
  public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
  /// The classes differ from the file: a migration is needed.
  public static var schemaMismatch: Code { .schemaMismatch }
  /// The file is open already, with settings that contradict these.
  public static var alreadyOpen: Code { .alreadyOpen }
  /// An argument does not make sense.
  public static var invalidInput: Code { .invalidInput }
  /// The disk is full.
  public static var outOfDiskSpace: Code { .outOfDiskSpace }
  /// Only for source compatibility: never thrown.
  public static var incompatibleSession: Code { .incompatibleSession }
  /// The file has a format that this version does not read.
  public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
  /// Only for source compatibility: never thrown.
  public static var multipleSyncAgents: Code { .multipleSyncAgents }
  /// Only for source compatibility: never thrown.
  public static var subscriptionFailed: Code { .subscriptionFailed }
  /// An operation on the file failed.
  public static var fileOperationFailed: Code { .fileOperationFailed }
  /// The file is no realm, damaged, or has another key.
  public static var invalidDatabase: Code { .invalidDatabase }
  /// Only for source compatibility: never thrown.
  public static var incompatibleHistories: Code { .incompatibleHistories }
  /// Only for source compatibility: never thrown.
  public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }
  /// What was written breaks a rule of the schema.
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
      case .incompatibleLockFile: .incompatibleLockFile
      case .ruleBroken: .ruleBroken
      case .other: .fail
      }
  }

  /// Matches errors with this code, as in `catch Realm.Error.fileNotFound`.
  public static func ~= (code: Self, error: any Swift.Error) -> Bool {
    (error as? Realm.Error)?.code == code
  }
}

/// Whether two errors have the same domain and code.
public func == (first: any Error, second: any Error) -> Bool {
  first._code == second._code && first._domain == second._domain
}
