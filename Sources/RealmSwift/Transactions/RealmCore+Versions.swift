import Storage

// Which version a realm shows.
extension RealmCore {
  /// Does to the snapshot what may make it show another version, and tells all who follow the realm. Nothing else
  /// moves a realm. Returns whether it shows another version now.
  ///
  /// First all take note of it, which runs nobody else's code; then those are told who want to know, and may move the
  /// realm again at once.
  ///
  /// - Throws: What the change throws, when all have been told: the realm may have moved all the same.
  @discardableResult
  func move<Failure: Swift.Error>(
    _ cause: RealmMove.Cause, _ change: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    wasUsed = true
    let from = snapshot.version
    var failure: Failure?
    do throws(Failure) { try change() } catch { failure = error }
    var move = RealmMove(cause, from: from, to: snapshot, failure: failure as? StorageError)
    updateClassTables()
    startedAsyncWrites?.follow(move)
    tracking?.follow(&move)
    notifier?.follow(&move)
    log(&move)
    tracking?.tell()
    notifier?.tell(of: move)
    startedAsyncWrites?.goOn(after: move)
    if move.isLocal { logGrowth() }
    if isKeptForWrite && !isInWrite { confinement.kept?.stopWriting(self) }
    if let failure { throw failure }
    return move.isToOtherVersion
  }

  /// Shows the newest version. Returns whether it is another one than before.
  ///
  /// Does nothing within a write transaction and while observers are being told of changes.
  func refresh() -> Bool { stopping { () throws(ProgrammerError) in try refreshOrThrow() } }

  /// Shows the newest version, as `refresh` does.
  ///
  /// - Throws: If the realm is read-only or cannot be used here.
  func refreshOrThrow() throws(ProgrammerError) -> Bool {
    try checkUsable()
    if isFrozen { return false }
    if configuration.readOnly { throw .refreshReadOnly }
    commitStaged()
    if snapshot.isWriting || notifier?.isDelivering ?? false { return false }
    return moveToNewest(.refreshed)
  }

  /// The same without telling observers, who are told when they are asked for.
  func refreshQuietly() { _ = moveToNewest(.refreshedQuietly) }

  /// When the newest version cannot be had, the realm stays at its own; who writes is told why.
  private func moveToNewest(_ cause: RealmMove.Cause) -> Bool {
    (try? move(cause) { () throws(StorageError) in try snapshot.advance() }) ?? false
  }

  /// Moves to the newest version when the present one is older than another one.
  func advance(atLeastTo version: UInt64) {
    if snapshot.version < version && !isInWrite && !configuration.readOnly { _ = refresh() }
  }

  /// Shows what a reference needs that was made in a version: that very version when nothing was read here yet, and
  /// otherwise the newest one, when the present one is older.
  ///
  /// - Parameter pin: Keeps the version; nil when it was not committed yet.
  func show(_ version: UInt64, _ pin: VersionPin?) {
    if isFrozen || isInWrite || configuration.readOnly { return }
    defer { wasUsed = true }
    if let pin, !isInUse {
      if pin.version == snapshot.version { return }
      if let old = try? Snapshot(at: pin), old.catalogue == snapshot.catalogue {
        move(.invalidated) { replaceSnapshot(old) }
        return
      }
    }
    advance(atLeastTo: version)
  }

  /// Forgets everything that was read: existing objects and collections become invalid.
  ///
  /// Does nothing while observers are being told of changes.
  func invalidate() {
    checkThread()
    if notifier?.isDelivering ?? false { return }
    if snapshot.isWriting { cancelWrite() }
    startedAsyncWrites?.finishCommits()
    if isFrozen { return close() }
    // When the newest version cannot be had, the present one is read anew.
    guard let fresh = (try? Snapshot(file: file)) ?? (try? Snapshot(again: snapshot)) else { return }
    move(.invalidated) { replaceSnapshot(fresh, isInvalidation: true) }
  }

  /// Stops the program when more versions of the file are in use than the configuration allows.
  func checkActiveVersions() { stopping { () throws(ProgrammerError) in try checkVersionLimit() } }

  /// Throws when more versions of the file are in use than the configuration allows.
  func checkVersionLimit() throws(ProgrammerError) {
    guard let limit = configuration.maximumNumberOfActiveVersions else { return }
    var number = file.activeVersionCount
    if number > limit {
      // Commits that the disk is still to get keep the version that it has, which is nobody's fault.
      try? file.waitUntilSynced(file.newestVersion)
      number = file.activeVersionCount
    }
    if number > limit { throw .tooManyVersions(number, limit: limit) }
  }
}
