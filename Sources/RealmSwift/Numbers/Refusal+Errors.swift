import Foundation
package import QueryEngine
import Storage

// From the errors of the library to refusals.
extension Refusal {
  /// The refusal for any error that a function of the library throws.
  package init(of error: any Error) {
    switch error {
    case let error as Refusal: self = error
    case let error as ProgrammerError: self.init(error)
    case let error as Realm.Error:
      self.init(Code(error), error.localizedDescription, path: error.fileURL?.path)
    case let error as PredicateError: self.init(.invalidQuery, error.message, position: error.position)
    case let error as StorageError: self.init(of: Realm.Error(error))
    case let error as CocoaError: self.init(error)
    default: self.init(.error, "\(error)")
    }
  }

  /// The refusal for an error of Foundation, which concerns a file beside that of the realm, such as a seed.
  private init(_ error: CocoaError) {
    let code: Code =
      switch error.code {
      case .fileNoSuchFile, .fileReadNoSuchFile: .fileNotFound
      case .fileReadNoPermission, .fileWriteNoPermission: .filePermissionDenied
      case .fileWriteOutOfSpace: .outOfDiskSpace
      default: .fileAccess
      }
    let path = error.filePath
    self.init(code, "Failed to access the file at path '\(path ?? "?")': \(code)", path: path)
  }

  /// The refusal for a mistake in the program.
  package init(_ error: ProgrammerError) { self.init(error.code, error.message) }

  /// The refusal for a wrong query, with the position in bytes of UTF-8.
  package init(_ error: QueryEngine.PredicateError, in query: String) {
    // The parser counts Unicode scalars.
    let offset = error.position.map { String(query.unicodeScalars.prefix($0)).utf8.count }
    self.init(.invalidQuery, error.message, position: offset)
  }
}

extension ProgrammerError {
  /// The kind of mistake.
  package var code: Refusal.Code {
    switch self {
    case .incorrectQueue, .incorrectThread: .wrongThread
    case .readingInvalidatedFrozen, .inheritedByFork: .closed
    case .objectInvalidated, .addingInvalidated: .noSuchObject
    case .modifyingOutsideWrite, .modifyingCollectionOutsideWrite, .commitOutsideWrite, .cancelOutsideWrite,
      .changingOutsideWrite:
      .notInWrite
    case .alreadyInWrite, .writeInCommitCompletion, .uncommittedChanges, .observingAfterChanges: .inWrite
    case .modifyingFrozenObject, .writeOnFrozen, .observingFrozen: .frozen
    case .writeOnReadOnly, .refreshReadOnly, .observingReadOnly: .readOnly
    case .asyncWriteOutsideRunLoop, .observingOutsideRunLoop: .noEventLoop
    case .tooManyVersions: .tooManyVersions
    case .managedByAnotherRealm, .deletingForeignObject, .deletingForeignObjects, .skippingForeignToken:
      .otherRealm
    case .primaryKeyChanged, .noPrimaryKey, .noPrimaryKeyForUpdate: .primaryKey
    case .duplicatePrimaryKey: .duplicateKey
    case .classNotManaged: .noSuchClass
    case .unknownProperty, .unknownObservedProperty: .noSuchProperty
    case .unsupportedAggregate: .wrongType
    case .invalidSortKey: .invalidQuery
    case .negativeArgument, .invalidConfiguration: .badArgument
    case .invalidRename: .migrationFailed
    case .other: .error
    }
  }
}

extension Refusal.Code {
  fileprivate init(_ error: Realm.Error) {
    self =
      switch error.reason {
      case .schemaVersion: .schemaVersion
      case .conflictingSettings: .alreadyOpen
      case .duplicateKeys: .duplicateKey
      case .contradictingSettings: .badArgument
      case nil: Self(error.code)
      }
  }

  private init(_ code: Realm.Error.Code) {
    self =
      switch code {
      case .fileAccess: .fileAccess
      case .filePermissionDenied: .filePermissionDenied
      case .fileExists: .fileExists
      case .fileNotFound: .fileNotFound
      case .fileFormatUpgradeRequired: .upgradeRequired
      case .incompatibleLockFile: .incompatibleLockFile
      case .addressSpaceExhausted: .addressSpaceExhausted
      case .schemaMismatch: .schemaMismatch
      case .alreadyOpen: .alreadyOpen
      case .invalidInput: .badArgument
      case .outOfDiskSpace: .outOfDiskSpace
      case .unsupportedFileFormatVersion: .unsupportedFormat
      case .fileOperationFailed: .fileOperationFailed
      case .invalidDatabase: .invalidDatabase
      case .ruleBroken: .ruleBroken
      case .fail, .incompatibleSession, .multipleSyncAgents, .subscriptionFailed, .incompatibleHistories,
        .noSubscriptionForWrite:
        .error
      }
  }
}
