import Foundation

/// A configuration for bindings: settings are checked when they are made.
package struct NumberedConfiguration: Sendable {
  var configuration: Realm.Configuration

  /// Creates a configuration for the default file with the classes that the file has.
  package init() { configuration = Realm.Configuration(schema: .ofFile) }

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  /// Throws unless a path names something.
  static func checkPath(_ path: String) throws(Refusal) {
    if path.isEmpty { throw Refusal(.badArgument, "Realm path must not be empty") }
  }

  static func check(key: [UInt8]?) throws(Refusal) {
    if let key, key.count != 64 {
      throw Refusal(.badArgument, "Encryption key must be exactly 64 bytes long")
    }
  }

  // MARK: Which file

  package mutating func setPath(_ path: String) throws(Refusal) {
    try Self.checkPath(path)
    configuration.fileURL = URL(fileURLWithPath: path)
  }

  /// The path of the file; nil for a realm in memory.
  package var path: String? { configuration.inMemoryIdentifier == nil ? configuration.path : nil }

  package mutating func setMemoryName(_ name: String) throws(Refusal) {
    if name.isEmpty { throw Refusal(.badArgument, "In-memory identifier must not be empty") }
    configuration.inMemoryIdentifier = name
  }

  package mutating func setKey(_ key: [UInt8]?) throws(Refusal) {
    try Self.check(key: key)
    configuration.encryptionKey = key.map { Data($0) }
  }

  package mutating func setSeed(_ path: String?) throws(Refusal) {
    if let path { try Self.checkPath(path) }
    configuration.seedFilePath = path.map { URL(fileURLWithPath: $0) }
  }

  // MARK: Classes

  /// Sets the classes; nil for those of the file.
  package mutating func setSchema(_ schema: NumberedSchema?) {
    configuration.schema = schema.map { .classes($0.classes) } ?? .ofFile
  }

  package mutating func setSchemaVersion(_ version: UInt64) throws(Refusal) {
    if version == .max {
      throw Refusal(.badArgument, "Cannot set schema version to \(version) (RLMNotVersioned)")
    }
    configuration.schemaVersion = version
  }

  // MARK: How it is opened

  package mutating func setReadOnly(_ isReadOnly: Bool) { configuration.readOnly = isReadOnly }

  package mutating func setDurable(_ isDurable: Bool) {
    configuration.durability = isDurable ? .full : .relaxed
  }

  package mutating func setDeletesIfMigrationNeeded(_ deletes: Bool) {
    configuration.deleteRealmIfMigrationNeeded = deletes
  }

  package mutating func setConvertsOfficial(_ converts: Bool) {
    configuration.officialFile = converts ? .convert : .refuse
  }

  /// Sets how many versions may be in use at a time; 0 for no limit.
  package mutating func setMaximumVersions(_ maximum: UInt64) {
    configuration.maximumNumberOfActiveVersions = maximum == 0 ? nil : UInt(maximum)
  }

  /// Sets the function that is asked whether to compact the file; nil for none.
  package mutating func setCompaction(_ compacts: (@Sendable (_ size: Int, _ used: Int) -> Bool)?) {
    configuration.shouldCompactOnLaunch = compacts
  }

  /// Throws when settings contradict each other.
  func checkContradictions() throws(Refusal) {
    do throws(ProgrammerError) { try configuration.checkSettings() } catch { throw Refusal(error) }
    if configuration.encryptionKey != nil && configuration.inMemoryIdentifier != nil {
      throw Refusal(.badArgument, "Encryption is not supported for in-memory realms.")
    }
  }

  /// Throws when settings contradict each other, or the classes cannot be stored together.
  package func check() throws(Refusal) {
    try checkContradictions()
    if let problems = configuration.classes?.problems { try NumberedSchema.check(problems) }
  }
}
