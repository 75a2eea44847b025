import Storage

/// Walks the elements of a collection; the part of an iterator that knows where they are.
class ElementCursor<Element: RealmCollectionValue> {
  func next() -> Element? { fatalError("overridden") }
}

/// Walks elements in memory.
final class ArrayCursor<Element: RealmCollectionValue>: ElementCursor<Element> {
  private let elements: ContiguousArray<Element>
  private var position = 0

  init(_ elements: ContiguousArray<Element>) {
    self.elements = elements
  }

  override func next() -> Element? {
    guard position < elements.count else { return nil }
    defer { position += 1 }
    return elements[position]
  }
}

/// An object that serves row after row, as long as nobody else holds it.
///
/// Invariant: `object` owns one reference, which `deinit` of the owner gives up through `release()`.
struct RecycledAccessor {
  private let classTable: ClassTable
  private let vanishStamp: Int
  private var object: Unmanaged<ObjectBase>?

  init(_ classTable: ClassTable) {
    self.classTable = classTable
    vanishStamp = classTable.table.state.pointee.vanishStamp
  }

  /// The object of a row as an element, which must be of the table's class, or its optional. Rows that have
  /// disappeared since the walk began give invalidated objects.
  @inline(__always)
  mutating func element<Element>(_ row: Int) -> Element {
    if let object, object._withUnsafeGuaranteedRef({ classTable.reuse($0, for: row) }) {
      // It is the row's object now.
    } else {
      object?.release()
      object = Unmanaged.passRetained(classTable.accessor(row))
    }
    if classTable.table.state.pointee.vanishStamp != vanishStamp {
      // The object has to look for its row when it is first used.
      object.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0._stamp = .min }
    }
    return unsafeBitCast(object.unsafelyUnwrapped.takeUnretainedValue(), to: Element.self)
  }

  func release() { object?.release() }
}

/// Walks objects by the numbers of their rows.
final class RowCursor<Element: RealmCollectionValue>: ElementCursor<Element> {
  private let realm: RealmCore
  private let rows: ContiguousArray<Int>
  private var position = 0
  private var accessor: RecycledAccessor

  init(_ classTable: ClassTable, rows: ContiguousArray<Int>) {
    realm = classTable.realm
    self.rows = rows
    accessor = RecycledAccessor(classTable)
  }

  deinit { accessor.release() }

  override func next() -> Element? {
    guard position < rows.count else { return nil }
    let row = rows[position]
    position += 1
    return accessor.element(row)
  }
}

/// Walks a managed collection that is a column of its own, as it was when the walk began.
///
/// Only for walks that begin outside a write transaction.
final class StoredCursor<Element: RealmCollectionValue>: ElementCursor<Element> {
  private let source: _ElementSource
  private let reader: CollectionReader
  private let count: Int
  private var position = 0
  private var chunk: Chunk?
  private var index = chunkCapacity

  init(_ stored: StoredCollection, _ reader: CollectionReader) {
    source = stored.source
    self.reader = reader
    count = stored.count
  }

  override func next() -> Element? {
    guard position < count else { return nil }
    if index == chunkCapacity {
      chunk = reader.segment(position / chunkCapacity)
      index = 0
    }
    defer {
      index += 1
      position += 1
    }
    return Element._rlmElement(chunk.unsafelyUnwrapped, index, source)
  }
}

/// The same for links, with one object that serves all elements.
final class LinkCursor<Element: RealmCollectionValue>: ElementCursor<Element> {
  private let realm: RealmCore
  private let reader: CollectionReader
  private let count: Int
  private var position = 0
  private var chunk: Chunk?
  private var index = chunkCapacity
  private var accessor: RecycledAccessor

  init(_ stored: StoredCollection, _ reader: CollectionReader) {
    realm = stored.realm
    self.reader = reader
    count = stored.count
    accessor = RecycledAccessor(stored.source.classTable.unsafelyUnwrapped)
  }

  deinit { accessor.release() }

  override func next() -> Element? {
    guard position < count else { return nil }
    if index == chunkCapacity {
      chunk = reader.segment(position / chunkCapacity)
      index = 0
    }
    let row = Int(chunk.unsafelyUnwrapped.integer(index))
    index += 1
    position += 1
    return accessor.element(row)
  }
}

extension CollectionBacking {
  /// A walk over the elements of a list or set as they are now, whatever is changed during it.
  func cursor<Element: RealmCollectionValue>(_: Element.Type) -> ElementCursor<Element> {
    guard let stored, source.type != .mixed else {
      return ArrayCursor(ContiguousArray((0..<count).map { mixedElement(at: $0) }))
    }
    let holdsObjects = source.type == .link && Element._rlmIsObject
    if let reader = stored.snapshot.reader(
      CollectionKey(table: stored.table.number, column: stored.column, row: stored.row))
    {
      return holdsObjects ? LinkCursor(stored, reader) : StoredCursor(stored, reader)
    }
    if holdsObjects { return RowCursor(source.classTable.unsafelyUnwrapped, rows: stored.rows) }
    return ArrayCursor(ContiguousArray((0..<count).map { element(at: $0, as: Element.self) }))
  }
}
