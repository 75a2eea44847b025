import Foundation
import OfficialFiles
import RealmSwift
import Storage

/// An open file, with the classes that it has itself.
struct RealmFile {
  let path: String
  let realm: Realm
  let key: [UInt8]?

  enum Access {
    case reading
    /// For observing as well, which leaves a note in the file.
    case writing
  }

  /// Opens the first operand of a command with the key that its options name.
  static func open(_ arguments: Arguments, _ access: Access = .reading) throws -> RealmFile {
    try RealmFile(
      path: arguments.operands[0], key: try KeyFile.read(.keyFile, arguments), access: access)
  }

  init(path: String, key: [UInt8]?, access: Access = .reading) throws {
    self.path = path
    self.key = key
    let url = URL(fileURLWithPath: path)
    let data = key.map { Data($0) }
    realm = try Self.explaining(path) {
      func open(readOnly: Bool) throws -> Realm {
        try Realm(
          configuration: Realm.Configuration(
            fileURL: url, encryptionKey: data, readOnly: readOnly, schema: .ofFile))
      }
      if access == .writing { return try open(readOnly: false) }
      // One that the system has left half written is put right, where it may be written.
      let file = try DatabaseFile.openToRead(path: path, encryptionKey: key)
      return try withExtendedLifetime(file) { try open(readOnly: file.isReadOnly) }
    }
  }

  var version: Snapshot { realm.storedVersion }
  var catalogue: Catalogue { version.catalogue }

  /// The classes that are there, sorted by name.
  var classes: [ClassReader] { ClassReader.all(in: version) }

  /// - Throws: `UsageError` when there is no such class.
  func classReader(_ name: String) throws -> ClassReader {
    try ClassReader.named(name, in: version, path: path)
  }

  static func listed(_ names: [String]) -> String {
    names.count <= 12
      ? names.joined(separator: ", ")
      : names.prefix(12).joined(separator: ", ") + " and \(names.count - 12) more"
  }

  /// Runs what opens a file, and adds to its errors what can be done about them.
  static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      var information = stat()
      if stat(path, &information) != 0 { throw ToolError("There is no file at '\(path)'.") }
      // Opening it to write would make it a Realm file.
      if information.st_mode & S_IFMT == S_IFREG && information.st_size == 0 {
        throw ToolError("The file at '\(path)' is empty.")
      }
      return try body()
    } catch let error as ToolError {
      throw error
    } catch {
      let message = (error as? StorageError)?.message ?? error.localizedDescription
      throw ToolError(message + advice(path, message))
    }
  }

  /// Runs what makes a new file, and says what can be done where something is in its place.
  static func making<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      var information = stat()
      let isThere =
        (error as? StorageError)?.kind == .alreadyExists || (error as? Realm.Error)?.code == .fileExists
      guard isThere, lstat(path, &information) == 0 else { throw error }
      throw ToolError("'\(path)' is there already: give another name, or remove it first.")
    }
  }

  private static func advice(_ path: String, _ message: String) -> String {
    if message.contains("no encryption key was given") {
      return "\nGive the file with its key: --key-file KEYFILE, or --key-file - to type it."
    }
    if message.contains("not encrypted, and a key was given") { return "\nLeave the key out." }
    if message.contains("wrong encryption key") { return "\nIs it the file's own key that was given?" }
    switch try? OfficialFileKind(path: path) {
    case .official: return "\nBring what is in it to a new file with: realm convert '\(path)' NEW"
    case .maybeEncrypted:
      return "\nIf the official SDK has encrypted it: realm convert '\(path)' NEW --key-file KEYFILE"
    default: return ""
    }
  }
}
