import Storage

// Lists of classes that are left out of synchronisation, and of classes that are taken in again.
//
// What the program does to a list that is left out is not composed, and the change log may be trimmed meanwhile. The elements and
// the operations that are kept beside the list stay as they are. When the class is taken in again, each list is compared with them.
extension SyncClient {
  /// Prepares lists for another set of classes, in the write transaction that is open.
  ///
  /// - Parameter state: The state before the classes are changed.
  static func includeLists(
    _ model: SyncModel, _ state: SessionState, _ snapshot: Snapshot
  ) throws(StorageError) {
    // A file of an earlier version does not say which classes it has sent.
    guard let bytes = try snapshot.session(.listProgress), !state.synced.isEmpty else { return }
    guard var progress = ListProgress(bytes) else { throw ListStates.damaged(snapshot) }
    let lists = model.localLists
    let included = lists.filter { !(state.synced[$0.className] ?? []).contains($0.name) }
    for list in included { progress.known.remove(list.fullName) }
    let transaction = Writer(snapshot).transaction
    transaction.setSession(.listProgress, progress.encoded)
    for entry in try snapshot.session(of: .listOperations) where entry.key != .listProgress {
      guard var list = SyncedList(elements: SyncedList().encodedElements, operations: entry.bytes) else {
        throw ListStates.damaged(snapshot)
      }
      let former = list
      let (table, column) = (entry.key.table, entry.key.column)
      if !lists.contains(where: { $0.table == table && $0.column == column }) {
        list.holdOperations(after: state.acknowledged)
      } else if included.contains(where: { $0.table == table && $0.column == column }) {
        list.releaseOperations(version: snapshot.version + 1)
      }
      if list != former { transaction.setSession(entry.key, list.encodedOperations) }
    }
  }
}

extension SyncedList {
  /// The version of operations that no acknowledgement concerns.
  private static let held = UInt64.max

  /// Lets operations that the server does not have wait, whatever is sent of other classes.
  fileprivate mutating func holdOperations(after acknowledged: UInt64) {
    for number in operations.keys where operations[number]!.version > acknowledged {
      operations[number]!.version = Self.held
      // The insertion waits, too.
      if operations[number]!.insertionVersion ?? 0 > acknowledged {
        operations[number]!.insertionVersion = nil
      }
    }
  }

  /// Lets operations that were held be sent again.
  fileprivate mutating func releaseOperations(version: UInt64) {
    for number in operations.keys where operations[number]!.version == Self.held {
      operations[number]!.version = version
    }
  }

  /// Returns the positions of visible elements whose targets the file does not have: the program has not removed them.
  func positionsWithoutTarget(_ list: LocalList, _ snapshot: Snapshot) -> IndexRanges {
    guard let target = list.target else { return IndexRanges() }
    let visible = elements.filter(\.isVisible)
    return IndexRanges(visible.indices.filter { target.row(visible[$0].value.key, in: snapshot) == nil })
  }
}
