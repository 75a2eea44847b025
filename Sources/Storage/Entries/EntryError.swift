import LibC
import Pages

/// What an access to a file came to that is not success: the number of a system's error, or a negative one of the file's own.
package struct EntryError: Error, Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// Throws unless `code` is zero.
  @inlinable @inline(__always)
  package static func check(_ code: Int32) throws(EntryError) {
    if code != 0 { throw EntryError(code: code) }
  }

  init(_ error: PageError) {
    self =
      switch error {
      case .system(let code): EntryError(code: code)
      case .damaged: .corrupted
      case .truncated: .truncated
      case .readersFull: .readersFull
      case .poisoned: .poisoned
      case .notPages: .invalid
      case .replaced: .replaced
      case .lockFileRemoved: .lockFileMissing
      case .forked: .badTransaction
      case .wrongKey: .wrongKey
      case .missingKey: .missingKey
      case .notEncrypted: .notEncrypted
      case .unstorable: EntryError(code: EINVAL)
      }
  }

  /// Something in the file is not what it was when it was written.
  static let corrupted = EntryError(code: -1)
  /// The file is not a file of pages.
  static let invalid = EntryError(code: -2)
  /// The transaction does not allow what is asked for.
  static let badTransaction = EntryError(code: -3)
  static let keyExists = EntryError(code: -4)
  static let readersFull = EntryError(code: -5)
  /// A synchronisation failed, and nothing is written any more.
  static let poisoned = EntryError(code: -6)
  /// Other processes have another file open that had the name before.
  static let replaced = EntryError(code: -9)
  /// Other processes have the file open, and their lock file is missing.
  static let lockFileMissing = EntryError(code: -10)
  /// The file ends before something that it has.
  static let truncated = EntryError(code: -14)

  /// The file is encrypted with another key.
  static let wrongKey = EntryError(code: -11)
  /// The file is encrypted, and there is no key.
  static let missingKey = EntryError(code: -12)
  /// There is a key, and the file is not encrypted.
  static let notEncrypted = EntryError(code: -13)

  /// Whether a call of the system has failed, so that nothing is known of the file.
  var isOfSystem: Bool { code > 0 }

  /// Whether the map may be larger than the process can have: its limits do not allow it (`ENOMEM`), or a tool such as
  /// Valgrind, which checks each access, has no addresses for it (`EINVAL`).
  var isMapTooLarge: Bool { code == ENOMEM || code == EINVAL }

  /// Whether the key is not the file's.
  var isOfKey: Bool { [.wrongKey, .missingKey, .notEncrypted].contains(self) }

  /// What is wrong with something that was to be read, for messages that call the file damaged.
  package var fault: String { isOfSystem ? "it cannot be read (\(message))" : message }

  /// What has happened, for messages.
  package var message: String {
    switch self {
    case .corrupted: "a node or a value is not what it was when it was written"
    case .invalid: "it has no version"
    case .truncated: "it ends before something that it has"
    case .badTransaction: "the transaction does not belong to it"
    case .keyExists: "the key is there already"
    case .readersFull: "too many versions are in use"
    case .poisoned: "a synchronisation failed"
    case .replaced: "other processes have another file open that had its name before"
    case .lockFileMissing: "other processes have it open, and their lock file is missing"
    case .wrongKey: "wrong encryption key, or its format is damaged"
    case .missingKey: "it is encrypted, and no encryption key was given"
    case .notEncrypted: "it is not encrypted, and a key was given"
    default: String(cString: strerror(code))
    }
  }
}

/// Performs an access to a file of pages, and throws its errors as those of an entry.
@inline(__always)
func withPageErrors<Result>(
  _ body: () throws(PageError) -> Result
) throws(EntryError) -> Result {
  do throws(PageError) {
    return try body()
  } catch {
    throw EntryError(error)
  }
}
