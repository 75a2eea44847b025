public import Foundation
import Storage

extension Realm {
  /// Rewrites a file without its unused space, when nobody has it open: no thread of this process and no other process.
  /// Returns whether that was so.
  ///
  ///     if try Realm.compact(at: configuration.fileURL!) { print("compacted") }
  ///
  /// The new file takes the place of the old one when it is whole and on the disk; until then the disk needs space for both.
  /// Whatever happens meanwhile, one of them is there. Who wants to open the file meanwhile waits.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - encryptionKey: Its key, 64 bytes; nil for one that is not encrypted.
  /// - Throws: `Realm.Error`: `fileNotFound`; `outOfDiskSpace`, `filePermissionDenied` and others, after which the file is as
  ///   it was; those of opening it.
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
