import CConcurrencyRuntime
import Foundation
import Storage

/// What a managed `List`, `MutableSet` or `Map` reads and writes: the elements of one collection in a realm,
/// with their types known only at run time.
///
/// Subclasses know where the elements are. Callers check access, and that positions are within bounds, before
/// they ask for anything else.
class CollectionBacking {
  /// Kept alive by the collection, also after the object that it was read from is gone.
  final let realm: RealmCore
  final let source: _ElementSource
  /// "List", "Set" or "Dictionary".
  final let noun: String
  /// This collection when it is a column of its own. Used without counting references, whoever uses it holds the
  /// collection.
  fileprivate(set) final var storedReference: Unmanaged<StoredCollection>?
  // What links point to, for the check that is made for each one.
  private let targetState: UnsafeMutablePointer<TableState>?
  private let targetIsEmbedded: Bool

  init(realm: RealmCore, source: _ElementSource, noun: String) {
    self.realm = realm
    self.source = source
    self.noun = noun
    targetState = source.classTable?.table.state
    targetIsEmbedded = source.classTable?.isEmbedded ?? false
  }

  final var stored: StoredCollection? { storedReference?.takeUnretainedValue() }

  /// Stops the program unless the collection may be used here and is still there.
  func checkAccess() { fatalError("overridden") }

  /// Where the collection is in every realm of the file.
  var location: CollectionLocation { fatalError("overridden") }

  /// Whether the collection is still there.
  var isValid: Bool { fatalError("overridden") }
  var count: Int { fatalError("overridden") }
  func value(at position: Int) -> StoredValue { fatalError("overridden") }
  func key(at position: Int) -> String { fatalError("overridden") }
  func position(ofKey key: String) -> (position: Int, isFound: Bool) { fatalError("overridden") }
  func isSameCollection(_ other: CollectionBacking) -> Bool { fatalError("overridden") }

  func insert(_ value: StoredValue, at position: Int) { fatalError("overridden") }
  func insert(_ values: [StoredValue], at position: Int) { fatalError("overridden") }
  func replace(at position: Int, _ value: StoredValue) { fatalError("overridden") }
  func remove(_ range: Range<Int>) { fatalError("overridden") }
  func move(from: Int, to: Int) { fatalError("overridden") }
  func swap(_ first: Int, _ second: Int) { fatalError("overridden") }
  func setValue(_ value: StoredValue, key: String) { fatalError("overridden") }

  // MARK: Shared

  /// Stops the program unless the collection may be changed here.
  func checkWrite() {
    checkAccess()
    if !realm.isInWrite { failOutsideWrite() }
  }

  final func failOutsideWrite() -> Never {
    trap("Cannot modify \(noun) outside of a write transaction.")
  }

  /// The collection for messages, for example "List<Dog>".
  final var nameInMessages: String { "\(noun)<\(source.classTable?.className ?? "\(source.type)")>" }

  var values: [StoredValue] { (0..<count).map(value(at:)) }

  /// Stops the program because the collection is gone.
  final func failInvalidated() -> Never {
    trap(
      "\(noun) is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
    )
  }

  /// The stored form of an element that holds an object, which is added when it is in memory only.
  @inline(__always)
  final func link(to object: ObjectBase) -> StoredValue {
    if let targetState, object._state == targetState, object._row >= 0,
      object._stamp == targetState.pointee.vanishStamp, !targetIsEmbedded
    {
      return .link(table: targetState.pointee.number, row: object._row)
    }
    return linkSlowly(to: object)
  }

  @inline(never)
  private func linkSlowly(to object: ObjectBase) -> StoredValue {
    let target = source.classTable.unsafelyUnwrapped
    let table = target.table
    if object._isManaged {
      if target.isEmbedded { trap("Cannot add an existing managed embedded object to a \(noun).") }
      if object._state == table.state {
        if !object._isAlive { trap(.addingInvalidated) }
        return .link(table: table.number, row: object._row)
      }
      guard object._realm === realm else { trap(.managedByAnotherRealm) }
      guard object._isAlive else { trap(.addingInvalidated) }
      failMismatch(object, target)
    }
    if !(type(of: object) == target.schema.type) { failMismatch(object, target) }
    let row = realm.add(object, policy: realm.updatePolicy, allowsEmbedded: true)
    return .link(table: table.number, row: row)
  }

  private func failMismatch(_ object: ObjectBase, _ target: ClassTable) -> Never {
    let collection =
      switch noun {
      case "List": "RLMArray"
      case "Set": "RLMSet"
      default: "RLMDictionary"
      }
    trap(
      "Object of type '\(ClassSchema.of(type(of: object)).className)' does not match \(collection) type '\(target.className)'."
    )
  }
}

/// A collection that is a column of its own in one row of a table.
final class StoredCollection: CollectionBacking {
  let table: Table
  let column: Int
  let row: Int
  /// Kept alive by the realm, also when that has been invalidated.
  unowned(unsafe) let snapshot: Snapshot
  /// The table's vanish stamp when the row was last seen to be there.
  @exclusivity(unchecked) private var stamp: Int
  // The segment that was read last, valid while the content stamp is the same.
  @exclusivity(unchecked) private var segment: Chunk?
  @exclusivity(unchecked) private var segmentNumber = -1
  @exclusivity(unchecked) private var segmentStamp = Int.min
  /// All segments of a frozen collection.
  private let sharedSegments: SharedSegments?

  convenience init<Element: RealmCollectionValue>(_ object: ObjectBase, _ column: Int, of _: Element.Type) {
    self.init(
      object._realm.unsafelyUnwrapped, object._table, object._row, column, stamp: object._stamp,
      isDynamic: Element.self == DynamicObject.self || Element.self == DynamicObject?.self)
  }

  /// - Parameter isDynamic: Whether its objects are to be dynamic ones.
  init(_ realm: RealmCore, _ table: Table, _ row: Int, _ column: Int, stamp: Int, isDynamic: Bool) {
    self.table = table
    snapshot = table.snapshot
    self.column = column
    self.row = row
    self.stamp = stamp
    sharedSegments = realm.isFrozen ? SharedSegments(table, column, row) : nil
    let description = snapshot.catalogue.tables[table.number].columns[column]
    let noun =
      switch description.collection {
      case .set: "Set"
      case .map: "Dictionary"
      default: "List"
      }
    super.init(
      realm: realm,
      source: _ElementSource(
        realm: realm, type: description.type, target: description.target,
        classTable: description.type == .link
          ? isDynamic
            ? realm.dynamicClassTable(description.target) : realm.classTable(number: description.target)
          : nil),
      noun: noun)
    storedReference = .passUnretained(self)
  }

  override func checkWrite() {
    checkAccess()
    if !table.isWriting { failOutsideWrite() }
  }

  @inline(__always)
  override func checkAccess() {
    let state = table.state
    let thread = currentThread()
    if state.pointee.thread != thread || state.pointee.vanishStamp != stamp
      || state.pointee.isTracked(on: thread)
    {
      checkAccessSlowly()
    }
  }

  @inline(never)
  private func checkAccessSlowly() {
    if realm.isClosed { failInvalidated() }
    if realm.isFrozen { return }
    realm.checkThread(nameInMessages)
    guard isValid else { failInvalidated() }
    stamp = table.state.pointee.vanishStamp
    realm.openTracking?.note(ReadTracking.Cell(table: table.number, column: column, row: row))
  }

  override var location: CollectionLocation {
    .stored(table: table.number, row: row, column: column, isDynamic: isDynamic)
  }

  override var isValid: Bool {
    !realm.isClosed && !realm.isRetired(table) && table.isAlive(row)
  }

  override var count: Int { table.count(column, row) }

  /// The segment that holds an element, to be used at `position % chunkCapacity`.
  @inline(__always)
  func chunk(holding position: Int) -> Chunk {
    let number = Int(truncatingIfNeeded: UInt(bitPattern: position) / UInt(chunkCapacity))
    let now = snapshot.contentStamp
    if number == segmentNumber, now == segmentStamp { return segment.unsafelyUnwrapped }
    return loadChunk(number, now)
  }

