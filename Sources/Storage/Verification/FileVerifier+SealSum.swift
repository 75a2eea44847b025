// Whether something is missing or older, as the content checksum says: see `SealSum`.
extension FileVerifier {
  /// Counts the entries of the main database but the log.
  func countSeals(of entries: [StoredTrees.MainEntry]) {
    for entry in entries {
      entry.key.withUnsafeBytes {
        if SealSum.counts(EntryTree.main, $0.baseAddress!, $0.count) {
          sealSum &+= SealSum.weight(entry.value)
        }
      }
    }
  }

  /// Looks whether all that is stored is what the newest version has, where nothing else is wrong with it: see `SealSum`.
  func checkSealSum() {
    guard let logged = loggedSum, let expected = logged.sum else { return }
    if logged.version != map.meta.version {
      // Every commit has an entry.
      let missing = "its log ends with version \(logged.version)"
      return note("\(missing), so that more may be as it was before version \(map.meta.version)", .unknown)
    }
    if sealSum != expected {
      note("values are missing, or as they were before, on pages that are sound", .unknown)
    }
  }
}
