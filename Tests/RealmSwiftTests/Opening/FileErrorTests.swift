import Foundation
import RealmSwift
import Testing

/// Files that can not be opened: a typed error each, and the file stays as it is.
@Suite struct FileErrorTests {
  let file = ScratchRealm()

  private func expectError(
    _ code: Realm.Error.Code, _ message: String, url: URL? = nil, readOnly: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = realmError { _ = try readOnly ? file.openReadOnly() : file.open() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.localizedDescription == message, sourceLocation: sourceLocation)
    #expect(error?.fileURL?.path == (url ?? file.url).path, sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true]) func missingFolder(readOnly: Bool) {
    let url = file.folder.appendingPathComponent("missing/test.realm")
    let error = realmError {
      _ = try Realm(
        configuration: Realm.Configuration(fileURL: url, readOnly: readOnly, objectTypes: []))
    }
    #expect(error?.code == .fileNotFound)
    let folder = url.deletingLastPathComponent().path
    #expect(
      error?.localizedDescription
        == "Failed to open Realm file at path '\(url.path)': No such file or directory. The folder '\(folder)' does not exist: create it first, or use another path."
    )
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func missingFolderOfACopy() throws {
    let realm = try file.open()
    let url = file.folder.appendingPathComponent("missing/copy.realm")
    let error = realmError { try realm.writeCopy(toFile: url) }
    #expect(error?.code == .fileNotFound)
    let folder = url.deletingLastPathComponent().path
    #expect(
      error?.localizedDescription.hasSuffix(
        "The folder '\(folder)' does not exist: create it first, or use another path.") == true)
  }

  @Test func folderThatIsAFile() throws {
    try Data("text".utf8).write(to: file.url)
    let url = file.url.appendingPathComponent("test.realm")
    let error = realmError {
      _ = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: []))
    }
    #expect(error?.code == .fileOperationFailed)
    #expect(
      error?.localizedDescription
        == "Failed to open file at path '\(url.path).lock': parent path is not a directory")
    #expect(error?.fileURL?.path == url.path + ".lock")
    #expect(try Data(contentsOf: file.url) == Data("text".utf8))
  }

  @Test func fileThatIsAFolder() throws {
    try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: false)
    expectError(.fileAccess, "Failed to open Realm file at path '\(file.path)': Is a directory")
  }

  @Test func missingReadOnlyFile() {
    expectError(
      .fileNotFound, "Failed to open Realm file at path '\(file.path)': No such file or directory",
      readOnly: true)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func oneByte() throws {
    try Data([1]).write(to: file.url)
    let reason = "not a Realm file."
    expectError(.invalidDatabase, "Failed to open Realm file at path '\(file.path)': \(reason)")
    #expect(try Data(contentsOf: file.url) == Data([1]))
  }

  @Test func somethingElse() throws {
    let text = Data(String(repeating: "This is no realm. ", count: 2000).utf8)
    try text.write(to: file.url)
    expectError(
      .invalidDatabase, "Failed to open Realm file at path '\(file.path)': not a Realm file.")
    expectError(
      .invalidDatabase, "Failed to open Realm file at path '\(file.path)': not a Realm file.", readOnly: true)
    #expect(try Data(contentsOf: file.url) == text)
  }

  /// Files of the official engine begin with two places in them, a mark, and the number of their format.
  @Test(arguments: [72, 1 << 16]) func anOfficialFile(size: Int) throws {
    var content = Data(repeating: 0xFF, count: 8) + Data(count: 8) + Data("T-DB".utf8) + Data([24, 24, 0, 0])
    content += Data(count: size - content.count)
    try content.write(to: file.url)
    for readOnly in [false, true] {
      expectError(
        .unsupportedFileFormatVersion,
        "Failed to open Realm file at path '\(file.path)': it is a file of the official Realm SDK. Convert it with `officialFile: .convert` in the configuration, or with the command `realm convert OLD NEW`.",
        readOnly: readOnly)
    }
    #expect(try Data(contentsOf: file.url) == content)
  }

  @Test func zeroes() throws {
    try Data(count: 1 << 16).write(to: file.url)
    expectError(
      .invalidDatabase, "Failed to open Realm file at path '\(file.path)': not a Realm file.")
    #expect(try Data(contentsOf: file.url) == Data(count: 1 << 16))
  }

  @Test func anEmptyFileBecomesARealm() throws {
    try Data().write(to: file.url)
    #expect(try file.open().isEmpty)
  }

  // The file has grown ahead.
  private static let parts = [0.25, 0.5, 0.7]

  @Test(arguments: parts)
  func truncated(part: Double) throws {
    try file.fill(dogs: 20_000)
    let whole = try Data(contentsOf: file.url)
    let cut = whole.prefix(Int(Double(whole.count) * part))
    try cut.write(to: file.url)
    let error = realmError { _ = try file.open() }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.localizedDescription.contains("file is truncated (\(cut.count) bytes") == true)
    #expect(try Data(contentsOf: file.url) == cut)
    // What is missing can be put back.
    try whole.write(to: file.url)
    #expect(try file.open().objects(RealmDog.self).count == 20_000)
  }

  // MARK: Rights; the superuser has them all, so these run as another user

  @Test func noPermission() async throws {
    try file.fill()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.folder.path)
    let before = try Data(contentsOf: file.url)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      dropRights()
      for readOnly in [false, true] {
        let configuration = Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, readOnly: readOnly,
          objectTypes: [RealmDog.self, RealmPlace.self])
        let error = realmError { _ = try Realm(configuration: configuration) }
        precondition(error?.code == .filePermissionDenied)
        precondition(
          error?.localizedDescription
            == "Failed to open Realm file at path '\(path)': Permission denied. Please use a path where your app has read-write permissions."
        )
      }
    }
    #expect(try Data(contentsOf: file.url) == before)
  }

  @Test func readOnlyFile() async throws {
    try file.fill()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: file.folder.path)
    let before = try Data(contentsOf: file.url)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      dropRights()
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey,
        objectTypes: [RealmDog.self, RealmPlace.self])
      precondition(realmError { _ = try Realm(configuration: configuration) }?.code == .filePermissionDenied)
      configuration.readOnly = true
      let realm = try Realm(configuration: configuration)
      precondition(realm.objects(RealmDog.self).count == 100)
      precondition(realm.object(ofType: RealmDog.self, forPrimaryKey: 42)?.name == "dog 42")
    }
    #expect(try Data(contentsOf: file.url) == before)
    #expect(try file.open().objects(RealmDog.self).count == 100)
  }

  @Test func folderWithoutRights() async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: file.folder.path)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      dropRights()
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, objectTypes: [])
      precondition(realmError { _ = try Realm(configuration: configuration) }?.code == .filePermissionDenied)
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: Space

  /// A limit on the size of files stands for a full disk.
  @Test func fullDisk() async throws {
    try file.fill(dogs: 1000)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey,
        objectTypes: [RealmDog.self, RealmPlace.self])
      let realm = try Realm(configuration: configuration)
      limitFiles(to: rlim_t(512 << 10))
      let error = realmError {
        try realm.write {
          for id in 1000..<30_000 { realm.create(RealmDog.self, value: ["id": id, "name": longName(id)]) }
        }
      }
      precondition(error?.code == .outOfDiskSpace, "\(String(describing: error))")
      precondition(!realm.isInWriteTransaction)
      precondition(realm.objects(RealmDog.self).count == 1000)
      precondition(realm.object(ofType: RealmDog.self, forPrimaryKey: 999)?.name == "dog 999")
      // Less fits.
      try realm.write { realm.object(ofType: RealmDog.self, forPrimaryKey: 0)!.name = "after" }
    }
    let realm = try file.open()
    #expect(realm.objects(RealmDog.self).count == 1000)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 0)?.name == "after")
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 20_000) == nil)
    try realm.write { realm.add(RealmDog(value: ["id": 20_000])) }
  }

  /// The same on a file system that is really full, where one can be mounted.
  @Test func fullFileSystem() throws {
    guard mount("tmpfs", file.folder.path, "tmpfs", 0, "size=1m") == 0 else {
      try Test.cancel("mounting a file system needs more rights")
    }
    defer { umount2(file.folder.path, Int32(MNT_DETACH)) }
    do {
      try file.fill(dogs: 1000)
      let realm = try file.open()
      for _ in 0..<3 {
        let error = realmError {
          try realm.write {
            for id in 1000..<14_000 {
              realm.create(RealmDog.self, value: ["id": id, "name": longName(id)])
            }
          }
        }
        #expect(error?.code == .outOfDiskSpace)
        #expect(error?.localizedDescription.contains("No space left on device") == true)
        #expect(realm.objects(RealmDog.self).count == 1000)
      }
      try realm.write { realm.object(ofType: RealmDog.self, forPrimaryKey: 0)!.name = "after" }
    }
    let realm = try file.open()
    #expect(realm.objects(RealmDog.self).count == 1000)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 0)?.name == "after")
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 999)?.name == "dog 999")
  }

  @Test func noSpaceForANewFile() async {
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey,
        objectTypes: [RealmDog.self, RealmPlace.self])
      limitFiles(to: 4096)
      let error = realmError { _ = try Realm(configuration: configuration) }
      precondition(error?.code == .outOfDiskSpace, "\(String(describing: error))")
      limitFiles(to: .max)
      let realm = try Realm(configuration: configuration)
      precondition(realm.isEmpty)
    }
  }
}

/// The name of a dog, which takes a hundred bytes.
private func longName(_ id: Int) -> String {
  "dog number \(id) " + String(repeating: "a long name ", count: 7)
}

/// Makes the process one of the user "nobody".
func dropRights() {
  guard getuid() == 0 else { return }
  precondition(setgid(65534) == 0 && setuid(65534) == 0)
}

func limitFiles(to size: rlim_t) {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  limit.rlim_cur = min(size, limit.rlim_max)
  precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
