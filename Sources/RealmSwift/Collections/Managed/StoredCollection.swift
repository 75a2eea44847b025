import CSwiftRuntime
import Storage

/// A collection that is a column of its own in one row of a table.
final class StoredCollection: ManagedCollection, CollectionBacking, CollectionElements {
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
    snapshot.lookAtElements(of: CollectionKey(table: table.number, column: column, row: row))
    sharedSegments = realm.isFrozen ? SharedSegments(table, column, row) : nil
    let description = snapshot.catalogue.tables[table.number].columns[column]
    let kind: CollectionKind =
      switch description.collection {
      case .set: .set
      case .map: .map
      case .list, .none: .list
      }
    super.init(
      realm: realm,
      source: _ElementSource(
        realm: realm, type: description.type, target: description.target,
        classTable: description.type == .link
          ? isDynamic
            ? realm.dynamicClassTable(description.target) : realm.classTable(number: description.target)
          : nil),
      // Values that are asked for as objects are counted, but not read from where they are stored.
      kind: kind, isStored: !isDynamic || description.type == .link)
    if description.type == .mixed && !realm.isFrozen { realm.hasMixedCollections = true }
  }

  func checkWrite() {
    checkAccess()
    if !table.isWriting { failOutsideWrite() }
  }

  @inline(__always)
  func checkAccess() {
    let state = table.state
    let thread = currentThread()
    if Table(state).thread != thread || state.pointee.vanishStamp != stamp
      || state.pointee.isTracked(on: thread)
    {
      checkAccessSlowly()
    }
  }

  @inline(never)
  private func checkAccessSlowly() {
    if realm.isClosed { failInvalidated() }
    if realm.isFrozen { return realm.checkProcess() }
    realm.checkThread(nameInMessages)
    guard isValid else { failInvalidated() }
    stamp = table.state.pointee.vanishStamp
    realm.openTracking?.note(ReadTracking.Cell(table: table.number, column: column, row: row))
  }

  var origin: _CollectionOrigin { _CollectionOrigin(kind: .stored(self)) }

  var location: CollectionLocation {
    .stored(table: table.number, row: row, column: column, isDynamic: isDynamic)
  }

  var isValid: Bool {
    !realm.isClosed && !realm.isRetired(table) && table.isAlive(row)
  }

  var count: Int { table.count(column, row) }
  var type: ValueType { source.type }
  var target: Int { source.target }
  var nestingLevel: Int { 1 }

  /// What is read of an element from the segment that holds it.
  @inline(__always)
  func read<Value>(_ position: Int, _ body: (Chunk, Int) -> Value) -> Value {
    let number = Int(truncatingIfNeeded: UInt(bitPattern: position) / UInt(chunkCapacity))
    let index = Int(truncatingIfNeeded: UInt(bitPattern: position) % UInt(chunkCapacity))
    let now = snapshot.contentStamp
    if number == segmentNumber, now == segmentStamp { return body(segment.unsafelyUnwrapped, index) }
    return readSlowly(number, index, now, body)
  }

  @inline(never)
  private func readSlowly<Value>(
    _ number: Int, _ index: Int, _ now: Int, _ body: (Chunk, Int) -> Value
  ) -> Value {
    body(loadChunk(number, now), index)
  }

  /// Returns a segment to a reader that is inside.
  @inline(__always)
  private func chunk(_ number: Int) -> Chunk {
    let now = snapshot.contentStamp
    if number == segmentNumber, now == segmentStamp { return segment.unsafelyUnwrapped }
    return loadChunk(number, now)
  }

  /// What the collection's segments are stored under.
  var key: CollectionKey { CollectionKey(table: table.number, column: column, row: row) }

  @inline(__always)
  func segment(_ family: CollectionFamily, _ number: Int) -> Chunk {
    family == .values ? chunk(number) : snapshot.segment(key, family, number)
  }

  private func storedChunk(_ number: Int) -> Chunk { snapshot.segment(key, .values, number) }

  @inline(never)
  private func loadChunk(_ number: Int, _ stamp: Int) -> Chunk {
    if let sharedSegments { return sharedSegments.chunk(number, snapshot.sharedStamp, or: storedChunk) }
    let chunk = storedChunk(number)
    segment = chunk
    segmentNumber = number
    segmentStamp = stamp
    return chunk
  }

  var values: [StoredValue] { table.elements(column, row) }

  func value(at position: Int) -> StoredValue {
    read(position) { $0.storedValue($1, source.type, target: source.target) }
  }

  func mixedView(at position: Int) -> MixedView? {
    guard source.type == .mixed else { return nil }
    return read(position) { $0.isNull($1) ? nil : $0.bytes($1).map { MixedView($0) } }
  }

  func nested(at position: Int, _ kind: CollectionKind) -> NestedCollection {
    let isMap = self.kind == .map
    let path = NestedPath(mixedView(at: position), at: isMap ? 0 : position)
    return NestedCollection(
      isMap ? .entry(self, key: key(at: position)) : .element(self, position: position), path, kind: kind)
  }

  /// Where the list or dictionary with an identity is among the elements, for the reader that is inside. Looks first near
  /// a position.
  func position(ofNested identity: UInt64, near position: Int) -> Int? {
    func isThere(_ position: Int) -> Bool { mixedView(at: position)?.identity(at: position) == identity }
    let count = count
    var below = min(position, count - 1)
    var above = below + 1
    while below >= 0 || above < count {
      if below >= 0 {
        if isThere(below) { return below }
        below -= 1
      }
      if above < count {
        if isThere(above) { return above }
        above += 1
      }
    }
    return nil
  }

  /// An element, with all checks.
  @inline(__always)
  func checkedElement<Element: RealmCollectionValue>(at position: Int) -> Element {
    checkAccess()
    realm.pause(at: position)
    position.checkPosition(below: count)
    if source.type == .mixed { return mixedElement(at: position) }
    return read(position) { Element._rlmElement($0, $1, source) }
  }

  func key(at position: Int) -> String { table.key(column, row, at: position) }

  func isSameCollection(_ other: any CollectionBacking) -> Bool {
    guard let other = other.stored else { return false }
    return realm === other.realm && table.state == other.table.state && column == other.column
      && row == other.row
  }

  // MARK: Writing

  func insert(_ value: StoredValue, at position: Int) {
    table.insertElement(column, row, at: position, value)
  }
  func insert(_ values: [StoredValue], at position: Int) {
    table.insertElements(column, row, at: position, values)
  }
  func replace(at position: Int, _ value: StoredValue) {
    table.replaceElement(column, row, at: position, value)
  }
  func remove(_ range: Range<Int>) { table.removeElements(column, row, range) }
  func move(from: Int, to: Int) { table.moveElement(column, row, from: from, to: to) }
  func swap(_ first: Int, _ second: Int) { table.swapElements(column, row, first, second) }
  func setValue(_ value: StoredValue, key: String) {
    let found = position(ofKey: key)
    if found.isFound {
      table.replaceElement(column, row, at: found.position, value)
    } else {
      table.setMapValue(column, row, key: key, value)
    }
  }
}

// A set, or the entries of a map.
extension StoredCollection {
  /// The position of a set's element.
  func position<Element: RealmCollectionValue>(of element: Element) -> Int? {
    guard let value = element._rlmSearchValue(realm) else { return nil }
    let found = position(ofElement: value)
    return found.isFound ? found.position : nil
  }

  /// Inserts an element into a set unless it is there.
  func insertIntoSet(_ value: StoredValue) {
    let found = position(ofElement: value)
    if !found.isFound { table.insertElement(column, row, at: found.position, value) }
  }

  /// Inserts those of the elements into a set that are not there.
  func insertIntoSet(_ values: [StoredValue]) { table.insertIntoSet(column, row, values) }
}
