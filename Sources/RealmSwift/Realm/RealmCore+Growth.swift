import Storage

extension RealmCore {
  /// Warns when the file has grown because somebody keeps an old version (see `Realm.Diagnostics`). After a commit.
  func logGrowth() {
    guard file.hasGrownForOldVersions else { return }
    Logger.shared.log(
      .warn,
      "The Realm file at path '\(configuration.path)' grows because old versions are in use: \(Realm(self).diagnostics)"
    )
  }
}
