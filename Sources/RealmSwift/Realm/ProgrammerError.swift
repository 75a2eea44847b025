import Foundation
import SwiftRuntime

/// Mistakes in the program that uses the library. All of them stop the program here, with the message that the
/// official SDK raises as an exception.
enum ProgrammerError {
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
  case duplicatePrimaryKey(String, Any)
  case other(String)

  var message: String {
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
    case .duplicatePrimaryKey(let name, let value):
      "Attempting to create an object of type '\(name)' with an existing primary key value '\(value)'."
    case .other(let text): text
    }
  }
}

/// Stops the program because of a mistake in it.
func trap(_ error: ProgrammerError, file: StaticString = #fileID, line: UInt = #line) -> Never {
  // In a child of fork() a lock may be held for ever by a thread that it does not have.
  if case .inheritedByFork = error { fatalError(error.message, file: file, line: line) }
  trap(error.message, file: file, line: line)
}

/// Stops the program with a message, and the Swift names of what that calls by others. It names the place in the program
/// that led here, and where that is not known, as in programs without debug information, the one in the library.
@inline(never)
func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  let place = CallerPlace.outside(LibrarySources.folders)
  fatalError(ObjectiveCNames.explained(message), file: place?.file ?? file, line: place?.line ?? line)
}

/// The folders with the sources of this library, as they were when it was built.
private enum LibrarySources {
  static var folders: [String] {
    let path = "\(#filePath)"
    guard let end = path.range(of: "/RealmSwift/", options: .backwards)?.lowerBound else { return [] }
    return ["RealmSwift", "QueryEngine", "Storage", "SwiftRuntime"].map { "\(path[..<end])/\($0)/" }
  }
}
