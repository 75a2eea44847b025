/// The sections of a result, or one of them: a live collection that can be observed.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined where Index == Int {
  /// What the sections consist of.
  associatedtype SectionElement: RealmCollectionValue

  var _rlmSections: _SectionsOrigin { get }
}

extension RealmSectionedResult {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }
  /// The next position.
  public func index(after index: Int) -> Int { index + 1 }
  /// The previous position.
  public func index(before index: Int) -> Int { index - 1 }
}

/// What observing sections needs to know of them.
public struct _SectionsOrigin {
  let realm: RealmCore
  /// Where the elements are from.
  let results: _CollectionOrigin
  /// Makes an observer, for some key paths, which calls a block with nil first and then with each change.
  let observer: (_ keyPaths: [String]?, _ block: @escaping (SectionDifference?) -> Void) -> any Observer

  /// - Parameter only: The one section that is observed; nil for all.
  init<Key, Element>(_ core: SectionsCore<Key, Element>, only: ValueIdentity? = nil) {
    realm = core.results.core.realm
    results = core.results._rlmOrigin
    observer = { SectionsObserver(core, keyPaths: $0, only: only, $1) }
  }
}
