import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Realms that nothing refers to between the lines that open them.
@Suite struct LifetimeTests {
  let file = ScratchRealm([AsyncNote.self])

  /// Each line opens the realm anew.
  private func writeByLines(_ configuration: Realm.Configuration, queue: DispatchQueue? = nil) throws {
    try Realm(configuration: configuration, queue: queue).beginWrite()
    try Realm(configuration: configuration, queue: queue).create(AsyncNote.self, value: [1, "a"])
    #expect(try Realm(configuration: configuration, queue: queue).isInWriteTransaction)
    try Realm(configuration: configuration, queue: queue).commitWrite()
    #expect(try Realm(configuration: configuration, queue: queue).objects(AsyncNote.self).count == 1)
    try Realm(configuration: configuration, queue: queue).beginWrite()
    try Realm(configuration: configuration, queue: queue).deleteAll()
    try Realm(configuration: configuration, queue: queue).cancelWrite()
    #expect(try Realm(configuration: configuration, queue: queue).objects(AsyncNote.self).count == 1)
  }

  @Test @MainActor func linesOnTheMainThread() throws { try writeByLines(file.configuration, queue: nil) }

  @Test func linesOnAThread() throws {
    try onOtherThread { try writeByLines(file.configuration) }
    #expect(!RealmFiles.isOpen(file.configuration))
  }

  @Test func linesOnAQueue() throws {
    let queue = DispatchQueue(label: "lines")
    try queue.sync { try writeByLines(file.configuration, queue: queue) }
    queue.sync {}
    #expect(!RealmFiles.isOpen(file.configuration))
  }

  @Test func linesInARunLoop() throws {
    let thread = RunLoopThread()
    try thread.run { try writeByLines(file.configuration) }
    try thread.run {}
    thread.stop()
    #expect(!RealmFiles.isOpen(file.configuration))
  }

  private actor Owner {
    func write(_ configuration: Realm.Configuration) async throws {
      try await Realm(configuration: configuration, actor: self).beginWrite()
      #expect(try await Realm(configuration: configuration, actor: self).isInWriteTransaction)
      try await Realm(configuration: configuration, actor: self).create(AsyncNote.self, value: [1, ""])
      try await Realm(configuration: configuration, actor: self).commitWrite()
    }
  }

  /// What is begun and never ended holds up nobody once its turn, or its thread, has ended.
  @Test func abandonedWrites() throws {
    try onOtherThread { try Realm(configuration: file.configuration).beginWrite() }
    let queue = DispatchQueue(label: "abandoned")
    try queue.sync { try Realm(configuration: file.configuration, queue: queue).beginWrite() }
    try onOtherThread { try writeByLines(file.configuration) }
    let thread = RunLoopThread()
    try thread.run { try Realm(configuration: file.configuration).beginWrite() }
    try queue.sync {
      try Realm(configuration: file.configuration, queue: queue).write {}
    }
    thread.stop()
  }

  /// Within a turn it is the same realm, with its settings.
  @Test func aTurnOfARunLoop() throws {
    let thread = RunLoopThread()
    try thread.run {
      try file.open().autorefresh = false
      #expect(try !file.open().autorefresh)
    }
    try thread.run {
      let isOn = try file.open().autorefresh
      #expect(isOn)
    }
    thread.stop()
  }

  @Test @MainActor func aTurnOfTheMainQueue() async throws {
    try Realm(configuration: file.configuration, queue: nil).autorefresh = false
    #expect(try !Realm(configuration: file.configuration, queue: nil).autorefresh)
    try await eventually { try Realm(configuration: file.configuration, queue: nil).autorefresh }
  }

  /// What only the turn keeps is in nobody's way.
  @Test func whatIsKeptCanBeDeletedAndOpenedOtherwise() throws {
    let thread = RunLoopThread()
    try thread.run {
      try file.open().write {}
      var other = file.configuration
      other.schemaVersion = 3
      #expect(try Realm(configuration: other).configuration.schemaVersion == 3)
      other.readOnly = true
      #expect(try Realm(configuration: other).configuration.readOnly)
      #expect(try Realm.deleteFiles(for: file.configuration))
      try file.open().write {}
      other.readOnly = false
      try Realm.performMigration(for: other)
    }
    thread.stop()
  }

  /// A configuration that asks for compaction when the file is opened does not open it anew in each line.
  @Test func settingsThatConcernOpeningOnly() throws {
    let thread = RunLoopThread()
    try thread.run {
      var configuration = file.configuration
      configuration.shouldCompactOnLaunch = { _, _ in false }
      configuration.deleteRealmIfMigrationNeeded = true
      try Realm(configuration: configuration).autorefresh = false
      #expect(try !Realm(configuration: configuration).autorefresh)
    }
    thread.stop()
  }

  @Test func poolsLetGo() throws {
    let thread = RunLoopThread()
    try thread.run {
      try autoreleasepool { try file.open().autorefresh = false }
      #expect(try file.open().autorefresh)
      let configuration = Self.memory()
      try autoreleasepool { try Self.makeInMemory(configuration) }
      #expect(try Realm(configuration: configuration).isEmpty)
      // Not of what was opened before.
      try Self.makeInMemory(configuration)
      try file.open().autorefresh = false
      autoreleasepool {}
      #expect(try !Realm(configuration: configuration).isEmpty)
      #expect(try !file.open().autorefresh)
    }
    thread.stop()
  }

  // MARK: In memory

  @Test func memoryIsDeleted() throws {
    try onOtherThread {
      let configuration = Self.memory()
      try Self.makeInMemory(configuration)
      #expect(Realm.fileExists(for: configuration))
      _ = try Realm.deleteFiles(for: configuration)
      #expect(!Realm.fileExists(for: configuration))
      #expect(try Realm(configuration: configuration).isEmpty)
    }
  }

  private static func memory() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [AsyncNote.self])
  }

  private static func makeInMemory(_ configuration: Realm.Configuration, queue: DispatchQueue? = nil) throws {
    let realm = try Realm(configuration: configuration, queue: queue)
    try realm.write { realm.add(AsyncNote(value: [1, ""])) }
  }

  @Test @MainActor func memoryOutlivesAFunctionOnTheMainThread() async throws {
    let configuration = Self.memory()
    try Self.makeInMemory(configuration, queue: nil)
    #expect(try Realm(configuration: configuration, queue: nil).objects(AsyncNote.self).count == 1)
    try await eventually { try Realm(configuration: configuration, queue: nil).isEmpty }
  }

  @Test func memoryOutlivesAFunctionElsewhere() throws {
    let queue = DispatchQueue(label: "memory")
    let configuration = Self.memory()
    try queue.sync {
      try Self.makeInMemory(configuration, queue: queue)
      #expect(try !Realm(configuration: configuration, queue: queue).isEmpty)
    }
    queue.sync {}
    try onOtherThread {
      #expect(try Realm(configuration: configuration).isEmpty)
      try Self.makeInMemory(configuration)
      #expect(try !Realm(configuration: configuration).isEmpty)
      // A thread without turns keeps the latest only.
      for _ in 0..<4 { try Self.makeInMemory(Self.memory()) }
      #expect(try Realm(configuration: configuration).isEmpty)
    }
    let isGone = try onOtherThread { try Realm(configuration: configuration).isEmpty }
    #expect(isGone)
  }
}
