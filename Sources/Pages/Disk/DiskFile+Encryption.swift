extension DiskFile {
  /// Finds out how the file is encrypted, from its header slots, and keeps that for all that follows.
  ///
  /// - Parameter key: The program's; nil when the file is to be a plain one.
  /// - Throws: `PageError.wrongKey`, `missingKey` or `notEncrypted` when the key is not the file's.
  func findCipher(_ key: [UInt8]?) throws(PageError) {
    var looksEncrypted = false
    for slot in 0..<FileLayout.slotCount {
      let bytes = try bytes(VersionRecord.size, at: slot * FileLayout.block)
      guard bytes.count == VersionRecord.size else { continue }
      let salt = bytes.withUnsafeBytes { VersionRecord.salt(at: $0.baseAddress!) }
      guard let salt else { continue }
      if salt != VersionRecord.noSalt { looksEncrypted = true }
      let found = salt == VersionRecord.noSalt ? nil : key.map { PageCipher(key: $0, salt: salt) }
      guard bytes.withUnsafeBytes({ VersionRecord(at: $0.baseAddress!, found) }) != nil else { continue }
      if found == nil && key != nil { throw .notEncrypted }
      cipher = found
      return
    }
    // A new file, or one of which no record is sound: that is said later, unless it looks encrypted.
    if looksEncrypted { throw key == nil ? .missingKey : .wrongKey }
    if let key { cipher = try PageCipher(key: key) }
  }

  /// Throws unless the file, which is open, is encrypted with a key; nil stands for a plain file.
  func checkKey(_ key: [UInt8]?) throws(PageError) {
    guard let cipher else {
      if key != nil { throw .notEncrypted }
      return
    }
    guard let key else { throw .missingKey }
    if !cipher.isMade(of: key) { throw .wrongKey }
  }
}
