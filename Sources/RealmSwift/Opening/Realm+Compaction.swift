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
  /// - Parameter encryptionKey: That of the file, 64 bytes. Encryption is not available yet.
  /// - Throws: `Realm.Error`: `fileNotFound`; `outOfDiskSpace`, `filePermissionDenied` and others, after which the file is as
  ///   it was; those of opening it.
  @discardableResult
  public static func compact(at fileURL: URL, encryptionKey: Data? = nil) throws -> Bool {
    if let encryptionKey {
      if encryptionKey.count != 64 { trap("Encryption key must be exactly 64 bytes long") }
      throw Opening.encryptionError(fileURL.path)
    }
    do {
      return try DatabaseFile.compact(path: fileURL.path)
    } catch {
      throw Error(error)
    }
  }
}
