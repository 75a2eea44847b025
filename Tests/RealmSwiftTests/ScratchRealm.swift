import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// A realm file of a test's own, in a folder that disappears with it.
///
/// The realm that may be open is only used where it was opened; the rest may be shared.
final class ScratchRealm: @unchecked Sendable {
  let configuration: Realm.Configuration
  private let openRealm: Realm?
  // The last one, so that the realm is closed when it goes.
  private let scratch: ScratchFolder

  /// The key of all files that are not said to be encrypted or not: with REALM_TEST_ENCRYPTED=1 in the environment the
  /// tests run on encrypted files.
  static let usualKey =
    ProcessInfo.processInfo.environment["REALM_TEST_ENCRYPTED"] == "1" ? Data(repeating: 7, count: 64) : nil

  /// A file that does not exist yet.
  init(_ types: [ObjectBase.Type], encryptionKey: Data? = usualKey) {
    scratch = ScratchFolder()
    configuration = Realm.Configuration(
      fileURL: scratch.file("test.realm"), encryptionKey: encryptionKey, objectTypes: types)
    openRealm = nil
  }

  /// A file that is open as long as this exists.
  init(opening types: [ObjectBase.Type]) throws {
    scratch = ScratchFolder()
    configuration = Realm.Configuration(
      fileURL: scratch.file("test.realm"), encryptionKey: Self.usualKey, objectTypes: types)
    openRealm = try Realm(configuration: configuration)
  }

  var folder: URL { scratch.url }
  var url: URL { configuration.fileURL! }
  var path: String { url.path }

  /// The realm that was opened at once.
  var realm: Realm { openRealm! }

  func open() throws -> Realm { try Realm(configuration: configuration) }

  /// Writes in a realm that is closed afterwards.
  func write(_ body: (Realm) throws -> Void) throws {
    try closingRealm { realm in try realm.write { try body(realm) } }
  }

  /// Opens the file anew and reads from it.
  func read(_ body: (Realm) throws -> Void) throws {
    try closingRealm(body)
  }

  private func closingRealm(_ body: (Realm) throws -> Void) throws {
    #expect(!RealmFiles.isOpen(configuration), "What is read must come from the file.")
    // On the main actor a realm lives until the turn ends.
    try autoreleasepool { try body(open()) }
    #expect(!RealmFiles.isOpen(configuration))
  }
}

/// Runs a body on a thread of its own and waits for its result.
func onOtherThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  nonisolated(unsafe) var outcome: Swift.Result<Result, any Error>?
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    outcome = Swift.Result { try body() }
    done.signal()
  }
  thread.start()
  done.waitOrStop()
  return try outcome!.get()
}
