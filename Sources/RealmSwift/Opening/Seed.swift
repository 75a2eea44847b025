import Foundation
import Storage

/// The file that a realm begins with.
enum Seed {
  /// Copies the seed to a path where no file is. Others see no file or the whole one; of several threads and processes that
  /// do the same at once, one does it, and the others wait.
  ///
  /// Copies one version of the seed, even if other processes write to it meanwhile.
  ///
  /// - Parameter configuration: With the key of both.
  static func copy(_ seed: URL, to path: String, _ configuration: Realm.Configuration) throws {
    let target = FileLocation(path: path).resolved
    if RealmIdentity(path: target) != nil { return }
    // With the error of the system when there is none.
    _ = try FileManager.default.attributesOfItem(atPath: seed.path)
    if try OfficialFileOpening.convert(seed: seed.path, to: target, configuration) { return }
    let encryptionKey = configuration.encryptionKey.map(Array.init)
    do throws(StorageError) {
      let file = try DatabaseFile.open(path: seed.path, readOnly: true, encryptionKey: encryptionKey)
      try Snapshot(file: file).writeCopy(to: target, encryptionKey: encryptionKey)
    } catch {
      // Another thread or process has been quicker; its file serves as well.
      if error.kind == .alreadyExists && RealmIdentity(path: target) != nil { return }
      throw Realm.Error(error)
    }
  }
}
