/// One section of `SectionedResults`: the elements with its key. A live collection.
///
/// A section is identified by its key, whatever its position is. While no element has the key, the section is
/// invalidated: accessing its elements stops the program.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult,
  Identifiable
{
  /// The type of the elements.
  public typealias Element = T
  /// The type of the elements.
  public typealias SectionElement = T

  /// The common key of the elements.
  public let key: Key
  let core: SectionsCore<Key, T>
  let identity: ValueIdentity

  init(_ core: SectionsCore<Key, T>, key: Key, identity: ValueIdentity) {
    self.core = core
    self.key = key
    self.identity = identity
  }

  /// The identity of the section: its key.
  public var id: Key { key }

  /// The realm that manages the elements.
  public var realm: Realm? { core.results.realm }
  /// Whether no element has the key any more, or the realm was invalidated.
  public var isInvalidated: Bool { core.results.isInvalidated || core.index(of: identity) == nil }
  /// Whether the section belongs to a frozen realm and never changes.
  public var isFrozen: Bool { core.results.isFrozen }

  /// The number of elements.
  public var count: Int { core.elements(of: identity).count }

  /// The element at a position. Stops the program if the position is out of bounds.
  public subscript(position: Int) -> T {
    let elements = core.elements(of: identity)
    core.results.core.pause(at: position)
    position.checkPosition(below: elements.count)
    return core.element(elements[position])
  }

  /// Returns an iterator over the elements that the section has now.
  public func makeIterator() -> SectionIterator<T> {
    SectionIterator(core.iterator(core.elements(of: identity)))
  }

  /// For `RealmSectionedResult`: where the sections come from.
  public var _rlmSections: _SectionsOrigin { _SectionsOrigin(core, only: identity) }

  /// Returns whether both are the section with the same key of the same sections.
  public static func == (lhs: ResultsSection, rhs: ResultsSection) -> Bool {
    lhs.core === rhs.core && lhs.identity == rhs.identity
  }
}

/// The iterator over the elements of a section.
public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var elements: RLMIterator<Element>

  init(_ elements: RLMIterator<Element>) { self.elements = elements }

  /// Returns the next element, or nil at the end.
  public mutating func next() -> Element? { elements.next() }
}

/// The former name of ``SectionIterator``.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator
