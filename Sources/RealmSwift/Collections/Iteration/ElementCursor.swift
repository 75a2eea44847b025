import Storage

/// Walks the elements of a collection; the part of an iterator that knows where they are.
@usableFromInline
protocol ElementCursor<Element>: AnyObject {
  associatedtype Element

  func next() -> Element?
}

/// Walks elements in memory.
final class ArrayCursor<Element: RealmCollectionValue>: ElementCursor {
  private let elements: ContiguousArray<Element>
  private var position = 0

  init(_ elements: ContiguousArray<Element>) {
    self.elements = elements
  }

  func next() -> Element? {
    guard position < elements.count else { return nil }
    defer { position += 1 }
    return elements[position]
  }
}

/// Walks what is made of objects, as projections are.
final class ProjectionCursor<Element: RealmCollectionValue>: ElementCursor {
  private let objects: ObjectCursor

  init(_ objects: ObjectCursor) { self.objects = objects }

  func next() -> Element? { objects.next().map { Element._rlmElement($0) } }
}

/// Walks a managed collection that is a column of its own, as it was when the walk began.
///
/// Only for walks that begin outside a write transaction.
final class StoredCursor<Element: RealmCollectionValue>: ElementCursor {
  private let source: _ElementSource
  @exclusivity(unchecked) private var walk: SegmentWalk

  init(_ stored: StoredCollection, _ reader: CollectionReader) {
    source = stored.source
    walk = SegmentWalk(reader, count: stored.count)
  }

  func next() -> Element? {
    walk.next().map { Element._rlmElement($0.chunk, $0.index, source) }
  }
}

extension CollectionBacking {
  /// A walk over the elements of a list or set as they are now, whatever is changed during it.
  func iterator<Element: RealmCollectionValue>(_: Element.Type) -> RLMIterator<Element> {
    guard let stored, source.type != .mixed else {
      return RLMIterator(cursor: ArrayCursor(ContiguousArray((0..<count).map { mixedElement(at: $0) })))
    }
    let holdsObjects = source.type == .link && Element._rlmIsObject
    if let reader = stored.snapshot.reader(stored.key) {
      return holdsObjects
        ? RLMIterator(objects: ObjectCursor(stored, reader))
        : RLMIterator(cursor: StoredCursor(stored, reader))
    }
    if holdsObjects {
      return RLMIterator(objects: ObjectCursor(source.classTable.unsafelyUnwrapped, rows: stored.rows))
    }
    return RLMIterator(
      cursor: ArrayCursor(ContiguousArray((0..<count).map { element(at: $0, as: Element.self) })))
  }
}
