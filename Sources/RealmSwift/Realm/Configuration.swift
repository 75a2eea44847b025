public import Foundation
import Synchronization

/// A block that migrates the objects of an older schema version.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

extension Realm {
  /// The point in a commit at which a write returns.
  public enum Durability: Sendable, Hashable {
    /// A write returns when the commit is durable: it survives a power failure.
    case full
    /// A write returns when the operating system has the data. It survives a crash of the program. After a
    /// power failure, or when the disk fails to take them, the last commits may be lost; the file is never damaged.
    case relaxed
  }

  /// The treatment of a file of the official Realm SDK, which has another file format.
  public enum OfficialFilePolicy: Sendable, Hashable {
    /// Opening such a file throws `Realm.Error.unsupportedFileFormatVersion`.
    case refuse
    /// The file is converted when it is first opened. The original is kept beside the new file: `huts.realm`
    /// as `huts.realm.official`.
    case convert
  }

  /// The settings for opening a realm: the location of its file, its classes, and how the file is treated.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: folder.appending(path: "huts.realm"))
  /// configuration.objectTypes = [Hut.self, Trail.self, Warden.self, Place.self, Visit.self]
  /// let realm = try Realm(configuration: configuration)
  /// ```
  public struct Configuration: Sendable, Equatable {
    private static let shared = Mutex(Configuration())

    /// The configuration of realms that are opened without one. Reading it returns a copy.
    ///
    /// ```swift
    /// Realm.Configuration.defaultConfiguration.schemaVersion = 3
    /// ```
    public static var defaultConfiguration: Configuration {
      get { shared.withLock { $0 } }
      set {
        newValue.validate()
        shared.withLock { $0 = newValue }
      }
    }

    /// The path of the default realm: `default.realm` in a folder named after the program, in
    /// `$XDG_DATA_HOME` or `~/.local/share`.
    public static var defaultFileURL: URL { URL(fileURLWithPath: DefaultPath.file(named: "default.realm")) }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: The file. Its folder must exist, unless it is the folder of the default realm.
    ///   - inMemoryIdentifier: The name of an in-memory realm, which exists only while it is open; it
    ///     excludes a file URL.
    ///   - syncConfiguration: The server that the realm is synchronised with; nil for a local realm.
    ///   - encryptionKey: The key of an encrypted file, 64 bytes.
    ///   - readOnly: Whether the file is opened for reading only and must exist.
    ///   - schemaVersion: The schema version, to be raised whenever the classes change in a way that needs a
    ///     migration.
    ///   - migrationBlock: A block that migrates the objects when the schema version has been raised.
    ///   - deleteRealmIfMigrationNeeded: Whether to start with an empty file if a migration would be needed.
    ///   - shouldCompactOnLaunch: A block that is called with the size of the file and the used size, both in
    ///     bytes, when the first realm of the process opens the file. Returns whether to compact the file.
    ///   - objectTypes: The classes; nil for all classes of the program.
    ///   - seedFilePath: A realm file that is copied to `fileURL` if there is no file.
    ///   - durability: The point in a commit at which a write returns.
    ///   - officialFile: The treatment of a file of the official SDK.
    ///   - schema: Classes that the program does not declare; they exclude `objectTypes`.
    public init(
      fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil,
      syncConfiguration: SyncConfiguration? = nil, encryptionKey: Data? = nil, readOnly: Bool = false,
      schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil, objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil, durability: Durability = .full, officialFile: OfficialFilePolicy = .refuse,
      schema: DescribedSchema? = nil
    ) {
      storedFileURL = inMemoryIdentifier == nil ? fileURL : nil
      storedInMemoryIdentifier = inMemoryIdentifier
      self.syncConfiguration = syncConfiguration
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.seedFilePath = seedFilePath
      self.durability = durability
      self.officialFile = officialFile
      if objectTypes != nil && schema != nil {
        trap("A Realm Configuration cannot have both objectTypes and a schema.")
      }
      classes = objectTypes.map { ModelClasses($0) }
      if let schema { self.schema = schema }
    }

    /// The file. Setting it clears `inMemoryIdentifier`.
    public var fileURL: URL? {
      get { storedFileURL }
      set {
        storedFileURL = newValue
        storedInMemoryIdentifier = nil
      }
    }

    /// The name of an in-memory realm, which exists only while it is open. Setting it clears `fileURL`.
    public var inMemoryIdentifier: String? {
      get { storedInMemoryIdentifier }
      set {
        storedInMemoryIdentifier = newValue
        storedFileURL = nil
      }
    }

    /// The classes of the realm, sorted by name; nil stands for all classes of the program, or for those of
    /// ``schema``.
    ///
    /// ```swift
    /// configuration.objectTypes = [Hut.self, Trail.self, Warden.self, Place.self, Visit.self]
    /// ```
    ///
    /// Setting it stops the program if a class cannot be stored, or links to a class that is missing.
    public var objectTypes: [ObjectBase.Type]? {
      get { isDescribed ? nil : classes?.schemas.map(\.type) }
      set {
        classes = newValue.map { ModelClasses($0) }
        hasSchemaOfFile = false
        isDescribed = false
      }
    }

    /// The classes of the realm if the program does not declare them: described at run time, or those of the
    /// file.
    ///
    /// ```swift
    /// let configuration = Realm.Configuration(fileURL: url, schema: .ofFile)
    /// ```
    ///
    /// Nil for classes of the program. Errors in descriptions are thrown when a realm is opened; see
    /// ``DescribedClass/problems(of:)``. Setting it clears `objectTypes`.
    public var schema: DescribedSchema? {
      get { hasSchemaOfFile ? .ofFile : isDescribed ? .classes(Schema(classes!).described) : nil }
      set {
        hasSchemaOfFile = newValue == .ofFile
        isDescribed = newValue != nil
        if case .classes(let described) = newValue {
          classes = ModelClasses(described: described)
        } else {
          classes = nil
        }
      }
    }

    private var storedFileURL: URL?
    private var storedInMemoryIdentifier: String?
    var classes: ModelClasses?
    private var isDescribed = false
    /// Whether the classes are those of the file; they are known once a realm is open.
    private(set) var hasSchemaOfFile = false

    /// The server that the realm is synchronised with; nil for a local realm.
    public var syncConfiguration: SyncConfiguration?
    /// The key of an encrypted file, 64 bytes. A file that was created with a key can only be opened with
    /// that key, and a file that was created without a key only without: otherwise opening throws
    /// `Realm.Error.invalidDatabase`.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: folder.appending(path: "secret.realm"))
    /// configuration.encryptionKey = key  // 64 random bytes
    /// ```
    ///
    /// All values are encrypted and authenticated (AES-256-GCM), including names of classes and properties
    /// and index keys. The numbers of classes, properties and objects and the sizes of values are not hidden.
    public var encryptionKey: Data?
    /// Whether the file is opened for reading only and must exist.
    public var readOnly: Bool
    /// The version of the schema. `UInt64.max` is reserved.
    public var schemaVersion: UInt64 {
      didSet { Self.check(schemaVersion) }
    }
    /// The block that migrates the objects of a file with a lower schema version. It is not called for a new
    /// file.
    ///
    /// ```swift
    /// configuration.schemaVersion = 2
    /// configuration.migrationBlock = { migration, oldVersion in
    ///   if oldVersion < 2 { migration.renameProperty(onType: "Hut", from: "height", to: "altitude") }
    /// }
    /// ```
    ///
    /// Without a block, the values of properties whose type has changed are replaced by zero, as in the
    /// official SDK. `Logger` warns of it, and `Realm.migrationPlan(for:)` reports it in advance.
    public var migrationBlock: MigrationBlock?
    /// Whether to start with an empty file if a migration would be needed.
    ///
    /// If several threads or processes open the file at the same time, one of them deletes it, and all get
    /// the new file. Opening throws `alreadyOpen` while the old file is open elsewhere.
    public var deleteRealmIfMigrationNeeded: Bool
    /// A block that decides whether to compact the file. It is called with the size of the file and the used
    /// size, both in bytes, when the first realm of the process opens the file, before its schema is read.
    ///
    /// ```swift
    /// configuration.shouldCompactOnLaunch = { fileSize, usedSize in
    ///   fileSize > 100_000_000 && usedSize < fileSize / 2
    /// }
    /// ```
    ///
    /// The block is not called for a new file, nor by `Realm.compact(at:)`. It must not open the file itself.
    /// If another process has the file open, or the disk lacks the space for a second file, the file is
    /// opened without compaction. See `Realm.compact(at:)`.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The maximum number of versions from the oldest version that any process uses to the newest. A write
    /// transaction that begins with more stops the program.
    public var maximumNumberOfActiveVersions: UInt?
    /// A realm file that is copied to `fileURL` if there is no file, for example one that is distributed with
    /// the program. One version of it is copied, even if other processes write to it.
    public var seedFilePath: URL?
    /// The point in a commit at which a write returns.
    public var durability: Durability
    /// The treatment of a file of the official SDK, at `fileURL` or as a seed.
    ///
    /// With `.convert`, opening converts the file with its classes, objects, indexes and schema version. The
    /// classes of the program are then compared with the converted file, which is migrated if necessary.
    /// Content that cannot be converted is logged as a warning. `encryptionKey` is the key of both files.
    ///
    /// The original stays beside the new file, with `.official` appended to its name, until the program
    /// deletes it; `Realm.deleteFiles(for:)` with such a configuration does. A seed stays unchanged. Nothing
    /// is lost if the program is killed during the conversion, and several threads and processes can open the
    /// file at the same time. With `readOnly` nothing is converted: opening throws.
    public var officialFile: OfficialFilePolicy

