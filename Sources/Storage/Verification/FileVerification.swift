/// What was found when a file was looked at as a whole.
package struct FileVerification: Sendable {
  package let faults: [FileFault]
  package let version: UInt64
  package let objectCount: Int
  /// In bytes.
  package let size: Int

  /// Looks at everything in the newest version of a file. Others may use it, and write to it.
  ///
  /// - Throws: `notFound` and the like; `invalidDatabase` when so much is damaged that nothing can be said of the rest,
  ///   or the key is wrong; `unsupportedFormat`.
  package init(path: String, encryptionKey: [UInt8]? = nil) throws(StorageError) {
    let file = try Self.open(path, encryptionKey)
    let verifier = try FileVerifier(
      FileMap.newest(path: path, file, encryptionKey: encryptionKey), encryptionKey: encryptionKey)
    verifier.run()
    self.init(verifier)
  }

  /// Opens the file. Returns nil if it is too damaged, or of an earlier format and lacks its journal: no process can have it open then.
  private static func open(_ path: String, _ encryptionKey: [UInt8]?) throws(StorageError) -> DatabaseFile? {
    do throws(StorageError) {
      return try DatabaseFile.openToRead(path: path, encryptionKey: encryptionKey)
    } catch {
      if error.kind == .invalidDatabase || error.kind == .unrecovered { return nil }
      throw error
    }
  }

  /// What a verifier has found.
  init(_ verifier: FileVerifier) {
    faults = verifier.faults
    version = verifier.map.version.version
    objectCount = verifier.objectCount
    size = verifier.map.pageCount * verifier.map.pageSize
  }
}
