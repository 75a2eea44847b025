public import Foundation

/// Objects or values grouped into sections by a key, always as they are now.
///
///     let sections = realm.objects(Dog.self).sectioned(by: \.breed)
///     for section in sections {
///       print(section.key)
///       for dog in section { print(dog.name) }
///     }
///
/// Nothing is computed until the sections are asked for something. The elements are sorted first; the sections come
/// in the order in which their keys do, and elements with equal keys are in one section wherever they are.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult
{
  /// The sections.
  public typealias Element = ResultsSection<Key, SectionElement>

  let core: SectionsCore<Key, SectionElement>

  init(core: SectionsCore<Key, SectionElement>) { self.core = core }

  init(_ results: Results<SectionElement>, by keyBlock: @escaping (SectionElement) -> Key) {
    core = SectionsCore(results, by: keyBlock)
  }

  /// The realm that it belongs to; nil in memory.
  public var realm: Realm? { core.results.realm }
  /// Whether it can not be used any more: deleted, or its realm invalidated.
  public var isInvalidated: Bool { core.results.isInvalidated }
  /// Whether it belongs to a frozen realm, and never changes.
  public var isFrozen: Bool { core.results.isFrozen }

  /// The number of sections.
  public var count: Int { core.current.sections.count }

  /// The keys of all sections, in their order.
  public var allKeys: [Key] { core.current.sections.map(\.key) }

  /// The section at a position. Stops the program when there is none.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let sections = core.current.sections
    position.checkPosition(below: sections.count)
    return ResultsSection(core, key: sections[position].key, identity: sections[position].identity)
  }

  /// The element at a place within a section. Stops the program when there is none.
  public subscript(indexPath: IndexPath) -> SectionElement {
    self[indexPath[0]][indexPath[1]]
  }

  /// Walks the sections that there are now; those that disappear during the walk are left out.
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(core)
  }

  /// For `RealmSectionedResult`: where the sections come from.
  public var _rlmSections: _SectionsOrigin { _SectionsOrigin(core) }

  /// Two are equal when they are copies of the same one.
  public static func == (lhs: SectionedResults, rhs: SectionedResults) -> Bool { lhs.core === rhs.core }
}

/// The iterator of sections.
public struct SectionedResultsIterator<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  IteratorProtocol
{
  private let core: SectionsCore<Key, SectionElement>
  private var sections: IndexingIterator<[SectionContents<Key>.Section]>

  init(_ core: SectionsCore<Key, SectionElement>) {
    self.core = core
    sections = core.current.sections.makeIterator()
  }

  /// The next section, or nil when there are no more.
  public mutating func next() -> ResultsSection<Key, SectionElement>? {
    while let section = sections.next() {
      guard core.index(of: section.identity) != nil else { continue }
      return ResultsSection(core, key: section.key, identity: section.identity)
    }
    return nil
  }
}

/// The former name.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator
