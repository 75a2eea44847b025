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
    /// What kind of failure it is. The numbers are those of the official SDK.
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
    }

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

    public static var errorDomain: String { "io.realm" }
    public var errorCode: Int { code.rawValue }
    public var userInfo: [String: Any] { errorUserInfo }
    /// The file that the error is about.
    public var fileURL: URL? { path.map { URL(fileURLWithPath: $0) } }
    public var errorDescription: String? { message }
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
  public var description: String { message }
}

// The codes as members, so that `catch Realm.Error.fileNotFound` works.
extension Realm.Error {
  public static var fail: Code { .fail }
  public static var fileAccess: Code { .fileAccess }
  public static var filePermissionDenied: Code { .filePermissionDenied }
  public static var fileExists: Code { .fileExists }
  public static var fileNotFound: Code { .fileNotFound }
  public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
  public static var incompatibleLockFile: Code { .incompatibleLockFile }
  public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
  public static var schemaMismatch: Code { .schemaMismatch }
  public static var alreadyOpen: Code { .alreadyOpen }
  public static var invalidInput: Code { .invalidInput }
  public static var outOfDiskSpace: Code { .outOfDiskSpace }
  public static var incompatibleSession: Code { .incompatibleSession }
  public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
  public static var multipleSyncAgents: Code { .multipleSyncAgents }
  public static var subscriptionFailed: Code { .subscriptionFailed }
  public static var fileOperationFailed: Code { .fileOperationFailed }
  public static var invalidDatabase: Code { .invalidDatabase }
  public static var incompatibleHistories: Code { .incompatibleHistories }
  public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }
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
