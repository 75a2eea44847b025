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
    if let identity = try identity(configuration) {
      letGoOfOther(identity, configuration, at: confinement)
      if let core = try RealmCache.find(identity, configuration, at: confinement) { return core }
    }
    try confinement.prepareDelivery(path: configuration.path)
    return try Opening(configuration).open(at: confinement, location)
  }

  /// A realm that only this turn keeps is not what is asked for when it was opened in another way.
  private static func letGoOfOther(
    _ identity: RealmIdentity, _ configuration: Realm.Configuration, at confinement: Confinement
  ) {
    guard let kept = confinement.kept, kept.hasOpened,
      let known = RealmCache.here(identity, confinement), !known.configuration.opensAlike(configuration)
    else { return }
    kept.letGo(path: configuration.path) { $0 === known }
  }

  /// Opens a realm that the program may open again in its next line: the second opening returns the same realm.
  static func openKept(
    _ configuration: Realm.Configuration, at confinement: Confinement, from location: CodeLocation?
  ) throws -> RealmCore {
    let core = try open(configuration, at: confinement, from: location)
    if let kept = confinement.kept {
      // The loop whose turn they were kept for has been left.
      if kept.hasOpened && !confinement.isInTurn { kept.releaseOpened() }
      if configuration.inMemoryIdentifier != nil { kept.keepFile(of: core) }
      if !core.isKeptForTurn && confinement.isInTurn { kept.keepOpened(core) }
    }
    return core
  }

  /// - Throws: `fail` when the classes cannot be stored together.
  private init(_ configuration: Realm.Configuration) throws {
    classes =
      configuration.hasSchemaOfFile
      ? ModelClasses(Catalogue()) : configuration.classes ?? ModelClasses.discovered
    if !classes.problems.isEmpty {
      throw Realm.Error(
        .fail,
        "Schema validation failed due to the following errors:\n"
          + classes.problems.map { "- \($0)" }.joined(separator: "\n"))
    }
    classes.warnOfOldFields()
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
    // What the file will begin with.
    let seed = configuration.seedFilePath?.path
    guard let path = RealmFiles.exists(configuration) ? configuration.path : seed else {
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
            path: path, readOnly: true, encryptionKey: configuration.encryptionKey.map(Array.init))
        }
      let (classes, full) = opening.completed(for: try Snapshot(file: file))
      return try SchemaAtOpening(full, classes, Snapshot(file: file)).plan
    } catch {
      throw OfficialFileOpening.error(error, configuration)
    }
  }

  private static func checkSupport(_ configuration: Realm.Configuration) throws {
    if configuration.encryptionKey != nil && configuration.inMemoryIdentifier != nil {
      throw Realm.Error(
        .fail, "Encryption is not supported for in-memory realms.", path: nil, reason: .contradictingSettings)
    }
    try configuration.syncConfiguration?.synchroniser.check(configuration)
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
      // Others may do the same at once, and what one of them has made is not to be deleted by the next.
      var attempt = try openFitting(at: confinement, location, isFirst: true)
      let deadline = ContinuousClock.now + RealmFiles.patience
      while true {
        switch attempt {
        case .realm(let core): return core
        case .unfitting(let file): try RealmFiles.deleteUnfitting(configuration, file, until: deadline)
        }
        attempt = try openFitting(at: confinement, location, isFirst: false)
      }
    } catch let error as StorageError {
      throw OfficialFileOpening.error(error, configuration)
    }
  }

  private enum Attempt {
    /// Its file has the classes.
    case realm(RealmCore)
    /// The file is to be deleted first. Nil when it is not at its place any more.
    case unfitting(FoundFile?)
  }

  /// - Parameter isFirst: Whether the file is looked at for the first time: only then it may begin with a seed, which might not
  ///   fit either, and be compacted.
  private func openFitting(
    at confinement: Confinement, _ location: CodeLocation?, isFirst: Bool
  ) throws -> Attempt {
    let (file, snapshot) = try openFile(isFirst: isFirst)
    let (classes, configuration) = completed(for: snapshot)
    if !configuration.hasSchemaOfFile {
      guard try SchemaAtOpening(configuration, classes, snapshot).run() else {
        return .unfitting(try snapshot.foundFile())
      }
    }
    let synchroniser = configuration.syncConfiguration?.synchroniser
    let synchronisation = try synchroniser?.synchronise(file, snapshot, configuration)
    let core = RealmCore(
      configuration: configuration, file: file, snapshot: snapshot, schemas: classes.schemas,
      confinement: confinement, openedAt: location)
    core.synchronisation = synchronisation
    if let identity = try Self.identity(configuration) {
      RealmCache.insert(core, identity)
      core.followCommits()
    }
    core.logOpening()
    return .realm(core)
  }

  /// The classes and the configuration, where these are those of the file.
  private func completed(for snapshot: Snapshot) -> (ModelClasses, Realm.Configuration) {
    if !configuration.hasSchemaOfFile { return (classes, configuration) }
    var full = configuration
    full.classes = ModelClasses(snapshot.catalogue)
    full.schemaVersion = snapshot.catalogue.schemaVersion
    return (full.classes!, full)
  }

  private func openFile(isFirst: Bool) throws -> (DatabaseFile, Snapshot) {
    if let identifier = configuration.inMemoryIdentifier {
      let file = try MemoryFiles.open(identifier)
      return (file, try Snapshot(file: file))
    }
    let path = configuration.path
    if !configuration.readOnly { try DefaultPath.makeFolder(of: path) }
    let key = configuration.encryptionKey.map(Array.init)
    try OfficialFileOpening.convert(at: path, configuration)
    if let seed = configuration.seedFilePath, isFirst { try Seed.copy(seed, to: path, configuration) }
    if configuration.hasSchemaOfFile && RealmIdentity(path: path) == nil {
      throw Realm.Error(
        .fileNotFound,
        "Failed to open Realm file at path '\(path)': No such file or directory\(StorageError.missingFolderAdvice(path))",
        path: path)
    }
    // Asked when this process does not have the file open yet. One that cannot be compacted is opened as it is.
    let isAsked = isFirst ? configuration.shouldCompactOnLaunch : nil
    let compaction = isAsked.map { isWanted in Compaction { isWanted($0, $1) } }
    let file = try DatabaseFile.open(
      path: path, readOnly: configuration.readOnly, encryptionKey: key, compaction: compaction)
    switch compaction?.outcome {
    case .failed(let error):
      Logger.shared.log(.warn, "DB: '\(path)' could not be compacted: \(error.message)")
    case .inUse: Logger.shared.log(.detail, "DB: '\(path)' is not compacted, because others have it open")
    case .done: Logger.shared.log(.detail, "DB: '\(path)' was compacted to \(file.size.total) bytes")
    case .unasked, .unwanted, nil: break
    }
    return (file, try Snapshot(file: file))
  }

  /// What a file says of its classes.
  static func catalogue(path: String, encryptionKey: Data?) throws -> Catalogue {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), encryptionKey: encryptionKey, readOnly: true)
    Realm.Configuration.check(encryptionKey)
    guard RealmIdentity(path: path) != nil else { throw uninitialised(path) }
    do {
      let snapshot = try Snapshot(
        file: DatabaseFile.open(path: path, readOnly: true, encryptionKey: encryptionKey.map(Array.init)))
      guard snapshot.hasCatalogue else { throw uninitialised(path) }
      return snapshot.catalogue
    } catch let error as StorageError {
      throw OfficialFileOpening.error(error, configuration)
    }
  }

  private static func uninitialised(_ path: String) -> Realm.Error {
    // The official wording. language: allowed
    Realm.Error(.invalidDatabase, "Realm at path '\(path)' has not been initialized.", path: path)
  }
}
