/// The sections of a result, or one of the sections: a live collection that can be observed.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined where Index == Int {
  /// The type of the elements of the sections.
  associatedtype SectionElement: RealmCollectionValue

  var _rlmSections: _SectionsOrigin { get }
}

extension RealmSectionedResult {
  /// The position of the first element, which is always 0.
  public var startIndex: Int { 0 }
  /// The position after the last element: the number of elements.
  public var endIndex: Int { count }
  /// Returns the next position.
  public func index(after index: Int) -> Int { index + 1 }
  /// Returns the previous position.
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
