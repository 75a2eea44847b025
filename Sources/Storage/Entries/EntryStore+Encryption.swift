import Pages
import Synchronization

/// How much of encrypted files stays decrypted in memory. Tests set other limits.
enum DecryptedLimits {
  /// Maximum number of bytes of a file that stay and that no reader needs. Counts for files that are opened afterwards.
  static let idle = Atomic(32 << 20)
  /// Maximum number of bytes that stay for a snapshot that can release them.
  static let held = Atomic(PageVersion.decryptedLimit)
}

extension EntryStore {
  /// Number of bytes of the file that are decrypted in memory; 0 of a plain file.
  var decryptedSize: Int {
    switch access {
    case .store(let store): store.decryptedSize
    case .viewer(let viewer): viewer.decryptedSize
    case nil: 0
    }
  }

  /// Throws unless a key is the file's; nil stands for a file that is not encrypted.
  func checkKey(_ key: [UInt8]?) throws(EntryError) {
    try withPageErrors { () throws(PageError) in
      switch access {
      case .store(let store): try store.checkKey(key)
      case .viewer(let viewer): try viewer.checkKey(key)
      case nil: throw .forked
      }
    }
  }
}
