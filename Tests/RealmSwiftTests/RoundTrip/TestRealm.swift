import Foundation
import Testing

@testable import RealmSwift

/// A realm file of a test's own, in a folder that disappears with it.
final class TestRealm: Sendable {
  let configuration: Realm.Configuration
  private let folder: URL

  init(_ types: [ObjectBase.Type]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("test.realm"), objectTypes: types)
  }

  deinit {
    ScratchFolders.remove(folder)
  }

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
    try body(open())
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
  done.wait()
  return try outcome!.get()
}

/// Expects that a program stopped, and said why.
func expectStopped(
  _ result: ExitTest.Result?, saying text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(message.contains(text), sourceLocation: sourceLocation)
}
