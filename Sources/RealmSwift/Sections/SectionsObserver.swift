import Storage

/// Observes sections, or one of them.
///
/// The results that the sections are computed from are observed as any others; the sections are recomputed and compared only when
/// these results have changed.
final class SectionsObserver<Key: _Persistable & Hashable, Element: RealmCollectionValue>: Observer {
  private let sections: SectionsCore<Key, Element>
  private let tracker: any CollectionTracker
  /// The one section that is observed; nil for all.
  private let only: ValueIdentity?
  /// Called with nil first, then with each change.
  private let block: (SectionDifference?) -> Void
  private var known = SectionContents<Key>()

  init(
    _ sections: SectionsCore<Key, Element>, keyPaths: [String]?, only: ValueIdentity? = nil,
    _ block: @escaping (SectionDifference?) -> Void
  ) {
    self.sections = sections
    self.only = only
    self.block = block
    tracker = sections.results._rlmOrigin.tracker(keyPaths: keyPaths)
  }

  var hasInitialCall: Bool { true }

  func start() -> ObserverCall? {
    tracker.start()
    known = sections.current
    return ObserverCall { [block] in block(nil) }
  }

  func update(_ context: ChangeContext) -> ObserverCall? {
    let changes = tracker.update(context)
    if changes.isEmpty && !mayHaveOtherKeys(context) { return nil }
    let old = known
    known = sections.current
    let difference = SectionDifference(from: old, to: known, changes, only: only)
    return difference.isEmpty ? nil : ObserverCall { [block] in block(difference) }
  }

  /// Whether elements may have moved between sections because of properties that are not among the key paths.
  private func mayHaveOtherKeys(_ context: ChangeContext) -> Bool {
    guard case .paths = tracker.keyPaths else { return false }
    return !context.modifiedRows(table: sections.results.core.classTable.table.number, .everything).isEmpty
  }
}
