import Storage

extension RealmCore {
  /// Tells the program when the file has grown because somebody keeps an old version. After a commit.
  func tellOfGrowth() {
    guard let tell = configuration.onVersionGrowth, file.hasGrownForOldVersions else { return }
    tell(Realm(self).diagnostics)
  }
}
