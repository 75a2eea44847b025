public import Foundation
import Synchronization

/// A block that brings the objects of an older schema version up to date.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

extension Realm {
  /// When a commit is safe on the disk.
  public enum Durability: Sendable, Hashable {
    /// A write returns when the disk has it: it survives a power failure.
    case full
    /// A write returns when the operating system has it: it survives the program, but after a power failure
    /// the last writes may be lost, and the file may be damaged.
    case relaxed
  }

  /// What is to be done with a file of the official Realm SDK, which has a format of its own.
  public enum OfficialFilePolicy: Sendable, Hashable {
    /// Opening it throws `Realm.Error.unsupportedFileFormatVersion`.
    case refuse
    /// It is converted when it is first opened, and kept beside the new file: `dogs.realm` as `dogs.realm.official`.
    case convert
  }

  /// What a realm is opened with: where it is, which classes it has, and how to treat the file.
  ///
  ///     var configuration = Realm.Configuration(fileURL: folder.appending(path: "dogs.realm"))
  ///     configuration.objectTypes = [Dog.self, Person.self, Address.self]
  ///     let realm = try Realm(configuration: configuration)
  public struct Configuration: Sendable, Equatable {
    private static let shared = Mutex(Configuration())

    /// The configuration of realms that are opened without one. Reading it gives a copy.
    ///
    ///     Realm.Configuration.defaultConfiguration.schemaVersion = 3
    public static var defaultConfiguration: Configuration {
      get { shared.withLock { $0 } }
      set {
        newValue.validate()
        shared.withLock { $0 = newValue }
      }
    }

    /// The path of the default realm: `default.realm` in a folder with the program's name in
    /// `$XDG_DATA_HOME`, or in `~/.local/share`.
    public static var defaultFileURL: URL { URL(fileURLWithPath: DefaultPath.file(named: "default.realm")) }

    /// - Parameters:
    ///   - fileURL: The file. Its folder must exist, unless it is that of the default realm.
    ///   - inMemoryIdentifier: The name of a realm that exists only as long as it is open; with it there is no
    ///     file URL.
    ///   - syncConfiguration: Always nil: only for source compatibility.
    ///   - encryptionKey: 64 bytes, with which the file is encrypted.
    ///   - readOnly: Whether the file must exist and can not be written.
    ///   - schemaVersion: To be raised whenever the classes change in a way that needs a migration.
    ///   - migrationBlock: What is to be done when the schema version has been raised.
    ///   - deleteRealmIfMigrationNeeded: Whether to start with an empty file where a migration would be needed.
    ///   - shouldCompactOnLaunch: Asked with the file's size and the bytes in use when the first realm of the
    ///     process opens it: whether to rewrite it without unused space.
    ///   - objectTypes: The classes; nil for all of the program.
    ///   - seedFilePath: A realm file to be copied to `fileURL` when there is none.
    ///   - durability: When a write is safe on the disk.
    ///   - officialFile: What is to be done with a file of the official SDK.
    ///   - schema: Classes that the program does not declare; with them there are no `objectTypes`.
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
        trap("A Realm Configuration can not have both objectTypes and a schema.")
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

    /// The name of a realm that exists only as long as it is open. Setting it clears `fileURL`.
    public var inMemoryIdentifier: String? {
      get { storedInMemoryIdentifier }
      set {
        storedInMemoryIdentifier = newValue
        storedFileURL = nil
      }
    }

    /// The classes of the realm, sorted by name; nil stands for all classes of the program, or for those of ``schema``.
    ///
    /// Setting it stops the program when a class can not be stored, or links to one that is missing.
    public var objectTypes: [ObjectBase.Type]? {
      get { isDescribed ? nil : classes?.schemas.map(\.type) }
      set {
        classes = newValue.map { ModelClasses($0) }
        hasSchemaOfFile = false
        isDescribed = false
      }
    }

    /// The classes of the realm, when the program does not declare them: described while it runs, or those of the file.
    ///
    ///     let configuration = Realm.Configuration(fileURL: url, schema: .ofFile)
    ///
    /// Nil for classes of the program. What is wrong with descriptions is thrown when a realm is opened; see
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

