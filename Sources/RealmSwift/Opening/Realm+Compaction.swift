public import Foundation
import Storage

extension Realm {
  /// Rewrites a file without its unused space, unless a thread of this process or another process has it
  /// open. Returns whether the file was rewritten.
  ///
  /// ```swift
  /// if try Realm.compact(at: configuration.fileURL!) { print("compacted") }
  /// ```
  ///
  /// The new file replaces the old one when it is complete and durable. Until then the disk needs space for
  /// both. If the process or the system fails, one of them is in place. A process that opens the file during
  /// compaction waits.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - encryptionKey: The key of an encrypted file, 64 bytes; nil for a file that is not encrypted.
  /// - Throws: `Realm.Error`: `fileNotFound`; `outOfDiskSpace`, `filePermissionDenied` and others, after
  ///   which the file is unchanged; and the errors of opening a file.
  @discardableResult
  public static func compact(at fileURL: URL, encryptionKey: Data? = nil) throws -> Bool {
    Configuration.check(encryptionKey)
    do {
      return try DatabaseFile.compact(
        path: fileURL.path, encryptionKey: encryptionKey.map(Array.init))
    } catch {
      throw Error(error)
    }
  }
}
