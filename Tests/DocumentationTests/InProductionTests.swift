import Foundation
import RealmSwift
import TestSupport
import Testing

actor HutRegister {
  private var realm: Realm?

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ name: String) async throws {
    guard let realm else { throw CancellationError() }
    try await realm.asyncWrite {
      realm.add(Hut(value: ["name": name]))
    }
  }

  /// Refuses new work, waits for the transactions that have begun, and closes the file.
  func shutDown() async throws {
    guard let realm else { return }
    self.realm = nil
    try await realm.asyncWrite {}
    realm.invalidate()
  }
}

/// The samples of *In production*.
struct InProductionTests {
  private static func huts(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
  }

  /// The process of the test gets the signal while 200 tasks write.
  @Test func terminationWaitsForTransactionsThatHaveBegun() async throws {
    let folder = ScratchFolder()
    let path = folder.path("huts.realm")
    await #expect(processExitsWith: .exitCode(EXIT_SUCCESS)) { [path = path as String] in
      let register = try await HutRegister(InProductionTests.huts(URL(fileURLWithPath: path)))
      signal(SIGTERM, SIG_IGN)
      let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
      termination.setEventHandler {
        Task {
          do {
            try await register.shutDown()
            exit(EXIT_SUCCESS)
          } catch {
            print("The last changes were not saved: \(error)")
            exit(EXIT_FAILURE)
          }
        }
      }
      termination.activate()
      let acknowledged = path + ".acknowledged"
      _ = FileManager.default.createFile(atPath: acknowledged, contents: nil)
      let records = try FileHandle(forWritingTo: URL(fileURLWithPath: acknowledged))
      for number in 0..<200 {
        Task {
          try await register.add("Hut \(number)")
          try records.write(contentsOf: Data([1]))
          if number == 20 { kill(getpid(), SIGTERM) }
        }
      }
      try await Task.sleep(for: longTime)
      exit(EXIT_FAILURE)
    }
    let acknowledged = try Data(contentsOf: folder.file("huts.realm.acknowledged")).count
    let count = try Realm(configuration: Self.huts(folder.file("huts.realm")), queue: nil)
      .objects(Hut.self).count
    #expect(acknowledged > 0 && acknowledged <= count && count <= 200, "\(acknowledged) of \(count)")
  }

  @Test func afterShuttingDownThereIsNoMoreWork() async throws {
    let folder = ScratchFolder()
    let configuration = Self.huts(folder.file("huts.realm"))
    let register = try await HutRegister(configuration)
    try await register.add("Larch")
    try await register.shutDown()
    try await register.shutDown()
    await #expect(throws: CancellationError.self) { try await register.add("Eyrie") }
    #expect(try Realm(configuration: configuration, queue: nil).objects(Hut.self).count == 1)
  }

  func configuration(of file: URL, keyFile: URL) throws -> Realm.Configuration {
    let key = try Data(contentsOf: keyFile)
    guard key.count == 64 else { throw Realm.Error(.invalidInput, "\(keyFile.path) is not 64 bytes long.") }
    return Realm.Configuration(fileURL: file, encryptionKey: key)
  }

  @Test func aKeyFileOfAnotherLengthThrows() throws {
    let folder = ScratchFolder()
    let (file, keyFile) = (folder.file("huts.realm"), folder.file("key"))
    try Data(repeating: 1, count: 64).write(to: keyFile)
    let configuration = try configuration(of: file, keyFile: keyFile)
    #expect(configuration.encryptionKey?.count == 64)
    try Data(repeating: 1, count: 63).write(to: keyFile)
    #expect(throws: Realm.Error(.invalidInput)) { try self.configuration(of: file, keyFile: keyFile) }
  }

  func metrics(of realm: Realm) -> [String: Int] {
    let found = realm.diagnostics
    let old = found.readers.filter { $0.version < found.newestVersion }
    let oldest = old.compactMap(\.since).min()
    return [
      "realm_file_bytes": found.fileSize,
      "realm_used_bytes": found.usedSize,
      "realm_decrypted_bytes": found.decryptedSize,
      "realm_active_versions": found.activeVersionCount,
      "realm_readers": found.readers.count,
      "realm_old_version_seconds": oldest.map { Int(Date().timeIntervalSince($0)) } ?? 0,
    ]
  }

  @Test func metricsCountReadersAndVersions() throws {
    let mountains = try Mountains()
    var frozen: Realm? = mountains.realm.freeze()
    for beds in 1...5 { try mountains.realm.write { mountains.larch.beds = beds } }
    let metrics = metrics(of: mountains.realm)
    #expect(metrics["realm_readers"] == 2)
    #expect(metrics["realm_active_versions"] == 6)
    #expect(metrics["realm_decrypted_bytes"] == 0)
    #expect(metrics["realm_used_bytes"]! > 0 && metrics["realm_used_bytes"]! <= metrics["realm_file_bytes"]!)
    #expect(frozen?.objects(Hut.self).count == 3)
    // Times are whole seconds. The live realm shows the newest version, which may be as old.
    try waitUntil { self.metrics(of: mountains.realm)["realm_old_version_seconds"]! > 0 }
    frozen = nil
    #expect(self.metrics(of: mountains.realm)["realm_old_version_seconds"] == 0)
  }

  /// In a process of its own, since there is one logger.
  @Test func logLinesHaveThePrioritiesOfSystemd() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Logger.shared = Logger(level: .warn) { level, message in
        let priority = level <= .error ? 3 : 4
        FileHandle.standardError.write(Data("<\(priority)>\(message)\n".utf8))
      }
      let folder = ScratchFolder()
      var configuration = Realm.Configuration(
        fileURL: folder.file("peaks.realm"),
        schema: [DescribedClass("Peak", [DescribedProperty("name", .int)])])
      func write() throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.dynamicCreate("Peak", value: ["name": 1]) }
      }
      try write()
      configuration = Realm.Configuration(
        fileURL: folder.file("peaks.realm"), schemaVersion: 1, objectTypes: [Peak.self])
      _ = try Realm(configuration: configuration)
    }
    #expect(try #require(result).message.contains("<4>DB: "))
    #expect(try #require(result).message.contains("without a migration block, and loses values"))
  }

  /// The messages that the article says to alert on are those of the library.
  @Test func messagesInTheTableExist() throws {
    let library = Repository.folder.appending(path: "Sources/RealmSwift")
    let article = try String(
      contentsOf: library.appending(path: "RealmSwift.docc/InProduction.md"), encoding: .utf8)
    let messages = [
      ("grows because old versions are in use", "Realm/RealmCore+Logging.swift"),
      ("could not be compacted", "Opening/Opening.swift"),
      ("loses values", "Schema/Migration/MigrationRun.swift"),
      ("Converting", "Opening/OfficialFileOpening.swift"),
      ("Migration step", "Schema/Migration/Migration.swift"),
    ]
    for (message, file) in messages {
      #expect(article.contains(message), "\(message)")
      let source = try String(contentsOf: library.appending(path: file), encoding: .utf8)
      #expect(source.contains(message), "\(message)")
    }
  }
}
