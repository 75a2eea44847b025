import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples of *Back up and restore*, and what the article says of journals.
struct BackupTests {
  func backUp(_ configuration: Realm.Configuration, to backup: URL) throws {
    let key = configuration.encryptionKey
    let realm = try Realm(configuration: configuration, queue: nil)
    realm.refresh()
    try realm.writeCopy(toFile: backup, encryptionKey: key)
    let found = try Realm.verify(at: backup, encryptionKey: key)
    if !found.isSound { throw Realm.Error(.invalidDatabase, "The backup is damaged: \(found)") }
  }

  private func configuration(_ file: URL, key: Data? = nil) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, encryptionKey: key, objectTypes: [Peak.self])
  }

  private func peakCount(_ file: URL, key: Data? = nil) throws -> Int {
    try Realm(configuration: configuration(file, key: key)).objects(Peak.self).count
  }

  private func add(_ count: Int, to realm: Realm) throws {
    for _ in 0..<count { try realm.write { realm.add(Peak()) } }
  }

  @Test(arguments: [nil, Data(repeating: 7, count: 64)])
  func aBackupOfAnOpenFileHasTheNewestVersion(key: Data?) throws {
    let folder = ScratchFolder()
    let (file, backup) = (folder.file("app.realm"), folder.file("backup.realm"))
    let realm = try Realm(configuration: configuration(file, key: key))
    try add(3, to: realm)
    // Another thread opens the file at a version of its own.
    let failure = Mutex<(any Error)?>(nil)
    let thread = DispatchQueue(label: "backup")
    thread.sync {
      do { try backUp(configuration(file, key: key), to: backup) } catch { failure.withLock { $0 = error } }
    }
    #expect(failure.withLock { $0 } == nil)
    #expect(try peakCount(backup, key: key) == 3)
    #expect(throws: Realm.Error(.fileExists)) { try backUp(configuration(file, key: key), to: backup) }
    #expect(throws: Realm.Error(.fileNotFound)) {
      try backUp(configuration(file, key: key), to: folder.file("missing/backup.realm"))
    }
  }

  /// Copies the file and its journal of one moment, as a file-system snapshot does: no commit comes between.
  private func takeSnapshot(of realm: Realm, to copy: URL) throws {
    let file = try #require(realm.configuration.fileURL)
    let journals = [file, copy].map { URL(fileURLWithPath: $0.path + "-journal") }
    try waitUntil {
      // Enough durable commits for a journal. It is deleted a second later, which a busy machine may need for the next line.
      try add(20, to: realm)
      realm.beginWrite()
      defer { realm.cancelWrite() }
      guard FileManager.default.fileExists(atPath: journals[0].path) else { return false }
      try FileManager.default.copyItem(at: file, to: copy)
      try FileManager.default.copyItem(at: journals[0], to: journals[1])
      return true
    }
  }

  @Test func aSnapshotOfFileAndJournalHasEveryDurableCommit() throws {
    let folder = ScratchFolder()
    let snapshot = folder.file("snapshot.realm")
    let realm = try Realm(configuration: configuration(folder.file("app.realm")))
    try takeSnapshot(of: realm, to: snapshot)
    #expect(try Realm.verify(at: snapshot).isSound)
    #expect(try peakCount(snapshot) == realm.objects(Peak.self).count)
  }

  /// The journal of the file that a backup replaces does no harm when it was left there.
  @Test func aRestoredFileDoesNotReadTheJournalOfTheFileThatItReplaces() throws {
    let folder = ScratchFolder()
    let (crashed, backup) = (folder.file("crashed.realm"), folder.file("backup.realm"))
    let realm = try Realm(configuration: configuration(folder.file("app.realm")))
    try add(2, to: realm)
    try realm.writeCopy(toFile: backup)
    try takeSnapshot(of: realm, to: crashed)
    #expect(rename(backup.path, crashed.path) == 0)
    #expect(try peakCount(crashed) == 2)
    #expect(try Realm.verify(at: crashed).isSound)
    #expect(!FileManager.default.fileExists(atPath: crashed.path + "-journal"))
  }

  /// Why an open file is not copied by a tool that reads it from the beginning to the end.
  @Test func aCopyThatCommitsOverlapIsDamaged() throws {
    let folder = ScratchFolder()
    let (file, copy) = (folder.file("app.realm"), folder.file("copy.realm"))
    let realm = try Realm(configuration: configuration(file))
    let names = (0..<20_000).map { "Peak \($0)" }
    try realm.write { for name in names { realm.add(Peak(value: ["name": name])) } }
    let source = try FileHandle(forReadingFrom: file)
    let first = try source.read(upToCount: 100 << 10) ?? Data()
    for round in 0..<20 {
      try realm.write { realm.objects(Peak.self).setValue("Renamed \(round)", forKey: "name") }
      try realm.write { for peak in realm.objects(Peak.self) { peak.name += " \(peak.name.count)" } }
    }
    let rest = try source.readToEnd() ?? Data()
    try source.close()
    try (first + rest).write(to: copy)
    let found = try? Realm.verify(at: copy)
    #expect(found?.isSound != true)
  }
}
