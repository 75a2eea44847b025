import CLMDB

/// A version of the LMDB library.
///
/// LMDB 0.9 and 1.0 do not read each other's files. The headers are compared when the library is built (see `CLMDB`); the
/// shared library that a program was started with may be of another version.
struct LMDBVersion: Equatable, CustomStringConvertible {
  var major: Int32
  var minor: Int32
  var patch: Int32

  /// The version that this process runs with.
  static let loaded: LMDBVersion = {
    var version = LMDBVersion(major: -1, minor: -1, patch: -1)
    mdb_version(&version.major, &version.minor, &version.patch)
    return version
  }()

  var isSupported: Bool { major == 0 && minor == 9 }

  var description: String { "\(major).\(minor).\(patch)" }

  /// Throws unless files can be opened with this version.
  ///
  /// - Parameter path: The file that is to be opened, for the message.
  func check(path: String) throws(StorageError) {
    if isSupported { return }
    throw StorageError(
      .other, path: path,
      message:
        "Failed to open Realm file at path '\(path)': this program needs the library LMDB 0.9, and was started with LMDB \(self), which has another file format: install LMDB 0.9 (on Debian and Ubuntu the package liblmdb0 of a version 0.9)."
    )
  }
}
