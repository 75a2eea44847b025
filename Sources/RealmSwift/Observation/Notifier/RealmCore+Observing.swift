import Storage

extension RealmCore {
  /// Stops the program where an observation cannot begin.
  func checkObservable() {
    checkThread()
    if isFrozen { trap("Frozen Realms do not change and do not have change notifications.") }
    if configuration.readOnly {
      trap("Read-only Realms do not change and do not have change notifications.")
    }
    if !confinement.canDeliver { trap("Can only add notification blocks from within runloops.") }
    commitStaged()
    if snapshot.hasChanges {
      trap("Cannot create asynchronous query after making changes in a write transaction.")
    }
  }

  /// Stops the program unless there can be changes.
  func checkFollowable() {
    checkThread()
    if isFrozen { trap("Frozen Realms do not change and do not have change notifications.") }
    if configuration.readOnly {
      trap("Read-only Realms do not change and do not have change notifications.")
    }
    commitStaged()
  }

  /// Begins an observation whose block is called soon, with what there is.
  func begin(_ observer: any Observer) -> NotificationToken {
    let registration = Registration(observer, self)
    registration.join()
    let token = NotificationToken(registration)
    if registration.version == nil { notifier?.schedule() }
    return token
  }

  /// Begins an observation whose token has been given out already.
  func begin(_ observer: any Observer, for token: NotificationToken) {
    let registration = Registration(observer, self)
    registration.join()
    token.begin(registration)
    if registration.version == nil { notifier?.schedule() }
  }
}
