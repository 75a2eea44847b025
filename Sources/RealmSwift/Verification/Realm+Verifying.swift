public import Foundation
import Storage

extension Realm {
  /// Looks at everything in a file: pages, checksums, the form of every value, and whether what is written twice agrees,
  /// as indexes with values, or links with links back.
  ///
  ///     let found = try Realm.verify(at: url)
  ///     if !found.isSound { print(found) }
  ///
  /// Others may use the file, and write to it, meanwhile. An addition to the official SDK.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - encryptionKey: That of an encrypted file.
  /// - Throws: `Realm.Error`: `fileNotFound` and the like; `invalidDatabase` when the file is no realm, the key is wrong, or
  ///   so much is damaged that nothing can be said of the rest; `unsupportedFileFormatVersion`.
  /// - Complexity: Reads the whole file once, and sorts nothing.
  public static func verify(at fileURL: URL, encryptionKey: Data? = nil) throws -> Verification {
    Configuration.check(encryptionKey)
    do {
      return Verification(
        try FileVerification(path: fileURL.path, encryptionKey: encryptionKey.map(Array.init)))
    } catch {
      throw Error(error)
    }
  }

  /// Copies everything that is sound in a damaged file to a new one. Tells what was damaged.
  ///
  ///     let damage = try Realm.salvage(from: url, to: folder.appending(path: "rescued.realm"))
  ///
  /// Only what a damaged page held is lost. Values of an indexed property, or a primary key, are taken from the index where
  /// they are lost; others are zero, empty or null in the copy, up to 960 of them for one damaged chunk. Links to lost objects are nil, and there may be nothing
  /// left at all: compare the copy with what is expected. Where several objects have lost their primary keys, the property is no
  /// primary key in the copy, which the result tells. Embedded objects whose parents are lost
  /// stay. The damaged file is not changed; as long as it can be opened, other processes may write to it meanwhile. Indexes
  /// are made anew. An addition to the official SDK.
  ///
  /// - Parameters:
  ///   - source: The damaged file.
  ///   - target: The file to be made.
  ///   - encryptionKey: That of both.
  /// - Throws: As `verify(at:encryptionKey:)`; `fileExists` when something is at the target; `outOfDiskSpace` and other errors
  ///   of writing, after which nothing is left there.
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
