import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples of *Back up and restore*, and what the article says of other copies.
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

  /// A file-system snapshot has the file as it is at one moment, without what its processes have in memory.
  @Test func aSnapshotHasEveryCommit() throws {
    let folder = ScratchFolder()
    let (file, snapshot) = (folder.file("app.realm"), folder.file("snapshot.realm"))
    let realm = try Realm(configuration: configuration(file))
    for round in 1...3 {
      try add(20, to: realm)
      try FileManager.default.copyItem(at: file, to: snapshot)
      #expect(try Realm.verify(at: snapshot).isSound)
      #expect(try peakCount(snapshot) == round * 20)
      _ = try Realm.deleteFiles(for: configuration(snapshot))
    }
  }

  /// A copy by a tool that reads an open file from the beginning to the end has parts of several versions: it is found to be damaged,
  /// unless it has all parts of one, and that one is not older than what was durable when the copying began.
  @Test func aCopyThatCommitsOverlapIsDamagedOrHasOneVersion() throws {
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
    guard let found = try? Realm.verify(at: copy), found.isSound else { return }
    let copied = try Realm(configuration: configuration(copy)).objects(Peak.self)
    #expect(copied.count == names.count)
    #expect([1, names.count].contains(Set(copied.map(\.name)).count))
  }
}
