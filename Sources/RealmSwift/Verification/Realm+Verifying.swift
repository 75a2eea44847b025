public import Foundation
import Storage

extension Realm {
  /// Verifies a file: its pages, its checksums, the encoding of every value, and the consistency of redundant
  /// data, such as indexes with values and links with backlinks.
  ///
  /// ```swift
  /// let found = try Realm.verify(at: url)
  /// if !found.isSound { print(found) }
  /// ```
  ///
  /// Other threads and processes can use the file and write to it at the same time. An addition to the
  /// official SDK.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - encryptionKey: The key of an encrypted file.
  /// - Throws: `Realm.Error`: `fileNotFound` and similar; `invalidDatabase` if the file is not a realm, if
  ///   the key is wrong, or if the damage prevents verification of the rest; `unsupportedFileFormatVersion`.
  /// - Complexity: Reads the whole file once and sorts nothing.
  public static func verify(at fileURL: URL, encryptionKey: Data? = nil) throws -> Verification {
    Configuration.check(encryptionKey)
    do {
      return Verification(
        try FileVerification(path: fileURL.path, encryptionKey: encryptionKey.map(Array.init)))
    } catch {
      throw Error(error)
    }
  }

  /// Copies all undamaged data of a file to a new file. Returns what was damaged.
  ///
  /// ```swift
  /// let damage = try Realm.salvage(from: url, to: folder.appending(path: "rescued.realm"))
  /// ```
  ///
  /// Only the content of damaged pages is lost. Lost values of an indexed property or a primary key are taken
  /// from the index. Other lost values are zero, empty or null in the copy, up to 960 of them for one damaged
  /// chunk. Links to lost objects are nil, and possibly no data is left: compare the copy with what you
  /// expect. If several objects have lost their primary keys, the property is not a primary key in the copy,
  /// which the result reports. Embedded objects whose parents are lost stay. The damaged file is not changed;
  /// while it can be opened, other processes can write to it. Indexes are rebuilt. An addition to the
  /// official SDK.
  ///
  /// - Parameters:
  ///   - source: The damaged file.
  ///   - target: The new file.
  ///   - encryptionKey: The key of both files.
  /// - Throws: `Realm.Error`, as `verify(at:encryptionKey:)`; `fileExists` if the target exists;
  ///   `outOfDiskSpace` and other errors of writing, after which the target does not exist.
  @discardableResult
  public static func salvage(
    from source: URL, to target: URL, encryptionKey: Data? = nil
  ) throws -> Verification {
    Configuration.check(encryptionKey)
    do {
      return Verification(
        try Salvage.run(
          from: source.path, to: target.path, encryptionKey: encryptionKey.map(Array.init)))
    } catch {
      throw Error(error)
    }
  }
}
