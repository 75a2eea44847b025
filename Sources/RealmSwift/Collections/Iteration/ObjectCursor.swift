import QueryEngine
import Storage

/// Walks objects, without knowing their class at compile time: code that is generic at run time would be many times
/// slower.
///
/// One object serves row after row, as long as nobody else holds it. A class and no protocol, since iterators hold it
/// without counting references, which takes an `Unmanaged`.
@usableFromInline
class ObjectCursor {
  // The object holds a reference to the realm, which keeps the class table alive.
  private let classTable: ClassTable
  private let realm: RealmCore
  private let vanishStamp: Int
  /// Owns one reference, without the copies that the compiler makes of others: they would look like somebody
  /// else's.
  @exclusivity(unchecked) private var object: Unmanaged<ObjectBase>?

  init(_ classTable: ClassTable) {
    self.classTable = classTable
    realm = classTable.realm
    vanishStamp = classTable.table.state.pointee.vanishStamp
  }

  /// The next object, or nil when there are no more.
  @usableFromInline
  func next() -> ObjectBase? { fatalError("overridden") }

  /// Called at each step, when the one before is done with.
  @inline(__always)
  final func pause(at position: Int) { realm.pause(at: position) }

  /// The object of a row. Rows that have disappeared since the walk began give invalidated objects.
  @inline(__always)
  final func object(_ row: Int) -> ObjectBase {
    if let object, classTable.reuse(object, for: row) {
      // It is the row's object now.
    } else {
      object?.release()
      object = Unmanaged.passRetained(classTable.accessor(row))
    }
    let current = object.unsafelyUnwrapped
    if classTable.table.state.pointee.vanishStamp != vanishStamp {
      // The object has to look for its row when it is first used.
      current._withUnsafeGuaranteedRef { $0._stamp = .min }
    }
    return current.takeUnretainedValue()
  }

  deinit { object?.release() }
}

/// Walks objects by the numbers of their rows.
final class RowCursor: ObjectCursor {
  private let rows: ContiguousArray<Int>
  @exclusivity(unchecked) private var position = 0

  init(_ classTable: ClassTable, rows: ContiguousArray<Int>) {
    self.rows = rows
    super.init(classTable)
  }

  override func next() -> ObjectBase? {
    guard position < rows.count else { return nil }
    pause(at: position)
    let row = rows[position]
    position &+= 1
    return object(row)
  }
}

/// Walks rows that are brought into order as the walk goes on.
final class SortedRowCursor: ObjectCursor {
  private let sort: PartialSort
  @exclusivity(unchecked) private var position = 0

  init(_ classTable: ClassTable, _ sort: PartialSort) {
    self.sort = sort
    super.init(classTable)
  }

  override func next() -> ObjectBase? {
    pause(at: position)
    guard let row = sort.row(ifAt: position) else { return nil }
    position &+= 1
    return object(row)
  }
}

/// Walks all rows of a class that has no deleted ones.
final class DenseRowCursor: ObjectCursor {
  private let limit: Int
  @exclusivity(unchecked) private var row = 0

  init(_ classTable: ClassTable, limit: Int) {
    self.limit = limit
    super.init(classTable)
  }

  override func next() -> ObjectBase? {
    guard row < limit else { return nil }
    pause(at: row)
    let next = row
    row &+= 1
    return object(next)
  }
}

/// Walks the links of a managed list or set as it was when the walk began.
///
/// Only for walks that begin outside a write transaction.
final class LinkCursor: ObjectCursor {
  @exclusivity(unchecked) private var walk: SegmentWalk

  init(_ stored: StoredCollection, _ reader: CollectionReader) {
    walk = SegmentWalk(reader, count: stored.count)
    super.init(stored.source.classTable.unsafelyUnwrapped)
  }

  override func next() -> ObjectBase? {
    // The walk has a hold of its own on what it reads.
    pause(at: walk.position)
    guard let place = walk.next() else { return nil }
    return object(Int(place.chunk.integer(place.index)))
  }
}
