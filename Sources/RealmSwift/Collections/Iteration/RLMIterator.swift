import Storage

/// The iterator of Realm's collections.
///
/// It iterates over the content that the collection had when iteration began. Objects that are deleted during
/// the iteration are still returned, invalidated.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// Kept alive by `owner`; without a reference of its own, which every step would count.
  @usableFromInline let objects: Unmanaged<ObjectCursor>?
  @usableFromInline let cursor: (any ElementCursor<Element>)?
  @usableFromInline let owner: ObjectCursor?

  init(cursor: some ElementCursor<Element>) {
    objects = nil
    owner = nil
    self.cursor = cursor
  }

  /// Walks objects, which must be of the element's class; the element may also be its optional.
  init(objects: ObjectCursor) {
    self.objects = .passUnretained(objects)
    owner = objects
    cursor = nil
  }

  /// Returns the next element, or nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    guard let objects else { return cursor.unsafelyUnwrapped.next() }
    return withExtendedLifetime(owner) {
      guard let object = objects._withUnsafeGuaranteedRef({ $0.next() }) else { return nil }
      return unsafeBitCast(object, to: Element.self)
    }
  }
}

extension ResultsCore {
  /// A walk over objects by the numbers of their rows.
  func iterator<Element: RealmCollectionValue>(rows: ContiguousArray<Int>) -> RLMIterator<Element> {
    iterator(ObjectCursor(classTable, rows: rows))
  }

  /// A walk over objects, or over what is made of them.
  func iterator<Element: RealmCollectionValue>(_ objects: ObjectCursor) -> RLMIterator<Element> {
    Element._rlmIsObject
      ? RLMIterator(objects: objects) : RLMIterator(cursor: ProjectionCursor(objects))
  }
}
