import Storage

/// The live grouping behind `SectionedResults` and their sections.
///
/// It groups when first asked, and again when anything in its realm may have changed since.
final class SectionsCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
  let results: Results<Element>
  let keyBlock: (Element) -> Key
  /// Guards the sections of a frozen realm, which are computed once.
  private let lock = FirstUseLock()
  private var contents = SectionContents<Key>()
  private var version: Version?

  /// A state of the realm.
  private struct Version: Equatable {
    let snapshot: ObjectIdentifier
    let stamp: Int
  }

  init(_ results: Results<Element>, by keyBlock: @escaping (Element) -> Key) {
    self.results = results
    self.keyBlock = keyBlock
  }

  /// The sections as they are now.
  var current: SectionContents<Key> {
    let realm = results.core.realm
    realm.checkThread()
    return realm.isFrozen ? lock.withLock { upToDate(realm) } : upToDate(realm)
  }

  private func upToDate(_ realm: RealmCore) -> SectionContents<Key> {
    let now = Version(snapshot: ObjectIdentifier(realm.snapshot), stamp: realm.snapshot.visibleStamp)
    if now != version {
      contents = grouped()
      version = now
    }
    return contents
  }

  private func grouped() -> SectionContents<Key> {
    var contents = SectionContents<Key>()
    let core = results.core
    let elements = core.isOfValues ? ContiguousArray(core.values.indices) : ContiguousArray(core.allRows)
    // One accessor serves all objects, unless the block keeps it.
    var iterator = iterator(elements)
    for number in elements {
      let key = keyBlock(iterator.next()!)
      contents.append(number, key: key, ValueIdentity.stored(key))
    }
    return contents
  }

  /// The place of a key among the sections, or nil when no element has it.
  func index(of key: ValueIdentity) -> Int? { current.index(of: key) }

  /// The elements of a section, to be handed to `element` or `iterator`. Stops the program when there is none.
  func elements(of key: ValueIdentity) -> ContiguousArray<Int> {
    let contents = current
    guard let index = contents.index(of: key) else { trap("Access to invalidated Results objects") }
    return contents.sections[index].elements
  }

  func element(_ element: Int) -> Element {
    let core = results.core
    if core.isOfValues { return Element._rlmElement(core.values[element], core.realm) }
    return Element._rlmElement(core.object(element))
  }

  func iterator(_ elements: ContiguousArray<Int>) -> RLMIterator<Element> {
    let core = results.core
    guard core.isOfValues else { return core.iterator(rows: elements) }
    let values = core.values
    return RLMIterator(
      cursor: ArrayCursor(ContiguousArray(elements.map { Element._rlmElement(values[$0], core.realm) })))
  }
}
