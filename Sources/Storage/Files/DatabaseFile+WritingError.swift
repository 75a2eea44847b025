import LibC

extension DatabaseFile {
  /// The error for a commit that failed. To be called by the holder of the write lock.
  func writingError(_ error: EntryError) -> StorageError {
    if let failure = synchronisationFailure { return failure }
    let failure = StorageError.of(error, path: path)
    if error.code <= 0 || failure.kind != .access { return failure }
    return StorageError(
      .access, path: path,
      message: "Failed to write Realm file at path '\(path)': \(String(cString: strerror(error.code)))")
  }
}
