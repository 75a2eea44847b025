public import Foundation

/// Objects or values grouped into sections by a key. A live collection of sections.
///
/// ```swift
/// let sections = realm.objects(Trail.self).sectioned(by: \.difficulty)
/// for section in sections {
///   print(section.key)
///   for trail in section { print(trail.name) }
/// }
/// ```
///
/// Sections are computed when they are first read. The elements are sorted first. Sections are in the order
/// in which their keys first occur, and elements with equal keys are in one section wherever they occur.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult
{
  /// The type of a section.
  public typealias Element = ResultsSection<Key, SectionElement>

  let core: SectionsCore<Key, SectionElement>

  init(core: SectionsCore<Key, SectionElement>) { self.core = core }

  init(_ results: Results<SectionElement>, by keyBlock: @escaping (SectionElement) -> Key) {
    core = SectionsCore(results, by: keyBlock)
  }

  /// The realm that manages the elements.
  public var realm: Realm? { core.results.realm }
  /// Whether the sections can no longer be used, because they are of a deleted collection or their realm was
  /// invalidated.
  public var isInvalidated: Bool { core.results.isInvalidated }
  /// Whether the sections belong to a frozen realm and never change.
  public var isFrozen: Bool { core.results.isFrozen }

  /// The number of sections.
  public var count: Int { core.current.sections.count }

  /// The keys of all sections, in order.
  public var allKeys: [Key] { core.current.sections.map(\.key) }

  /// The section at a position. Stops the program if the position is out of bounds.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let sections = core.current.sections
    position.checkPosition(below: sections.count)
    return ResultsSection(core, key: sections[position].key, identity: sections[position].identity)
  }

  /// The element at an index path. Stops the program if there is none.
  public subscript(indexPath: IndexPath) -> SectionElement {
    self[indexPath[0]][indexPath[1]]
  }

  /// Returns an iterator over the sections that exist now. Sections that disappear during the iteration are
  /// skipped.
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(core)
  }

  /// For `RealmSectionedResult`: where the sections come from.
  public var _rlmSections: _SectionsOrigin { _SectionsOrigin(core) }

  /// Returns whether both are copies of the same sections.
  public static func == (lhs: SectionedResults, rhs: SectionedResults) -> Bool { lhs.core === rhs.core }
}

/// The iterator over sections.
public struct SectionedResultsIterator<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  IteratorProtocol
{
  private let core: SectionsCore<Key, SectionElement>
  private var sections: IndexingIterator<[SectionContents<Key>.Section]>

  init(_ core: SectionsCore<Key, SectionElement>) {
    self.core = core
    sections = core.current.sections.makeIterator()
  }

  /// Returns the next section, or nil at the end.
  public mutating func next() -> ResultsSection<Key, SectionElement>? {
    while let section = sections.next() {
      guard core.index(of: section.identity) != nil else { continue }
      return ResultsSection(core, key: section.key, identity: section.identity)
    }
    return nil
  }
}

/// The former name of ``SectionedResultsIterator``.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator
