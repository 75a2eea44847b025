import EarlierFiles
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct EarlierFileConversionTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("a.realm") }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The entries of a file of pages as the listings say them.
  private func listing(_ snapshot: Snapshot) throws -> String {
    let transaction = snapshot.lease.transaction
    var content = EarlierContent(version: snapshot.version)
    for tree in EntryTree.allCases {
      let name = tree.name
      content.begin(name)
      let cursor = try transaction.openCursor(tree)
      defer { cursor.close() }
      while let entry = try cursor.nextEntry() {
        if name == "main" && entry.key.elementsEqual(FileFormat.key) { continue }
        content.add(entry.key, entry.value)
      }
    }
    content.begin(nil)
    return content.listing
  }

  /// A listing without what a conversion changes: in encrypted files, keys of index blocks were hidden.
  private func comparable(_ listing: String, _ sample: EarlierSample) throws -> String {
    var lines = listing.split(separator: "\n")
    // A file without commits gets its second version.
    if try sample.version == 1 { lines.removeFirst(2) }
    if sample.key != nil { lines.removeAll { $0.hasPrefix("indexes") } }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: EarlierSample.all) func openingForWritingReplacesTheFileOnce(
    _ sample: EarlierSample
  ) throws {
    try sample.write(to: path)
    let before = try sample.bytes
    try #require(chmod(path, 0o640) == 0)
    let former = path + ".v\(sample.format)"
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: sample.key))
      #expect(try comparable(listing(snapshot), sample) == comparable(sample.listing, sample))
      #expect(snapshot.version == max(try sample.version, 2))
      #expect(try names() == ["a.realm", "a.realm-lock", "a.realm.v\(sample.format)"])
      #expect(try bytes(former) == before)
      var information = stat()
      #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o640)
      // It goes on as if nothing had happened.
      let version = snapshot.version
      try Writer(snapshot).begin()
      _ = snapshot.table(try #require(snapshot.catalogue.table(named: "Cat"))).insertRow()
      try Writer(snapshot).commit()
      #expect(snapshot.version == version + 1)
      #expect(snapshot.changes(after: version)?.tables.count == 1)
    }
    let verified = try FileVerification(path: path, encryptionKey: sample.key)
    #expect(verified.faults.isEmpty)
    #expect(try names().contains("a.realm.v\(sample.format)"))
    _ = try DatabaseFile.open(path: path, encryptionKey: sample.key)
    #expect(try names() == ["a.realm", "a.realm-lock"])
  }

  @Test(arguments: EarlierSample.all) func readOnlyOpenersLeaveItAsItIs(_ sample: EarlierSample) throws {
    try sample.write(to: path)
    let (before, present) = (try sample.bytes, try names())
    do {
      let file = try DatabaseFile.open(path: path, readOnly: true, encryptionKey: sample.key)
      let snapshot = try Snapshot(file: file)
      #expect(try comparable(listing(snapshot), sample) == comparable(sample.listing, sample))
      #expect(try names() == present)
    }
    #expect(try FileVerification(path: path, encryptionKey: sample.key).faults.isEmpty)
    #expect(try bytes(path) == before)
    #expect(try names() == present)
  }

  @Test func readOnlyOpenersRefuseALargeFile() throws {
    try EarlierSample.named("format5").write(to: path)
    try #require(truncate(path, off_t(EarlierFileConversion.sizeLimit + 1)) == 0)
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path, readOnly: true) }
    #expect(error?.kind == .unsupportedFormat)
    #expect(error?.message.contains("open it once for writing") == true)
    _ = try DatabaseFile.open(path: path)
    _ = try DatabaseFile.open(path: path, readOnly: true)
  }

  /// A program with LMDB holds the first byte of the lock file, and one of the file itself.
  @Test(arguments: [true, false]) func aFileInUseIsNotConverted(isLockFile: Bool) throws {
    let sample = EarlierSample.named("format5-journal")
    try sample.write(to: path)
    let other = open(isLockFile ? path + "-lock" : path, O_RDWR | O_CREAT, 0o600)
    defer { close(other) }
    try OpenFileLock.share(other, byte: isLockFile ? 0 : 3 << 61 + 17)
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
    #expect(error?.kind == .access)
    #expect(error?.message.contains("close the other program") == true)
    #expect(try bytes(path) == sample.bytes)
    #expect(try bytes(path + "-journal") == sample.journalBytes)
    #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    OpenFileLock.unlock(other, byte: isLockFile ? 0 : 3 << 61 + 17)
    _ = try DatabaseFile.open(path: path)
  }

  @Test func readOnlyOpenersReadAFileInUse() throws {
    let sample = EarlierSample.named("format6")
    try sample.write(to: path)
    let other = open(path + "-lock", O_RDWR | O_CREAT, 0o600)
    defer { close(other) }
    try OpenFileLock.share(other, byte: 0)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, readOnly: true))
    #expect(try comparable(listing(snapshot), sample) == comparable(sample.listing, sample))
    #expect(try bytes(path) == sample.bytes)
  }

  @Test func theFormerFileIsDeletedWithTheFile() throws {
    try EarlierSample.named("format5").write(to: path)
    _ = try DatabaseFile.open(path: path)
    for name in ["a.realm", "a.realm-lock"] { try FileManager.default.removeItem(at: folder.file(name)) }
    try DatabaseFile.cleanUp(beside: path)
    #expect(try names().isEmpty)
  }

  @Test func somethingElseInThePlaceOfTheFormerFileStays() throws {
    let sample = EarlierSample.named("format5")
    try sample.write(to: path)
    try Data("mine".utf8).write(to: folder.file("a.realm.v5"))
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
    #expect(error?.kind == .alreadyExists)
    #expect(try bytes(path) == sample.bytes)
    try FileManager.default.removeItem(at: folder.file("a.realm.v5"))
    _ = try DatabaseFile.open(path: path)
    // What has the name of a former file and is none is not deleted.
    try FileManager.default.removeItem(at: folder.file("a.realm.v5"))
    try Data("mine".utf8).write(to: folder.file("a.realm.v5"))
    _ = try DatabaseFile.open(path: path)
    #expect(try bytes(folder.path("a.realm.v5")) == Array("mine".utf8))
  }

  @Test func aWrongKeyIsTold() throws {
    for (name, key, word) in [
      ("format5", Array(0..<64), "it is not encrypted, and a key was given"),
      ("format5-encryption", nil, "it is encrypted, and no encryption key was given"),
      ("format5-encryption", Array(1..<65), "wrong encryption key"),
    ] as [(String, [UInt8]?, String)] {
      let sample = EarlierSample.named(name)
      try sample.write(to: path)
      for readOnly in [true, false] {
        let error = #expect(throws: StorageError.self) {
          try DatabaseFile.open(path: path, readOnly: readOnly, encryptionKey: key)
        }
        #expect(error?.kind == .invalidDatabase)
        #expect(error?.message.contains(word) == true)
      }
      #expect(try bytes(path) == sample.bytes)
    }
  }

  @Test func damageIsToldAndTheFileStays() throws {
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max))
    for sample in EarlierSample.all {
      for _ in 0..<TestLength.count(5, long: 100) {
        var damage = Damage(try sample.bytes, try sample.journalBytes)
        damage.apply(&random)
        let path = folder.path("\(UUID()).realm")
        try EarlierSample.write(damage.file, damage.journal, to: path)
        do {
          let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: sample.key))
          if damage.mayChangeVersion { continue }
          #expect(
            try comparable(listing(snapshot), sample) == comparable(sample.listing, sample),
            "\(sample): \(damage.description)")
        } catch let error as StorageError {
          #expect([.invalidDatabase, .unrecovered, .unsupportedFormat].contains(error.kind), "\(error)")
          #expect(try bytes(path) == damage.file, "\(sample): \(damage.description)")
        }
      }
    }
  }

  @Test func severalThreadsOpenTheNewFile() throws {
    for _ in 0..<10 {
      let sample = EarlierSample.named("format6")
      let path = folder.path("\(UUID()).realm")
      try sample.write(to: path)
      let group = DispatchGroup()
      let versions = Mutex<[UInt64]>([])
      for readOnly in [false, false, true, false] {
        DispatchQueue.global().async(group: group) {
          // One that only reads keeps others out that write.
          guard let file = try? DatabaseFile.open(path: path, readOnly: readOnly) else { return }
          versions.withLock { $0.append(file.newestVersion) }
        }
      }
      group.wait()
      #expect(!versions.withLock { $0.isEmpty })
      #expect(versions.withLock { $0.allSatisfy { $0 == 5 } })
      #expect(try DatabaseFile.open(path: path).newestVersion == 5)
    }
  }

  /// A process that was killed, or a system that failed, while it created a file.
  @Test(arguments: [4096, 8192, 12_288]) func aFileThatWasNeverFinishedIsANewOne(size: Int) throws {
    var content = [UInt8](repeating: 0, count: size)
    for page in 0..<(size == 4096 ? 1 : 2) {
      let words: [(Int, UInt64)] = [
        (0, UInt64(page)), (8, 8 << 16), (16, 0x1_BEEF_C0DE), (32, 1 << 20), (40, 4096 | 8 << 32),
        (80, .max), (128, .max), (136, 1),
      ]
      for (offset, word) in words {
        withUnsafeBytes(of: word.littleEndian) {
          content.replaceSubrange(page * 4096 + offset..<page * 4096 + offset + 8, with: $0)
        }
      }
    }
    try Data(content).write(to: URL(fileURLWithPath: path))
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    #expect(snapshot.catalogue.tables.isEmpty)
    #expect(try names() == ["a.realm", "a.realm-lock"])
  }
}
