import Foundation
import Storage

/// Opening a realm: from a configuration to a live realm whose file fits its classes.
struct Opening {
  let configuration: Realm.Configuration
  let classes: ModelClasses

  /// The live realm for a configuration, here: the one that was opened before, or a new one.
  ///
  /// - Parameter location: Where the program asks for it; nil when the library does by itself.
  static func open(
    _ configuration: Realm.Configuration, at confinement: Confinement, from location: CodeLocation?
  ) throws -> RealmCore {
    configuration.validate()
    try checkSupport(configuration)
    if let identity = try identity(configuration),
      let core = try RealmCache.find(identity, configuration, at: confinement)
    {
      return core
    }
    return try Opening(configuration).open(at: confinement, location)
  }

  /// - Throws: `fail` when the classes can not be stored together.
  private init(_ configuration: Realm.Configuration) throws {
    classes = configuration.classes ?? ModelClasses.discovered
    if !classes.problems.isEmpty {
      throw Realm.Error(
        .fail,
        "Schema validation failed due to the following errors:\n"
          + classes.problems.map { "- \($0)" }.joined(separator: "\n"))
    }
    var full = configuration
    full.classes = classes
    if configuration.inMemoryIdentifier != nil { full.durability = .relaxed }
    self.configuration = full
  }

  /// What opening a realm would do to its file.
  static func plan(_ configuration: Realm.Configuration) throws -> MigrationPlan {
    configuration.validate()
    try checkSupport(configuration)
    let opening = try Opening(configuration)
    guard RealmFiles.exists(configuration) else {
      return MigrationPlan(
        oldSchemaVersion: nil, newSchemaVersion: configuration.schemaVersion, differences: [], losses: [],
        action: .creation)
    }
    do {
      let file =
        if let identifier = configuration.inMemoryIdentifier {
          try MemoryFiles.open(identifier)
        } else {
          try DatabaseFile.open(
            path: configuration.path, readOnly: true,
            encryptionKey: configuration.encryptionKey.map(Array.init))
        }
      return try SchemaAtOpening(opening.configuration, opening.classes, Snapshot(file: file)).plan
    } catch {
      throw Realm.Error(error)
    }
  }

  private static func checkSupport(_ configuration: Realm.Configuration) throws {
    if configuration.encryptionKey != nil && configuration.inMemoryIdentifier != nil {
      throw Realm.Error(.fail, "Encryption is not supported for in-memory realms.")
    }
  }

  /// What the configuration names; nil when it is a file that does not exist yet.
  private static func identity(_ configuration: Realm.Configuration) throws -> RealmIdentity? {
    let path = configuration.path
    if let identifier = configuration.inMemoryIdentifier {
      if let file = RealmIdentity(path: path), RealmCache.isOpen(file) {
        throw RealmCache.conflict(configuration, "inMemory settings")
      }
      return .memory(identifier)
    }
    if MemoryFiles.isOpen(path: path) { throw RealmCache.conflict(configuration, "inMemory settings") }
    return RealmIdentity(path: path)
  }

  private func open(at confinement: Confinement, _ location: CodeLocation?) throws -> RealmCore {
    do {
      if let core = try openFitting(at: confinement, location) { return core }
      // The first attempt has let go of the file.
      try RealmFiles.delete(configuration)
      if let core = try openFitting(at: confinement, location) { return core }
      throw Realm.Error(
        .schemaMismatch, "The Realm file at path '\(configuration.path)' is being changed by others.",
        path: configuration.path)
    } catch let error as StorageError {
      throw Realm.Error(error)
    }
  }

  /// A realm whose file has the classes; nil when the file is to be deleted first.
  private func openFitting(at confinement: Confinement, _ location: CodeLocation?) throws -> RealmCore? {
    let (file, snapshot) = try openFile()
    guard try SchemaAtOpening(configuration, classes, snapshot).run() else { return nil }
    let core = RealmCore(
      configuration: configuration, file: file, snapshot: snapshot, schemas: classes.schemas,
      confinement: confinement, openedAt: location)
    if let identity = try Self.identity(configuration) {
      RealmCache.insert(core, identity)
      core.followCommits()
    }
    return core
  }

  private func openFile() throws -> (DatabaseFile, Snapshot) {
    if let identifier = configuration.inMemoryIdentifier {
      let file = try MemoryFiles.open(identifier)
      return (file, try Snapshot(file: file))
    }
    let path = configuration.path
    if !configuration.readOnly { try DefaultPath.makeFolder(of: path) }
    if let seed = configuration.seedFilePath { try Self.copySeed(seed, to: path) }
    let isFirst = !DatabaseFile.isOpen(path: path)
    let file = try DatabaseFile.open(
      path: path, readOnly: configuration.readOnly, encryptionKey: configuration.encryptionKey.map(Array.init)
    )
    let snapshot = try Snapshot(file: file)
    if isFirst { try checkCompaction(snapshot) }
    return (file, snapshot)
  }

  private func checkCompaction(_ snapshot: Snapshot) throws {
    guard let shouldCompact = configuration.shouldCompactOnLaunch, snapshot.hasCatalogue else { return }
    let size = snapshot.file.size
    if shouldCompact(size.total, size.used) {
      throw Realm.Error(
        .fail, "Compacting is not available in this version: `shouldCompactOnLaunch` must return false.",
        path: configuration.path)
    }
  }

  /// The schema version of a file.
  static func schemaVersion(path: String, encryptionKey: Data?) throws -> UInt64 {
    Realm.Configuration.check(encryptionKey)
    guard RealmIdentity(path: path) != nil else { throw uninitialised(path) }
    do {
      let snapshot = try Snapshot(
        file: DatabaseFile.open(
          path: path, readOnly: true, encryptionKey: encryptionKey.map(Array.init)))
      guard snapshot.hasCatalogue else { throw uninitialised(path) }
      return snapshot.catalogue.schemaVersion
    } catch let error as StorageError {
      throw Realm.Error(error)
    }
  }

  private static func uninitialised(_ path: String) -> Realm.Error {
    Realm.Error(.invalidDatabase, "Realm at path '\(path)' has not been initialized.", path: path)
  }

  /// Copies the seed to a path where no file is. Others see no file or the whole one.
  private static func copySeed(_ seed: URL, to path: String) throws {
    let target = FileLocation(path: path).resolved
    guard RealmIdentity(path: target) == nil else { return }
    // Beside the target, so that it can be moved there, and where nobody else can get at it.
    let folder: String
    do {
      folder = try DatabaseFile.makePrivateFolder(target + ".seed-")
    } catch {
      throw Realm.Error(error)
    }
    let copy = folder + "/copy"
    defer {
      unlink(copy)
      rmdir(folder)
    }
    try FileManager.default.copyItem(atPath: seed.path, toPath: copy)
    // It is not done when another thread or process has been quicker, which is as good.
    do {
      try DatabaseFile.move(copy, unlessThere: target)
    } catch {
      throw Realm.Error(error)
    }
  }
}
