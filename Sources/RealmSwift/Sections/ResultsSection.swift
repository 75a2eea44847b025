/// One section of `SectionedResults`: the elements that have its key, always as they are now.
///
/// It stays that of its key, wherever the section moves. While no element has the key it is invalidated: asking it
/// for elements stops the program.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult,
  Identifiable
{
  /// What the section has.
  public typealias Element = T
  /// What the section has.
  public typealias SectionElement = T

  /// What the section's elements have in common.
  public let key: Key
  let core: SectionsCore<Key, T>
  let identity: ValueIdentity

  init(_ core: SectionsCore<Key, T>, key: Key, identity: ValueIdentity) {
    self.core = core
    self.key = key
    self.identity = identity
  }

  /// The key.
  public var id: Key { key }

  /// The realm that it belongs to; nil in memory.
  public var realm: Realm? { core.results.realm }
  /// Whether no element has the key any more, or the realm was invalidated.
  public var isInvalidated: Bool { core.results.isInvalidated || core.index(of: identity) == nil }
  /// Whether it belongs to a frozen realm, and never changes.
  public var isFrozen: Bool { core.results.isFrozen }

  /// The number of elements.
  public var count: Int { core.elements(of: identity).count }

  /// The element at a position. Stops the program when there is none.
  public subscript(position: Int) -> T {
    let elements = core.elements(of: identity)
    core.results.core.pause(at: position)
    position.checkPosition(below: elements.count)
    return core.element(elements[position])
  }

  /// Walks the elements that there are now.
  public func makeIterator() -> SectionIterator<T> {
    SectionIterator(core.iterator(core.elements(of: identity)))
  }

  /// For `RealmSectionedResult`: where the sections come from.
  public var _rlmSections: _SectionsOrigin { _SectionsOrigin(core, only: identity) }

  /// Two are equal when they are the section with the same key of the same sections.
  public static func == (lhs: ResultsSection, rhs: ResultsSection) -> Bool {
    lhs.core === rhs.core && lhs.identity == rhs.identity
  }
}

/// The iterator of a section's elements.
public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var elements: RLMIterator<Element>

  init(_ elements: RLMIterator<Element>) { self.elements = elements }

  /// The next element, or nil when there are no more.
  public mutating func next() -> Element? { elements.next() }
}

/// The former name.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator
