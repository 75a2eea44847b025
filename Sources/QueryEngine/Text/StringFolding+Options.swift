import Storage

extension StringFolding {
  /// nil when nothing is to be folded.
  init?(_ options: StringOptions) {
    self.init(
      ignoresCase: options.contains(.caseInsensitive),
      ignoresDiacritics: options.contains(.diacriticInsensitive))
  }
}