    /// Always nil: only for source compatibility.
    public var syncConfiguration: SyncConfiguration?
    /// The key of an encrypted file, 64 bytes. A file that is made with a key can be opened with that key only, and one
    /// that is made without a key only without: anything else throws `Realm.Error.invalidDatabase`.
    ///
    /// All values are encrypted and authenticated (AES-256-GCM), names of classes and properties and the keys of indexes
    /// included. How many classes, properties and objects there are, and how large values are, can be seen.
    public var encryptionKey: Data?
    /// Whether the file must exist, and can not be written.
    public var readOnly: Bool
    /// The version of the classes' schema. `UInt64.max` is reserved.
    public var schemaVersion: UInt64 {
      didSet { Self.check(schemaVersion) }
    }
    /// What is to be done with the objects of a file whose schema version is lower. Not called for a new file.
    ///
    /// Without a block, what objects have in properties whose type has changed is replaced by zero, as it is in the
    /// official SDK; `Logger` warns of it, and `Realm.migrationPlan(for:)` tells before.
    public var migrationBlock: MigrationBlock?
    /// Whether to start with an empty file where a migration would be needed.
    ///
    /// Of several threads and processes that open the file so at once, one deletes it, and all get the new one. Opening
    /// throws `alreadyOpen` while the old one is open elsewhere.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Asked with the file's size and the bytes in use when the first realm of the process opens the file, before its
    /// schema is looked at: whether to rewrite it without unused space. Not asked for a new file, nor by
    /// `Realm.compact(at:)`. It must not open the file itself.
    ///
    /// A file that another process has open, or that there is no space for twice, is opened as it is. See
    /// `Realm.compact(at:)`.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// How many versions of the file may be in use at a time: a write transaction that begins with more stops the
    /// program. Counted are all from the oldest one that anybody uses, in any process, to the newest.
    public var maximumNumberOfActiveVersions: UInt?
    /// A realm file to be copied to `fileURL` when there is none, for example one that comes with the program. What is
    /// copied is one version of it, also when others write to it.
    public var seedFilePath: URL?
    /// When a write is safe on the disk.
    public var durability: Durability
    /// What is to be done with a file of the official SDK, at `fileURL` or as a seed.
    ///
    /// With `.convert` opening converts it: with its classes, objects, indexes and schema version, so that the classes of the
    /// program are then compared, and migrated, as if the file had always been one of this library. What can not be carried
    /// over is logged as a warning. `encryptionKey` is that of both files.
    ///
    /// The old file stays beside the new one, with `.official` after its name, until the program deletes it;
    /// `Realm.deleteFiles(for:)` does, with such a configuration. A seed stays where it is. Nothing is lost when the program
    /// is killed in the middle, and several threads and processes may open the file at once. With `readOnly`
    /// nothing is converted: opening throws.
    public var officialFile: OfficialFilePolicy

    /// Whether both name the same realm, opened the same way. The classes and blocks are not compared.
    public static func == (first: Configuration, second: Configuration) -> Bool {
      first.encryptionKey == second.encryptionKey && first.fileURL == second.fileURL
        && first.inMemoryIdentifier == second.inMemoryIdentifier && first.readOnly == second.readOnly
        && first.schemaVersion == second.schemaVersion
    }
  }

  /// Only for source compatibility: realms of this library are local.
  public struct SyncConfiguration: Sendable {
    private init() {}
  }
}

/// Only for source compatibility: realms of this library are local.
public typealias SyncConfiguration = Realm.SyncConfiguration

extension Realm.Configuration {
  private static func check(_ version: UInt64) {
    if version == .max { trap("Cannot set schema version to \(version) (RLMNotVersioned)") }
  }

  static func check(_ encryptionKey: Data?) {
    if let encryptionKey, encryptionKey.count != 64 { trap("Encryption key must be exactly 64 bytes long") }
  }

  /// Stops the program when the settings contradict each other.
  func validate() {
    Self.check(schemaVersion)
    if let identifier = inMemoryIdentifier {
      if identifier.isEmpty { trap("In-memory identifier must not be empty") }
    } else if let fileURL {
      if fileURL.filePath.isEmpty { trap("Realm path must not be empty") }
    } else {
      trap("A Realm Configuration must specify a path or an in-memory identifier.")
    }
    Self.check(encryptionKey)
    if readOnly && deleteRealmIfMigrationNeeded {
      trap("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    }
    if readOnly && shouldCompactOnLaunch != nil {
      trap("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    }
  }
}

extension Realm.Configuration: CustomStringConvertible {
  /// Each setting on a line of its own. Stops the program when the settings contradict each other.
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
