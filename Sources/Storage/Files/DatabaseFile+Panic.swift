extension DatabaseFile {
  /// Makes the file usable again when a meta page could not be written. To be called by the holder of the write lock,
  /// before a transaction begins and after a commit that failed.
  ///
  /// LMDB writes the old number back over the meta page that failed. When that has failed as well, the page may be the
  /// new one for all who open the file later, and is put right here: otherwise a commit that was reported as failed
  /// would be there.
  ///
  /// - Throws: When that is still not possible; readers keep their versions.
  func endPanic() throws(StorageError) {
    guard let panicFlag, panicFlag.wasSet else { return }
    _ = panicFlag.clear()
    do throws(EntryError) {
      let transaction = try environment.beginWriting()
      defer { transaction.abort() }
      let next = transaction.version
      let descriptor = try environment.descriptor
      guard try MetaPage.readVersion(at: next - 1, descriptor: descriptor) == next - 1 else {
        throw EntryError.corrupted
      }
      if try MetaPage.readVersion(at: next, descriptor: descriptor) == next {
        try MetaPage.writeVersion(next &- 2, at: next, descriptor: descriptor)
      }
      panicFlag.forget()
    } catch {
      panicFlag.set()
      throw .of(error, path: path)
    }
  }
}
