import OfficialConversion
import OfficialFiles
import Storage

/// Files of the official SDK where a realm is to be opened.
enum OfficialFileOpening {
  /// Converts the file at the place of a realm, if it is one of the official SDK.
  ///
  /// - Throws: `Realm.Error`, after which the file is as it was.
  static func convert(at path: String, _ configuration: Realm.Configuration) throws {
    guard configuration.officialFile == .convert, !configuration.readOnly,
      // What is open is ours.
      RealmIdentity(path: path) != nil, !DatabaseFile.isOpen(path: path)
    else { return }
    try describingErrors(of: path) {
      guard try isToBeConverted(path, configuration) else { return }
      let report = try OfficialConversion.replace(at: path, key: configuration.encryptionKey.map(Array.init))
      // Nil if another thread or process has been quicker.
      if let report { log(report, path, "the old file is '\(OfficialConversion.formerPath(path))'") }
    }
  }

  /// Makes a realm of a seed that is a file of the official SDK. Returns false when it is not.
  static func convert(seed: String, to path: String, _ configuration: Realm.Configuration) throws -> Bool {
    guard configuration.officialFile == .convert, !DatabaseFile.isOpen(path: seed) else { return false }
    return try describingErrors(of: seed) {
      guard try isToBeConverted(seed, configuration) else { return false }
      let key = configuration.encryptionKey.map(Array.init)
      do {
        let report = try OfficialConversion.run(from: seed, key: key, to: path, encryptionKey: key)
        log(report, path, "the seed is '\(seed)'")
      } catch let error as StorageError where error.kind == .alreadyExists && RealmIdentity(path: path) != nil
      {
        // Another thread or process has been quicker.
      }
      return true
    }
  }

  private static func isToBeConverted(_ path: String, _ configuration: Realm.Configuration) throws -> Bool {
    switch try OfficialFileKind(path: path) {
    case .other: return false
    case .maybeEncrypted:
      if configuration.encryptionKey != nil { return true }
      throw Realm.Error(
        .invalidDatabase,
        opening(path) + "\(looksEncrypted). The configuration needs its `encryptionKey` to convert it.",
        path: path)
    case .official:
      if configuration.encryptionKey == nil { return true }
      throw Realm.Error(
        .invalidDatabase,
        opening(path)
          + "it is a file of the official Realm SDK that is not encrypted, and the configuration has an `encryptionKey`. Convert it without, or with the command `realm convert OLD NEW --new-key-file KEY`.",
        path: path)
    }
  }

  private static func log(_ report: ConversionReport, _ path: String, _ origin: String) {
    Logger.shared.log(
      .info,
      "DB: '\(path)' was converted from a file of the official SDK, with \(report.objectCount) objects; \(origin)"
    )
    for omission in report.omissions {
      Logger.shared.log(.warn, "DB: Converting '\(path)': \(omission)")
    }
  }

  /// Runs a body that reads an official file. Its errors become those of opening a realm.
  static func describingErrors<Result>(of path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as OfficialFileError {
      throw Realm.Error(.init(error.reason), error.description, path: path)
    } catch let error as StorageError {
      throw Realm.Error(error)
    }
  }

  // MARK: What is said of files that are not opened

  private static let looksEncrypted = "it looks like a file that the official Realm SDK has encrypted"

  private static func opening(_ path: String) -> String { "Failed to open Realm file at path '\(path)': " }

  /// The error of opening a file, which may be one of the official SDK.
  static func error(_ error: StorageError, _ configuration: Realm.Configuration) -> Realm.Error {
    switch error.kind {
    case .unsupportedFormat, .invalidDatabase:
      switch try? OfficialFileKind(path: error.path) {
      case .official where configuration.officialFile == .convert:
        let when = configuration.readOnly ? "only where `readOnly` is false" : "when a realm opens it"
        return Realm.Error(
          .unsupportedFileFormatVersion,
          opening(error.path) + "it is a file of the official Realm SDK, which is converted \(when).",
          path: error.path)
      case .maybeEncrypted:
        return Realm.Error(
          .unsupportedFileFormatVersion,
          opening(error.path)
            + "\(looksEncrypted). Convert it with `officialFile: .convert` and its `encryptionKey` in the configuration, or with the command `realm convert OLD NEW --key-file KEY`.",
          path: error.path)
      case .official, .other, nil: return Realm.Error(error)
      }
    default: return Realm.Error(error)
    }
  }
}

extension Realm.Error.Code {
  fileprivate init(_ reason: OfficialFileError.Reason) {
    self =
      switch reason {
      case .unreadable, .inUse: .fileAccess
      case .notOfficial, .keyNeeded, .wrongKey, .damaged: .invalidDatabase
      case .newerFormat, .unsupported: .unsupportedFileFormatVersion
      case .halfUpgraded: .fileFormatUpgradeRequired
      }
  }
}
