import Storage

extension RealmCore {
  /// Stops the program where an observation can not begin.
  func checkObservable() {
    checkThread()
    if isFrozen { trap("Frozen Realms do not change and do not have change notifications.") }
    if configuration.readOnly {
      trap("Read-only Realms do not change and do not have change notifications.")
    }
    if !confinement.canDeliver { trap("Can only add notification blocks from within runloops.") }
    commitGroup()
    if snapshot.hasChanges {
      trap("Cannot create asynchronous query after making changes in a write transaction.")
    }
  }

  /// Begins an observation whose block is called soon, with what there is.
  func begin(_ observer: Observer) -> NotificationToken {
    observer.join()
    let token = NotificationToken(observer)
    if observer.version == nil { notifier?.schedule() }
    return token
  }
}
