extension Realm {
  /// The version of the library as SemVer has it; before a release, that of the coming one with `-dev`.
  ///
  /// Print it in bug reports. The tool's `realm --version` prints the same text. An addition to the official SDK.
  public static let libraryVersion = "0.1.0"
}