  fileprivate func storedChunk(_ number: Int) -> Chunk {
    snapshot.segment(CollectionKey(table: table.number, column: column, row: row), .values, number)
  }

  @inline(never)
  private func loadChunk(_ number: Int, _ stamp: Int) -> Chunk {
    if let sharedSegments { return sharedSegments.chunk(number, or: storedChunk) }
    let chunk = storedChunk(number)
    segment = chunk
    segmentNumber = number
    segmentStamp = stamp
    return chunk
  }

  override func value(at position: Int) -> StoredValue {
    chunk(holding: position).storedValue(position % chunkCapacity, source.type, target: source.target)
  }

  /// An element, with all checks.
  @inline(__always)
  func checkedElement<Element: RealmCollectionValue>(at position: Int) -> Element {
    checkAccess()
    position.checkPosition(below: count)
    if source.type == .mixed { return mixedElement(at: position) }
    return Element._rlmElement(
      chunk(holding: position), Int(truncatingIfNeeded: UInt(bitPattern: position) % UInt(chunkCapacity)),
      source)
  }

  override func position(ofKey key: String) -> (position: Int, isFound: Bool) { keyPosition(key) }

  override func key(at position: Int) -> String { table.key(column, row, at: position) }

  /// The rows that a collection of links holds, in its order; nulls are left out.
  var rows: ContiguousArray<Int> {
    var rows: ContiguousArray<Int> = []
    let count = count
    rows.reserveCapacity(count)
    for first in stride(from: 0, to: count, by: chunkCapacity) {
      let chunk = chunk(holding: first)
      let isNullable = chunk.nullBitmap != nil
      for index in 0..<min(chunkCapacity, count - first) where !isNullable || !chunk.isNull(index) {
        rows.append(Int(chunk.integer(index)))
      }
    }
    return rows
  }

  override func isSameCollection(_ other: CollectionBacking) -> Bool {
    guard let other = other.stored else { return false }
    return realm === other.realm && table.state == other.table.state && column == other.column
      && row == other.row
  }

  // MARK: Writing

  override func insert(_ value: StoredValue, at position: Int) {
    table.insertElement(column, row, at: position, value)
  }
  override func insert(_ values: [StoredValue], at position: Int) {
    table.insertElements(column, row, at: position, values)
  }
  override func replace(at position: Int, _ value: StoredValue) {
    table.replaceElement(column, row, at: position, value)
  }
  override func remove(_ range: Range<Int>) { table.removeElements(column, row, range) }
  override func move(from: Int, to: Int) { table.moveElement(column, row, from: from, to: to) }
  override func swap(_ first: Int, _ second: Int) { table.swapElements(column, row, first, second) }
  override func setValue(_ value: StoredValue, key: String) {
    let found = position(ofKey: key)
    if found.isFound {
      table.replaceElement(column, row, at: found.position, value)
    } else {
      table.setMapValue(column, row, key: key, value)
    }
  }
}

/// Elements between Swift and a managed collection.
extension CollectionBacking {
  @inline(__always)
  final func element<Element: RealmCollectionValue>(at position: Int, as _: Element.Type) -> Element {
    guard let storedReference, source.type != .mixed else { return mixedElement(at: position) }
    return storedReference._withUnsafeGuaranteedRef { stored in
      Element._rlmElement(
        stored.chunk(holding: position),
        Int(truncatingIfNeeded: UInt(bitPattern: position) % UInt(chunkCapacity)), stored.source)
    }
  }

  /// The value to store for an element.
  @inline(__always)
  final func storedValue<Element: RealmCollectionValue>(_ element: Element) -> StoredValue {
    guard source.type == .link, Element._rlmIsObject else { return element._rlmStore(realm) }
    // Elements are object references, or optional ones in a map.
    guard let reference = unsafeBitCast(element, to: UnsafeRawPointer?.self) else { return .null }
    return withExtendedLifetime(element) {
      Unmanaged<ObjectBase>.fromOpaque(reference)._withUnsafeGuaranteedRef { link(to: $0) }
    }
  }
}
