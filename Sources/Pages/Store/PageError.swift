/// What may go wrong with a file of pages.
package enum PageError: Error, Equatable {
  /// A call of the system failed, with this error number.
  case system(Int32)
  /// Something in the file is not what it was when it was written.
  case damaged(String)
  /// The file ends before something that it has.
  case truncated
  /// As many versions are in use as can be at once.
  case readersFull
  /// A synchronisation with the disk failed; nothing more is written before all processes have closed the file.
  case poisoned
  /// Other processes have another file open that had this name before.
  case replaced
  /// Other processes have the file open, and the lock file that they use is not there any more.
  case lockFileRemoved
  /// The parent of this process has opened the file, before `fork`.
  case forked
  /// The file is encrypted with another key.
  case wrongKey
  /// The file is encrypted, and there is no key.
  case missingKey
  /// There is a key, and the file is not encrypted.
  case notEncrypted
  /// The file is not one of pages.
  case notPages
  /// A key is empty or too long, or a value is.
  case unstorable
}
