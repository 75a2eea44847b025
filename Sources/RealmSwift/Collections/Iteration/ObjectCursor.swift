import QueryEngine
import Storage

/// Walks objects, without knowing their class at compile time: code that is generic at run time would be many times
/// slower.
///
/// One object serves row after row, as long as nothing else references it. A final class and no protocol, since iterators hold it
/// without counting references, which takes an `Unmanaged`, and their steps call it directly.
@usableFromInline
final class ObjectCursor {
  private enum Rows {
    case dense(Int)
    case numbers(ContiguousArray<Int>)
    case walk
    case sorted(PartialSort)
    case links
  }

  // The object holds a reference to the realm, which keeps the class table alive.
  private let classTable: ClassTable
  private let realm: RealmCore
  private let vanishStamp: Int
  private let rows: Rows
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var links: SegmentWalk?
  @exclusivity(unchecked) private var walk: RowWalk
  /// Owns one reference, without the copies that the compiler makes of others: they would look like something
  /// else's.
  @exclusivity(unchecked) private var object: Unmanaged<ObjectBase>?

  private init(_ classTable: ClassTable, _ rows: Rows, links: SegmentWalk? = nil, walk: RowWalk = RowWalk()) {
    self.classTable = classTable
    self.rows = rows
    self.links = links
    self.walk = walk
    realm = classTable.realm
    vanishStamp = classTable.table.state.pointee.vanishStamp
  }

  /// Walks all rows of a class that has no deleted ones, up to a limit.
  convenience init(_ classTable: ClassTable, limit: Int) { self.init(classTable, .dense(limit)) }

  convenience init(_ classTable: ClassTable, rows: ContiguousArray<Int>) {
    self.init(classTable, .numbers(rows))
  }

  convenience init(_ classTable: ClassTable, _ walk: RowWalk) {
    self.init(classTable, .walk, walk: walk)
  }

  /// Walks rows that are brought into order as the walk goes on.
  convenience init(_ classTable: ClassTable, _ sort: PartialSort) {
    self.init(classTable, .sorted(sort))
  }

  /// Walks the links of a managed list or set as it was when the walk began.
  ///
  /// Only for walks that begin outside a write transaction.
  convenience init(_ stored: StoredCollection, _ reader: CollectionReader) {
    self.init(
      stored.source.classTable.unsafelyUnwrapped, .links, links: SegmentWalk(reader, count: stored.count))
  }

  /// The next object, or nil when there are no more.
  @usableFromInline
  func next() -> ObjectBase? {
    let position = position
    // A walk over links has a hold of its own on what it reads.
    realm.pause(at: position)
    let row: Int
    switch rows {
    case .dense(let limit):
      guard position < limit else { return nil }
      row = position
    case .numbers(let numbers):
      guard position < numbers.count else { return nil }
      row = numbers[position]
    case .walk:
      guard let next = walk.next() else { return nil }
      row = next
    case .sorted(let sort):
      guard let next = sort.row(ifAt: position) else { return nil }
      row = next
    case .links:
      guard let place = links?.next() else { return nil }
      row = Int(place.chunk.integer(place.index))
    }
    self.position = position &+ 1
    return object(row)
  }

  /// The object of a row. Rows that have disappeared since the walk began give invalidated objects.
  @inline(__always)
  func object(_ row: Int) -> ObjectBase {
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