    /// Returns whether both are for the same realm and open it in the same way. Classes and blocks are not
    /// compared.
    public static func == (first: Configuration, second: Configuration) -> Bool {
      first.encryptionKey == second.encryptionKey && first.fileURL == second.fileURL
        && first.inMemoryIdentifier == second.inMemoryIdentifier && first.readOnly == second.readOnly
        && first.schemaVersion == second.schemaVersion
    }
  }

  /// The settings for synchronising a realm with a PostgreSQL database. The module `RealmSync` creates them.
  public struct SyncConfiguration: Sendable {
    package let synchroniser: any FileSynchroniser

    package init(_ synchroniser: any FileSynchroniser) { self.synchroniser = synchroniser }
  }
}

/// The settings for synchronising a realm with a PostgreSQL database. The module `RealmSync` creates them.
public typealias SyncConfiguration = Realm.SyncConfiguration

extension Realm.Configuration {
  private static func check(_ version: UInt64) {
    stopping { () throws(ProgrammerError) in try checkVersion(version) }
  }

  /// Throws for the schema version that is reserved, with which the setter stops the program.
  static func checkVersion(_ version: UInt64) throws(ProgrammerError) {
    if version == .max {
      throw .invalidConfiguration("Cannot set schema version to \(version) (RLMNotVersioned)")
    }
  }

  static func check(_ encryptionKey: Data?) {
    stopping { () throws(ProgrammerError) in try checkKey(encryptionKey) }
  }

  /// Throws when a key has another length than 64 bytes.
  static func checkKey(_ encryptionKey: Data?) throws(ProgrammerError) {
    if let encryptionKey, encryptionKey.count != 64 {
      throw .invalidConfiguration("Encryption key must be exactly 64 bytes long")
    }
  }

  /// Stops the program when the settings contradict each other.
  func validate() { stopping { () throws(ProgrammerError) in try checkSettings() } }

  /// Throws when the settings contradict each other.
  func checkSettings() throws(ProgrammerError) {
    try Self.checkVersion(schemaVersion)
    if let identifier = inMemoryIdentifier {
      if identifier.isEmpty { throw .invalidConfiguration("In-memory identifier must not be empty") }
    } else if let fileURL {
      if fileURL.filePath.isEmpty { throw .invalidConfiguration("Realm path must not be empty") }
    } else {
      throw .invalidConfiguration("A Realm Configuration must specify a path or an in-memory identifier.")
    }
    try Self.checkKey(encryptionKey)
    if readOnly && deleteRealmIfMigrationNeeded {
      throw .invalidConfiguration("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    }
    if readOnly && shouldCompactOnLaunch != nil {
      throw .invalidConfiguration("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    }
  }
}

extension Realm.Configuration: CustomStringConvertible {
  /// The settings, each on a line. Stops the program if the settings contradict each other.
  public var description: String {
    validate()
    let settings: [(String, String?)] = [
      ("fileURL", fileURL?.description),
      ("inMemoryIdentifier", inMemoryIdentifier),
      ("encryptionKey", encryptionKey?.description),
      ("readOnly", readOnly ? "1" : "0"),
      ("schemaVersion", String(schemaVersion)),
      ("migrationBlock", migrationBlock.map { _ in "(block)" }),
      ("deleteRealmIfMigrationNeeded", deleteRealmIfMigrationNeeded ? "1" : "0"),
      ("shouldCompactOnLaunch", shouldCompactOnLaunch.map { _ in "(block)" }),
      ("dynamic", hasSchemaOfFile ? "1" : "0"),
      ("customSchema", classes.map { Schema($0).description }),
    ]
    let lines = settings.map { name, value in
      let text = (value ?? "(null)").split(separator: "\n", omittingEmptySubsequences: false)
      return "\t\(name) = \(text.joined(separator: "\n\t"));\n"
    }
    return "Realm.Configuration {\n" + lines.joined() + "}"
  }
}
