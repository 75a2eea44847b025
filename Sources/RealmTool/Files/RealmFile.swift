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

  /// Which of a command's files it is, for advice on keys.
  enum Role {
    case only
    /// The first or the second file of `realm diff`.
    case first, second
  }

  /// Opens the first operand of a command with the key that its options name.
  static func open(_ arguments: Arguments, _ access: Access = .reading) throws -> RealmFile {
    try RealmFile(
      path: arguments.operands[0], key: try KeyFile.read(.keyFile, arguments), access: access)
  }

  init(path: String, key: [UInt8]?, access: Access = .reading, role: Role = .only) throws {
    self.path = path
    self.key = key
    let url = URL(fileURLWithPath: path)
    let data = key.map { Data($0) }
    realm = try Self.explaining(path, role) {
      func open(readOnly: Bool) throws -> Realm {
        try Realm(
          configuration: Realm.Configuration(
            fileURL: url, encryptionKey: data, readOnly: readOnly, schema: .ofFile))
      }
      if access == .writing { return try open(readOnly: false) }
      // A file that the process has open for writing serves readers, too.
      let file = try DatabaseFile.open(path: path, readOnly: true, encryptionKey: key)
      return try withExtendedLifetime(file) { try open(readOnly: file.isReadOnly) }
    }
  }

  var version: Snapshot { realm.storedVersion }
  var catalogue: Catalogue { version.catalogue }

  /// The classes of the file, sorted by name.
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

  /// Runs a body that opens a file, and adds advice to its errors.
  static func explaining<Result>(
    _ path: String, _ role: Role = .only, _ body: () throws -> Result
  ) throws -> Result {
    do {
      var information = stat()
      if stat(path, &information) != 0 {
        throw ToolError(
          errno == EACCES
            ? "Failed to open '\(path)': Permission denied. \(Account.advice(path))"
            : "There is no file at '\(path)'.")
      }
      // Opening it to write would make it a Realm file.
      if information.st_mode & S_IFMT == S_IFREG && information.st_size == 0 {
        throw ToolError("The file at '\(path)' is empty.")
      }
      return try body()
    } catch let error as ToolError {
      throw error
    } catch {
      let message = (error as? StorageError)?.message ?? error.localizedDescription
      if isPermission(error), let end = message.firstRange(of: "Permission denied")?.upperBound {
        throw ToolError("\(message[..<end]). \(Account.advice(path))")
      }
      throw ToolError(message + advice(path, message, role))
    }
  }

  private static func isPermission(_ error: any Error) -> Bool {
    (error as? StorageError)?.kind == .permissionDenied
      || (error as? Realm.Error)?.code == .filePermissionDenied
  }

  /// Runs a body that creates a file, and adds advice to the error for a path that exists already.
  static func making<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      var information = stat()
      let isThere =
        (error as? StorageError)?.kind == .alreadyExists || (error as? Realm.Error)?.code == .fileExists
      guard isThere, lstat(path, &information) == 0 else { throw error }
      throw ToolError("'\(path)' exists already: use another name, or delete it first.")
    }
  }

  private static func advice(_ path: String, _ message: String, _ role: Role) -> String {
    if message.contains("no encryption key was given") {
      return switch role {
      case .only: "\nName the file with its key: --key-file KEYFILE, or --key-file - to type it."
      case .first:
        "\nName the file with its key: --key-file KEYFILE. If the second file is not encrypted, add --other-key-file none."
      case .second: "\nName the file with the key of the second file: --other-key-file KEYFILE."
      }
    }
    if message.contains("not encrypted, and a key was given") {
      return switch role {
      case .only: "\nLeave the key out."
      case .first:
        "\nLeave --key-file out. If the second file is encrypted, name its key with --other-key-file KEYFILE."
      case .second: "\nAdd --other-key-file none."
      }
    }
    if message.contains("wrong encryption key") {
      return role == .second
        ? "\nThe key of the second file is that of the first, unless --other-key-file names another one."
        : "\nIt needs the key that the program gives as encryptionKey to Realm.Configuration."
    }
    let damage = DamageAdvice.text(path, message)
    if !damage.isEmpty { return damage }
    switch try? OfficialFileKind(path: path) {
    case .official: return "\nConvert it to a new file with: realm convert '\(path)' NEW"
    case .maybeEncrypted:
      return "\nIf the official SDK has encrypted it: realm convert '\(path)' NEW --key-file KEYFILE"
    default: return ""
    }
  }
}
