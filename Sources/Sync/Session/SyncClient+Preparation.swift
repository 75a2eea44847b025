package import Storage

// What a file needs before it is synchronised, and after its classes have changed.
extension SyncClient {
  /// Prepares a file for sync: everything in it is pending from then on. In a file that is prepared, takes note of classes and
  /// properties that were not synchronised before: the next pull reads everything, and the objects of these classes are
  /// pending.
  package static func prepare(
    _ file: DatabaseFile, _ model: SyncModel, time: Int64
  ) throws(StorageError) {
    let snapshot = try Snapshot(file: file)
    if let state = try storedState(snapshot), !needsPreparation(state, model, file) { return }
    let writer = Writer(snapshot)
    try writer.begin()
    do throws(StorageError) {
      if let bytes = try snapshot.session(.state) {
        guard var state = SessionState(bytes), needsPreparation(state, model, file) else {
          return writer.cancel()
        }
        notePlace(of: file, &state, snapshot)
        if state.synced != state.synced(with: model) { try include(model, &state, snapshot, time) }
        writer.transaction.setSession(.state, state.encoded)
      } else {
        try begin(model, snapshot, time)
      }
    } catch {
      writer.cancel()
      throw error
    }
    writer.transaction.origin = .sync
    try writer.commit(durability: .full)
  }

  private static func storedState(_ snapshot: Snapshot) throws(StorageError) -> SessionState? {
    try snapshot.session(.state).flatMap { SessionState($0) }
  }

  private static func needsPreparation(
    _ state: SessionState, _ model: SyncModel, _ file: DatabaseFile
  ) -> Bool {
    state.synced != state.synced(with: model)
      || state.client == 0 && (state.nonce.isEmpty || state.place != place(of: file))
  }

  /// Takes note of where the file is, as long as the database does not know it: a copy is at another place.
  private static func notePlace(of file: DatabaseFile, _ state: inout SessionState, _ snapshot: Snapshot) {
    if state.client != 0 { return }
    if state.nonce.isEmpty { state.nonce = randomUUID() }
    let place = place(of: file)
    if !state.place.isEmpty && state.place != place { state.copiedAt = snapshot.version }
    state.place = place
  }

  /// The device and the inode of a file, by which a copy is told from it.
  static func place(of file: DatabaseFile) -> String { "\(file.identity.device):\(file.identity.inode)" }

  /// Returns a random UUID as text.
  static func randomUUID() -> String {
    var random = SystemRandomNumberGenerator()
    return KeyText.text(of: .uuid(.init(high: random.next(), low: random.next())))
  }

  private static func begin(
    _ model: SyncModel, _ snapshot: Snapshot, _ time: Int64
  ) throws(StorageError) {
    var state = SessionState()
    state.baseline = snapshot.version + 1
    state.baselineStamp = Stamp(milliseconds: time)
    for localClass in model.localClasses {
      state.baselineRows[localClass.name] = snapshot.rowLimit(table: localClass.table)
    }
    state.synced = state.synced(with: model)
    notePlace(of: snapshot.file, &state, snapshot)
    let writer = Writer(snapshot)
    writer.markSynced()
    var clock = try snapshot.syncClock()
    clock.observe(state.baselineStamp)
    writer.transaction.setClock(clock)
    writer.transaction.setSession(.state, state.encoded)
  }

  private static func include(
    _ model: SyncModel, _ state: inout SessionState, _ snapshot: Snapshot, _ time: Int64
  ) throws(StorageError) {
    var clock = try snapshot.syncClock()
    let now = Stamp(rawValue: Int64(bitPattern: clock.next(time)))
    let trimmed = try snapshot.trimBound() ?? .max
    try includeLists(model, state, snapshot)
    for syncClass in model.classes {
      let known = state.synced[syncClass.name]
      if !Set(syncClass.names).isSubset(of: known ?? []) { state.needsFullPull = true }
      // A file of an earlier version does not say which classes it has sent.
      if state.synced.isEmpty || known?.isEmpty == false { continue }
      // The server's objects win over those that were sent once and may have been changed or deleted by others meanwhile. What
      // the change log says of the time since then has stamps of its own.
      let stamp = known == nil ? now : Stamp.never.successor
      // Without the log, nothing says what was written while the class was left out.
      let since = state.leftClasses.removeValue(forKey: syncClass.name).flatMap { $0 < trimmed ? nil : $0 }
      state.lateClasses.removeAll { $0.name == syncClass.name }
      state.lateClasses.append(
        .init(
          name: syncClass.name, version: snapshot.version + 1, stamp: stamp,
          rowLimit: snapshot.rowLimit(table: syncClass.table), since: since))
    }
    for (name, properties) in state.synced where !properties.isEmpty && model[name] == nil {
      let unsent = state.lateClasses.first { $0.name == name && $0.version > state.startOfPending }
      state.leftClasses[name] = unsent?.since ?? state.startOfPending
    }
    state.synced = state.synced(with: model)
    Writer(snapshot).transaction.setClock(clock)
  }
}

extension SessionState {
  /// The synchronised properties of a model.
  static func synced(_ model: SyncModel) -> [String: [String]] {
    Dictionary(model.classes.map { ($0.name, $0.names) }) { $1 }
  }

  /// The synchronised properties when a model is the present one.
  fileprivate func synced(with model: SyncModel) -> [String: [String]] {
    synced.mapValues { _ in [] }.merging(Self.synced(model)) { $1 }
  }
}

extension SyncClass {
  fileprivate var names: [String] { (([key] + properties).map(\.name) + collections.map(\.name)).sorted() }
}
