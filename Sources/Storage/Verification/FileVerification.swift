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
    // As long as the version is in use, nobody writes over its pages. Files that can not be opened are nobody's.
    let file = try? DatabaseFile.open(path: path, readOnly: true, encryptionKey: encryptionKey)
    let reader = try? file?.takeReader()
    defer { if let file, let reader { file.readerPool.give(reader) } }
    let verifier = try FileVerifier(
      FileMap(path: path, version: reader?.version), encryptionKey: encryptionKey)
    verifier.run()
    self.init(verifier)
  }

  /// What a verifier has found.
  init(_ verifier: FileVerifier) {
    faults = verifier.faults
    version = verifier.map.meta.version
    objectCount = verifier.objectCount
    size = verifier.map.pageCount * verifier.map.pageSize
  }
}
