extension FileContent {
  private static let attempts = 3

  /// Reads a file, and reads it again if another process has written to it meanwhile.
  ///
  /// - Parameter isSalvaging: Whether damaged pages of an encrypted file are left out.
  static func read(
    _ path: String, key: [UInt8]?, isSalvaging: Bool = false
  ) throws(OfficialFileError) -> FileContent {
    var attempt = 1
    while true {
      let file = try OpenFile(path)
      do throws(OfficialFileError) {
        let content = try read(file, key: key, isSalvaging: isSalvaging)
        if file.isUnchanged { return content }
        if attempt == attempts { throw file.error(.inUse) }
      } catch {
        // A page that is just being written is neither the old nor the new one.
        switch error.reason {
        case .damaged, .wrongKey, .inUse:
          if attempt == attempts || file.isUnchanged && error.reason == .wrongKey { throw error }
        default: throw error
        }
      }
      attempt += 1
    }
  }

  private static func read(
    _ file: OpenFile, key: [UInt8]?, isSalvaging: Bool
  ) throws(OfficialFileError) -> FileContent {
    guard let key else {
      if !file.hasMark { throw file.error(EncryptedPages.mayBe(file) ? .keyNeeded : .notOfficial) }
      return try plain(file)
    }
    // A plain file with a key is refused: the program would take it for an encrypted one.
    if file.hasMark { throw file.error(.wrongKey) }
    return try EncryptedPages(file, key: key).content(isSalvaging: isSalvaging)
  }
}
