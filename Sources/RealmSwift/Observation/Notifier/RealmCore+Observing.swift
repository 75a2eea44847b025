import Storage

extension RealmCore {
  /// Stops the program where an observation cannot begin.
  func checkObservable() {
    stopping { () throws(ProgrammerError) in try checkObservation() }
  }

  /// Throws where an observation cannot begin: in a frozen or read-only realm, on a thread that delivers nothing, and after
  /// changes in the open write transaction.
  func checkObservation() throws(ProgrammerError) {
    try checkRealmObservation()
    if snapshot.hasChanges { throw .observingAfterChanges }
  }

  /// Throws where the realm as a whole cannot be observed.
  func checkRealmObservation() throws(ProgrammerError) {
    try checkChangeable()
    if !confinement.canDeliver { throw .observingOutsideRunLoop }
    commitStaged()
  }

  /// Throws unless there can be changes.
  private func checkChangeable() throws(ProgrammerError) {
    try checkUsable()
    if isFrozen { throw .observingFrozen }
    if configuration.readOnly { throw .observingReadOnly }
  }

  /// Stops the program unless there can be changes.
  func checkFollowable() {
    stopping { () throws(ProgrammerError) in try checkChangeable() }
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
