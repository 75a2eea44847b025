import Foundation
import OfficialConversion
import Storage

// Files as a whole: copies, compaction, verification, conversion and deletion. Errors without a type are those of files.
extension NumberedRealm {
  /// Writes the version that is shown to a new file.
  package func writeCopy(to path: String, key: [UInt8]?) throws {
    try check()
    try NumberedConfiguration.checkPath(path)
    try NumberedConfiguration.check(key: key)
    try realm.writeCopyOrThrow(toFile: URL(fileURLWithPath: path), encryptionKey: key.map { Data($0) })
    try checkDamage()
  }
}

extension NumberedConfiguration {
  /// Compacts the file. Returns whether it was not in use, and is compacted.
  package func compact() throws -> Bool {
    try configuration.checkSettings()
    guard let path else {
      throw Refusal(.badArgument, "A Realm in memory has no file that could be compacted.")
    }
    return try FilesInUse.using(path) {
      try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: configuration.encryptionKey)
    }
  }

  /// Whether the file exists.
  package func fileExists() throws(Refusal) -> Bool {
    try checkContradictions()
    return RealmFiles.exists(configuration)
  }

  /// Deletes the file and those beside it. Returns whether there was anything.
  package func deleteFiles() throws -> Bool {
    try checkContradictions()
    try FilesInUse.check(configuration.path)
    return try RealmFiles.delete(configuration)
  }
}

/// What is done with files that need not be opened.
package enum NumberedFiles {
  /// A result with a text for people.
  package struct Report {
    package let faultCount: Int
    package let text: String
  }

  private static func check(_ path: String, key: [UInt8]?) throws(Refusal) {
    try NumberedConfiguration.checkPath(path)
    try NumberedConfiguration.check(key: key)
    try FilesInUse.check(path)
  }

  private static func report(_ found: Realm.Verification) -> Report {
    Report(
      faultCount: found.faults.count, text: found.faults.map(\.description).joined(separator: "\n"))
  }

  /// Verifies a file. The report has a line for each fault.
  package static func verify(_ path: String, key: [UInt8]?) throws -> Report {
    try check(path, key: key)
    return report(try Realm.verify(at: URL(fileURLWithPath: path), encryptionKey: key.map { Data($0) }))
  }

  /// Copies everything that is not damaged into a new file.
  package static func salvage(_ path: String, to target: String, key: [UInt8]?) throws -> Report {
    try check(path, key: key)
    try check(target, key: key)
    return report(
      try Realm.salvage(
        from: URL(fileURLWithPath: path), to: URL(fileURLWithPath: target),
        encryptionKey: key.map { Data($0) }))
  }

  /// Converts a file of the official SDK into a new file. The report has a line for each thing that was left out, and counts
  /// them.
  package static func convertOfficial(_ path: String, to target: String, key: [UInt8]?) throws -> Report {
    try check(path, key: key)
    try check(target, key: key)
    let report = try OfficialFileOpening.describingErrors(of: path) {
      try OfficialConversion.run(from: path, key: key, to: target, encryptionKey: key)
    }
    return Report(
      faultCount: report.omissions.count, text: report.omissions.map { "\($0)" }.joined(separator: "\n"))
  }
}
