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
    let verifier = try FileVerifier(FileMap.newest(path: path, encryptionKey: encryptionKey))
    verifier.run()
    self.init(verifier)
  }

  /// What a verifier has found.
  init(_ verifier: FileVerifier) {
    faults = verifier.faults
    version = verifier.map.version.version
    objectCount = verifier.objectCount
    size = verifier.map.pageCount * verifier.map.pageSize
  }
}
