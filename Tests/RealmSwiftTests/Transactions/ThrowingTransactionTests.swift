import Foundation
import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// What stops a Swift program is thrown to bindings for other languages, and the realm can be used afterwards.
@Suite struct ThrowingTransactionTests {
  private let file = ScratchRealm([AsyncNote.self])

  /// The code and message of the mistake that the body throws.
  private func mistake(_ body: () throws -> Void) -> (Refusal.Code, String)? {
    do {
      try body()
      return nil
    } catch {
      let refusal = Refusal(of: error)
      return (refusal.code, refusal.message)
    }
  }

  private func expect(
    _ code: Refusal.Code, _ message: String, in place: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let found = mistake(body)
    #expect(found?.0 == code && found?.1 == message, "\(String(describing: found))", sourceLocation: place)
  }

  @Test func writesOutOfTurnAreRefused() throws {
    let core = try file.open().core
    expect(.notInWrite, "Can't commit a non-existing write transaction") { try core.commitWriteOrThrow() }
    expect(.notInWrite, "Can't cancel a non-existing write transaction") { try core.cancelWriteOrThrow() }
    let numbered = NumberedRealm(Realm(core))
    expect(.notInWrite, ProgrammerError.changingOutsideWrite.message) { try numbered.checkWrite() }
    try core.beginWriteOrThrow()
    expect(.inWrite, "The Realm is already in a write transaction") { try core.beginWriteOrThrow() }
    expect(.inWrite, "Cannot freeze a Realm with uncommitted changes.") {
      Realm(core).add(AsyncNote(value: [1, ""]))
      try core.checkFreezable()
    }
    expect(.noEventLoop, "Can only add notification blocks from within runloops.") {
      try core.checkObservation()
    }
    try numbered.checkWrite()
    try core.commitWriteOrThrow()
    #expect(Realm(core).objects(AsyncNote.self).count == 1)
  }

  @Test func observingAfterChangesIsRefused() throws {
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let core = try Realm(configuration: file.configuration, queue: queue).core
      try core.checkObservation()
      try core.beginWriteOrThrow()
      try core.checkObservation()
      Realm(core).add(AsyncNote(value: [1, ""]))
      expect(.inWrite, "Cannot create asynchronous query after making changes in a write transaction.") {
        try core.checkObservation()
      }
      try core.checkRealmObservation()
      try core.cancelWriteOrThrow()
    }
  }

  @Test func frozenRealmsRefuseWrites() throws {
    let realm = try file.open()
    try realm.write { realm.add(AsyncNote(value: [1, ""])) }
    let frozen = try realm.core.frozenOrThrow()
    #expect(frozen === realm.freeze().core)
    expect(.frozen, "Can't perform transactions on a frozen Realm") { try frozen.beginWriteOrThrow() }
    expect(.frozen, "Frozen Realms do not change and do not have change notifications.") {
      try frozen.checkRealmObservation()
    }
    #expect(try !frozen.refreshOrThrow())
    #expect(try frozen.thawedOrThrow() === realm.core)
    frozen.invalidate()
    expect(.closed, "Cannot read from a frozen Realm which has been invalidated.") {
      try frozen.checkUsable()
    }
    expect(.closed, "Cannot read from a frozen Realm which has been invalidated.") {
      _ = try frozen.thawedOrThrow()
    }
  }

  @Test func readOnlyRealmsRefuseWritesAndRefreshes() throws {
    try file.write { $0.add(AsyncNote(value: [1, ""])) }
    var configuration = file.configuration
    configuration.readOnly = true
    let core = try Realm(configuration: configuration).core
    expect(.readOnly, "Can't perform transactions on read-only Realms.") { try core.beginWriteOrThrow() }
    expect(.readOnly, "Read-only Realms do not change and cannot be refreshed.") {
      _ = try core.refreshOrThrow()
    }
    expect(.readOnly, "Read-only Realms do not change and do not have change notifications.") {
      try core.checkObservation()
    }
  }

  @Test func otherThreadsAreRefused() throws {
    let core = try file.open().core
    nonisolated(unsafe) let shared = core
    nonisolated(unsafe) let numbered = NumberedRealm(Realm(core))
    let codes = try onAnotherThread {
      let calls: [() throws -> Void] = [
        { try shared.beginWriteOrThrow() }, { try shared.commitWriteOrThrow() },
        { try shared.cancelWriteOrThrow() }, { _ = try shared.refreshOrThrow() },
        { _ = try shared.frozenOrThrow() }, { _ = try shared.thawedOrThrow() },
        { try shared.checkObservation() }, { try shared.checkFreezable() }, { try numbered.checkWrite() },
      ]
      return calls.map { call -> Refusal.Code? in
        do {
          try call()
          return nil
        } catch { return Refusal(of: error).code }
      }
    }
    #expect(codes == Array(repeating: Refusal.Code.wrongThread, count: 9))
  }

  private func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
    nonisolated(unsafe) var result: Result?
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      result = body()
      isDone.signal()
    }
    isDone.wait()
    return try #require(result)
  }

  @Test func tooManyVersionsReleaseTheWriterLock() throws {
    var configuration = file.configuration
    configuration.maximumNumberOfActiveVersions = 5
    let realm = try Realm(configuration: configuration)
    var frozen: Realm? = realm.freeze()
    for number in 0..<5 { try realm.write { realm.add(AsyncNote(value: [number, ""])) } }
    for _ in 0..<2 {
      expect(.tooManyVersions, "Number of active versions (6) in the Realm exceeded the limit of 5") {
        try realm.core.beginWriteOrThrow()
      }
      #expect(!realm.isInWriteTransaction)
    }
    // Another realm of the file gets the lock, which would wait for ever otherwise.
    #expect(realm.core.file.tryTakeWriting())
    realm.core.file.returnWriting()
    #expect(frozen != nil)
    frozen = nil
    try realm.core.beginWriteOrThrow()
    try realm.core.cancelWriteOrThrow()
    #expect(realm.objects(AsyncNote.self).count == 5)
  }

  @Test func brokenKeysAndSettingsAreRefused() throws {
    let realm = try file.open()
    let key = "Encryption key must be exactly 64 bytes long"
    expect(.badArgument, key) {
      try realm.writeCopyOrThrow(toFile: file.folder.appending(path: "copy"), encryptionKey: Data([1]))
    }
    expect(.fileExists, "Failed to write file at path '\(file.path)': File exists") {
      try realm.writeCopyOrThrow(toFile: file.url, encryptionKey: nil)
    }
    var configuration = file.configuration
    configuration.encryptionKey = Data([1])
    expect(.badArgument, key) { try configuration.checkSettings() }
    configuration = Realm.Configuration(inMemoryIdentifier: "")
    expect(.badArgument, "In-memory identifier must not be empty") { try configuration.checkSettings() }
    configuration = file.configuration
    configuration.readOnly = true
    configuration.deleteRealmIfMigrationNeeded = true
    expect(.badArgument, "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.") {
      try configuration.checkSettings()
    }
    expect(.badArgument, "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)") {
      try Realm.Configuration.checkVersion(.max)
    }
  }
}
