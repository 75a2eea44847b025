/// What a file of pages and its lock file must be. They are found by their names, which other users may be able to change after the
/// caller has verified the files.
package struct ExpectedFiles: Sendable {
  /// Nil for whatever has the name.
  let data: FileIdentity?
  let lock: FileIdentity?
  /// Whether a process that only reads believes what is in a lock file. It gets the descriptors of the lock file and of the data, and
  /// holds none itself: locks end when a file is closed.
  let trustsLockFile: @Sendable (_ lock: Int32, _ data: Int32) -> Bool

  package init(
    data: FileIdentity? = nil, lock: FileIdentity? = nil,
    trustsLockFile: @escaping @Sendable (_ lock: Int32, _ data: Int32) -> Bool = { _, _ in true }
  ) {
    (self.data, self.lock, self.trustsLockFile) = (data, lock, trustsLockFile)
  }
}
