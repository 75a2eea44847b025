import Foundation
import Storage
import SwiftRuntime

/// A mistake in the program that uses the library, with the message that the official SDK raises as an exception.
///
/// `trap` stops the program with it. Functions that check a caller of another language throw it; `code` then says which
/// kind it is.
package enum ProgrammerError: Error {
  case incorrectQueue
  case objectInvalidated
  case modifyingOutsideWrite
  case modifyingCollectionOutsideWrite(String)
  case modifyingFrozenObject
  case primaryKeyChanged
  case alreadyInWrite
  case writeOnFrozen
  case writeOnReadOnly
  case commitOutsideWrite
  case cancelOutsideWrite
  case changingOutsideWrite
  case writeInCommitCompletion
  case asyncWriteOutsideRunLoop
  case tooManyVersions(UInt64, limit: UInt)
  case refreshReadOnly
  case readingInvalidatedFrozen
  case managedByAnotherRealm
  case addingInvalidated
  case deletingForeignObject
  case deletingForeignObjects
  case inheritedByFork(String)
  case noPrimaryKey(String)
  case noPrimaryKeyForUpdate(String)
  case classNotManaged(String)
  case duplicatePrimaryKey(String, key: String)
  /// The whole message.
  case incorrectThread(String)
  case uncommittedChanges
  case skippingForeignToken
  case observingFrozen
  case observingReadOnly
  case observingOutsideRunLoop
  case observingAfterChanges
  case unknownProperty(String, className: String)
  case unknownObservedProperty(String, className: String)
  case unsupportedAggregate(String)
  case invalidSortKey(String)
  case negativeArgument(String)
  case invalidConfiguration(String)
  case invalidRename(String)
  case other(String)

  package var message: String {
    switch self {
    case .incorrectQueue: "Realm opened from incorrect dispatch queue."
    case .objectInvalidated: "Object has been deleted or invalidated."
    case .modifyingOutsideWrite:
      "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first."
    case .modifyingCollectionOutsideWrite(let name): "Cannot modify \(name) outside of a write transaction."
    case .modifyingFrozenObject:
      "Attempting to modify a frozen object - call thaw on the Object instance first."
    case .primaryKeyChanged: "Primary key can't be changed after an object is inserted."
    case .alreadyInWrite: "The Realm is already in a write transaction"
    case .writeOnFrozen: "Can't perform transactions on a frozen Realm"
    case .writeOnReadOnly: "Can't perform transactions on read-only Realms."
    case .commitOutsideWrite: "Can't commit a non-existing write transaction"
    case .cancelOutsideWrite: "Can't cancel a non-existing write transaction"
    case .changingOutsideWrite:
      "Can only add, remove, or create objects in a Realm in a write transaction - call beginWriteTransaction on an RLMRealm instance first."
    case .writeInCommitCompletion: "Can't begin a write transaction from inside a commit completion callback."
    case .asyncWriteOutsideRunLoop:
      "Cannot schedule async transaction. Make sure you are running from inside a run loop."
    case .tooManyVersions(let number, let limit):
      "Number of active versions (\(number)) in the Realm exceeded the limit of \(limit)"
    case .refreshReadOnly: "Read-only Realms do not change and cannot be refreshed."
    case .readingInvalidatedFrozen: "Cannot read from a frozen Realm which has been invalidated."
    case .managedByAnotherRealm:
      "Object is already managed by another Realm. Use create instead to copy it into this Realm."
    case .addingInvalidated: "Adding a deleted or invalidated object to a Realm is not permitted"
    case .deletingForeignObject: "Can only delete an object from the Realm it belongs to."
    case .deletingForeignObjects: "Can only delete objects from the Realm they belong to."
    case .inheritedByFork(let path):
      "The Realm at path '\(path)' was opened before fork(): a child process has to open it for itself."
    case .noPrimaryKey(let name): "'\(name)' does not have a primary key defined"
    // The official wording. language: allowed
    case .noPrimaryKeyForUpdate(let name): "'\(name)' does not have a primary key and can not be updated"
    case .classNotManaged(let name):
      "Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in your configuration, add `\(name)` to the list of `objectClasses` / `objectTypes`."
    case .duplicatePrimaryKey(let name, let key):
      "Attempting to create an object of type '\(name)' with an existing primary key value '\(key)'."
    case .uncommittedChanges: "Cannot freeze a Realm with uncommitted changes."
    case .skippingForeignToken:
      "Incorrect Realm: only notifications for the Realm being modified can be skipped."
    case .observingFrozen: "Frozen Realms do not change and do not have change notifications."
    case .observingReadOnly: "Read-only Realms do not change and do not have change notifications."
    case .observingOutsideRunLoop: "Can only add notification blocks from within runloops."
    case .observingAfterChanges:
      "Cannot create asynchronous query after making changes in a write transaction."
    case .unknownProperty(let name, let className):
      "Property '\(name)' not found in object of type '\(className)'"
    case .unknownObservedProperty(let name, let className):
      "Invalid property name: property '\(name)' not found in object of type '\(className)'"
    case .negativeArgument(let name): "Cannot pass a negative value for '\(name)'."
    case .incorrectThread(let text), .unsupportedAggregate(let text), .invalidSortKey(let text),
      .invalidConfiguration(let text), .invalidRename(let text), .other(let text):
      text
    }
  }
}

/// Stops the program because of a mistake in it.
func trap(_ error: ProgrammerError, file: StaticString = #fileID, line: UInt = #line) -> Never {
  // In a child of fork() a lock may be held for ever by a thread that it does not have.
  if case .inheritedByFork = error { endProcess(error.message, file: file, line: line) }
  trap(error.message, file: file, line: line)
}

/// Stops the program with a message, and the Swift names of what that calls by others. It names the place in the program
/// that led here, and where that is not known, as in programs without debug information, the one in the library.
@inline(never)
func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  let place = CallerPlace.outside(LibrarySources.folders)
  endProcess(ObjectiveCNames.explained(message), file: place?.file ?? file, line: place?.line ?? line)
}

/// Returns what the body returns; stops the program with the mistake that it throws.
@inline(__always)
func stopping<Result>(
  file: StaticString = #fileID, line: UInt = #line, _ body: () throws(ProgrammerError) -> Result
) -> Result {
  do throws(ProgrammerError) { return try body() } catch { trap(error, file: file, line: line) }
}

/// Returns what the body returns and throws its errors, except for mistakes of the program, with which it stops the
/// program.
@inline(__always)
func stoppingMistakes<Result>(
  file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
) throws -> Result {
  do { return try body() } catch let error as ProgrammerError { trap(error, file: file, line: line) }
}

/// The folders with the sources of this library, as they were when it was built.
private enum LibrarySources {
  static var folders: [String] {
    let path = "\(#filePath)"
    guard let end = path.range(of: "/RealmSwift/", options: .backwards)?.lowerBound else { return [] }
    return ["RealmSwift", "QueryEngine", "Storage", "SwiftRuntime"].map { "\(path[..<end])/\($0)/" }
  }
}
