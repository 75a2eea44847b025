// Changing collections. Every function needs an open write transaction; values must be of the column's type,
// positions within bounds. Backlinks are kept, and embedded objects that leave a collection are deleted.
extension Table {
  private var description: TableDescription { snapshot.catalogue.tables[number] }

  private func changes(_ column: Int, _ row: Int) -> CollectionChanges {
    let key = CollectionKey(table: number, column: column, row: row)
    return writer.withCollectionChanges(key) { $0 }
  }

  private func setCount(_ column: Int, _ row: Int, _ count: Int) {
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setInteger(index, Int64(count))
    wide.markWritten(index)
    state.pointee.shared.pointee.contentStamp &+= 1
  }

  private func set(_ changes: CollectionChanges, _ column: Int, _ row: Int, _ position: Int, _ value: Value) {
    if changes.notesElements { noteTouched(changes, column, row, position, value) }
    store(changes, column, row, position, value)
  }

  private func store(_ changes: CollectionChanges, _ column: Int, _ row: Int, _ position: Int, _ value: Value)
  {
    let roles = state.pointee.roles[column]
    if roles & ColumnRole.isMixed != 0 {
      changes.setMixed(position, value)
    } else {
      changes.set(.values, position, value)
    }
    if roles & (ColumnRole.isLink | ColumnRole.isMixed) != 0 {
      writer.addBacklink(from: row, of: number, column: column, to: value)
    }
  }

  /// Forgets the links of an element that is about to go; returns the embedded row that loses its parent.
  private func releaseLinks(_ column: Int, _ row: Int, at position: Int) -> (table: Int, row: Int)? {
    guard state.pointee.roles[column] & (ColumnRole.isLink | ColumnRole.isMixed) != 0 else { return nil }
    let old = element(column, row, at: position)
    writer.removeBacklink(from: row, of: number, column: column, to: old)
    guard case .link(let target, let child) = old, snapshot.catalogue.tables[target].isEmbedded else {
      return nil
    }
    return (target, child)
  }

  private func releaseEmbedded(_ child: (table: Int, row: Int)?, from row: Int) {
    if let child { writer.releaseEmbedded(table: child.table, row: child.row, from: (number, row)) }
  }

  // MARK: Lists

  /// Inserts an element into a list.
  package func insertElement(_ column: Int, _ row: Int, at position: Int, _ value: Value) {
    let changes = changes(column, row)
    changes.makeRoom(at: position, count: 1)
    setCount(column, row, changes.count)
    set(changes, column, row, position, value)
  }

  /// Appends a link to a list; what `insertElement` does, in a fraction of the time.
  package func appendLink(_ column: Int, _ row: Int, _ target: Int) {
    state.pointee.snapshot._withUnsafeGuaranteedRef { snapshot in
      let key = CollectionKey(table: number, column: column, row: row)
      let count = Writer(snapshot).withCollectionChanges(key) { $0.append(Int64(target)) }
      setCount(column, row, count)
      Writer(snapshot).withChanges(ofIndex: IndexNumber.backlinks(table: number, column: column)) {
        $0.insert(integer: UInt64(target), row: row)
      }
    }
  }

  /// Appends an element to a list.
  package func appendElement(_ column: Int, _ row: Int, _ value: Value) {
    if case .link(_, let target) = value, state.pointee.roles[column] & ColumnRole.isLink != 0 {
      return appendLink(column, row, target)
    }
    insertElement(column, row, at: count(column, row), value)
  }

  /// Inserts several elements into a list; the elements behind them move once.
  package func insertElements(_ column: Int, _ row: Int, at position: Int, _ values: [Value]) {
    if values.isEmpty { return }
    let changes = changes(column, row)
    changes.makeRoom(at: position, count: values.count)
    setCount(column, row, changes.count)
    for (offset, value) in values.enumerated() { set(changes, column, row, position + offset, value) }
  }

  /// Replaces an element of a list, or the value of a map's entry.
  package func replaceElement(_ column: Int, _ row: Int, at position: Int, _ value: Value) {
    let changes = changes(column, row)
    if case .link(_, let new) = value, case .link(_, let old) = element(column, row, at: position),
      new == old,
      state.pointee.roles[column] & ColumnRole.isLink != 0
    {
      if changes.notesElements { noteTouched(changes, column, row, position, value) }
      changes.set(.values, position, value)
      setCount(column, row, changes.count)
      return
    }
    let child = releaseLinks(column, row, at: position)
    set(changes, column, row, position, value)
    setCount(column, row, changes.count)
    releaseEmbedded(child, from: row)
  }

  /// Removes elements of a list, a set or entries of a map.
  package func removeElements(_ column: Int, _ row: Int, _ range: Range<Int>) {
    if range.isEmpty { return }
    let changes = changes(column, row)
    var children: [(table: Int, row: Int)] = []
    if changes.notesElements { noteRemoved(changes, column, row, range) }
    for position in range {
      if let child = releaseLinks(column, row, at: position) { children.append(child) }
    }
    changes.remove(at: range.lowerBound, count: range.count)
    setCount(column, row, changes.count)
    for child in children { releaseEmbedded(child, from: row) }
  }

  package func removeAllElements(_ column: Int, _ row: Int) {
    removeElements(column, row, 0..<count(column, row))
  }

  /// Moves an element of a list, so that it is at `target` afterwards.
  package func moveElement(_ column: Int, _ row: Int, from source: Int, to target: Int) {
    let changes = changes(column, row)
    let moved = movedElement(changes, column, row, at: source)
    changes.remove(at: source, count: 1)
    changes.makeRoom(at: target, count: 1)
    set(moved, changes, target)
    setCount(column, row, changes.count)
  }

  /// Exchanges two elements of a list.
  package func swapElements(_ column: Int, _ row: Int, _ first: Int, _ second: Int) {
    let changes = changes(column, row)
    let (a, b) =
      (movedElement(changes, column, row, at: first), movedElement(changes, column, row, at: second))
    set(b, changes, first)
    set(a, changes, second)
    setCount(column, row, changes.count)
  }

  /// An element that gets another position, and stays what it is.
  private enum MovedElement {
    case value(Value)
    /// With all identities.
    case mixed([UInt8]?)
  }

  private func movedElement(
    _ changes: CollectionChanges, _ column: Int, _ row: Int, at position: Int
  ) -> MovedElement {
    state.pointee.roles[column] & ColumnRole.isMixed != 0
      ? .mixed(changes.movedMixedBytes(position)) : .value(element(column, row, at: position))
  }

  /// Sets an element that was in the collection before, so that its links stay as they are.
  private func set(_ moved: MovedElement, _ changes: CollectionChanges, _ position: Int) {
    switch moved {
    case .value(let value): changes.set(.values, position, value)
    case .mixed(let bytes): changes.setMixed(position, bytes: bytes)
    }
  }

  // MARK: Collections inside mixed elements

  /// Changes a list or dictionary inside an element of a list, or inside the value of a map's entry. All other collections in
  /// the element keep their identities.
  ///
  /// - Parameter ranges: As `MixedView.bytes(changing:_:identifiedBy:)` takes them.
  package func changeElement(
    _ column: Int, _ row: Int, at position: Int, _ ranges: [Range<Int>], _ change: NestedChange
  ) {
    let changes = changes(column, row)
    guard let stored = changes.mixedBytes(position),
      let changed = stored.withUnsafeBytes({
        MixedView($0).bytes(changing: ranges, change) { writer.transaction.makeIdentity() }
      })
    else { return }
    let value = changed.withUnsafeBytes { Value(mixed: $0) }
    if changes.notesElements { noteTouched(changes, column, row, position, value) }
    replaceKeepingIdentities(changes, column, row, position, value, changed)
  }

  private func replaceKeepingIdentities(
    _ changes: CollectionChanges, _ column: Int, _ row: Int, _ position: Int, _ value: Value,
    _ bytes: [UInt8]?
  ) {
    writer.removeBacklink(from: row, of: number, column: column, to: element(column, row, at: position))
    changes.setMixed(position, bytes: bytes)
    writer.addBacklink(from: row, of: number, column: column, to: value)
    setCount(column, row, changes.count)
  }

  // MARK: Sets

  /// Inserts an element into a set. Returns whether it was not there.
  @discardableResult
  package func insertIntoSet(_ column: Int, _ row: Int, _ value: Value) -> Bool {
    let (position, isFound) = position(column, row, ofElement: value)
    if isFound { return false }
    insertElement(column, row, at: position, value)
    return true
  }

  /// Inserts those of the elements that are not there. Elements of an empty set are put in order first: one by one, each would move
  /// those after it.
  package func insertIntoSet(_ column: Int, _ row: Int, _ values: [Value]) {
    if count(column, row) > 0 {
      for value in values { insertIntoSet(column, row, value) }
      return
    }
    // Of values that are equal without being the same, the first one stays.
    let order = values.indices.sorted { first, second in
      let order = Value.order(values[first], values[second])
      return order == 0 ? first < second : order < 0
    }
    var distinct: [Value] = []
    distinct.reserveCapacity(values.count)
    for index in order {
      if let last = distinct.last, Value.order(last, values[index]) == 0 { continue }
      distinct.append(values[index])
    }
    insertElements(column, row, at: 0, distinct)
  }

  // MARK: Maps

  /// Sets the value of a map's key.
  package func setMapValue(_ column: Int, _ row: Int, key: String, _ value: Value) {
    let (position, isFound) = position(column, row, ofKey: key)
    if isFound { return replaceElement(column, row, at: position, value) }
    let changes = changes(column, row)
    changes.makeRoom(at: position, count: 1)
    setCount(column, row, changes.count)
    changes.set(.keys, position, .string(key))
    set(changes, column, row, position, value)
  }

  // MARK: Links to a row that disappears

  /// Removes all links of one value to a row: a link becomes null, a list or set loses the elements, a map's
  /// values become null.
  func removeLinks(_ column: Int, _ row: Int, to link: Value) {
    guard case .link(let table, let target) = link else { return }
    let description = description.columns[column]
    switch description.collection {
    case .none:
      // An embedded object that is deleted is a part of its parent, which is written thereby.
      let isSevered = !snapshot.catalogue.tables[table].isEmbedded && isUnwritten(column, row)
      if description.type == .mixed {
        removeMixedLinks(column, row, table: table, target: target)
      } else {
        writer.removeBacklink(from: row, of: number, column: column, to: link)
        setRawNull(column, row)
      }
      if isSevered { noteSevered(column, row) }
    case .map:
      for position in 0..<count(column, row) {
        let old = element(column, row, at: position)
        let new = old.removingLinks(table: table, row: target)
        if new != old { sever(column, row, position, old, new) }
      }
    case .list where description.type == .link, .set where description.type == .link:
      for position in positions(column, row, ofRow: target).reversed() {
        writer.removeBacklink(from: row, of: number, column: column, to: link)
        sever(column, row, position, link)
      }
    case .list, .set:
      for position in (0..<count(column, row)).reversed() {
        let old = element(column, row, at: position)
        // A null in its place would break the order of a set.
        if old == link && description.collection == .set {
          writer.removeBacklink(from: row, of: number, column: column, to: old)
          sever(column, row, position, link)
        } else {
          let new = old.removingLinks(table: table, row: target)
          if new != old { sever(column, row, position, old, new) }
        }
      }
    }
  }

  /// Where a list or set of links has a row, ascending. Looks at the numbers only: this runs for every deleted row.
  private func positions(_ column: Int, _ row: Int, ofRow target: Int) -> [Int] {
    var positions: [Int] = []
    collection(column, row).forEachInteger { number, position in
      if number == Int64(target) { positions.append(position) }
    }
    return positions
  }

  private func isEmbedded(_ link: Value) -> Bool {
    guard case .link(let table, _) = link else { return false }
    return snapshot.catalogue.tables[table].isEmbedded
  }

  /// Removes an element because it is a link whose target disappears.
  private func sever(_ column: Int, _ row: Int, _ position: Int, _ link: Value) {
    let changes = changes(column, row)
    if !isEmbedded(link) {
      let isSet = snapshot.catalogue.tables[number].columns[column].collection == .set
      changes.noteSeveredRemoval(at: position, isSet ? link : nil)
    }
    changes.remove(at: position, count: 1)
    setCount(column, row, changes.count)
  }

  /// Replaces an element because a link in it disappears with its target.
  private func sever(_ column: Int, _ row: Int, _ position: Int, _ old: Value, _ new: Value) {
    let changes = changes(column, row)
    let isMap = snapshot.catalogue.tables[number].columns[column].collection == .map
    if changes.notesElements, isEmbedded(old) { noteTouched(changes, column, row, position, new) }
    let isNoted =
      changes.notesElements && !isEmbedded(old)
      && changes.noteSeveredChange(at: position, isMap ? .string(key(column, row, at: position)) : nil)
    if state.pointee.roles[column] & ColumnRole.isMixed != 0 {
      let bytes = changes.mixedBytes(position).map { stored in
        stored.withUnsafeBytes { new.mixedBytes(keepingIdentitiesOf: MixedView($0)) }
      }
      replaceKeepingIdentities(changes, column, row, position, new, new.isNull ? nil : bytes)
    } else {
      writer.removeBacklink(from: row, of: number, column: column, to: old)
      store(changes, column, row, position, new)
      setCount(column, row, changes.count)
    }
    if isNoted && !isMap { changes.noteSeveredModification(at: position) }
  }
}

extension Writer {
  /// Calls the body with the changes of a collection in this transaction, without the cost of another reference.
  @inline(__always)
  func withCollectionChanges<Result>(_ key: CollectionKey, _ body: (CollectionChanges) -> Result) -> Result {
    withTransaction { transaction in
      if let last = transaction.lastCollection, transaction.lastCollectionKey == key {
        return last._withUnsafeGuaranteedRef(body)
      }
      return body(collectionChanges(key, transaction))
    }
  }

  @inline(never)
  private func collectionChanges(_ key: CollectionKey, _ transaction: WriteTransaction) -> CollectionChanges {
    let table = snapshot.table(key.table)
    let changes =
      transaction.collections[key]
      ?? CollectionChanges(
        key, description: snapshot.catalogue.tables[key.table].columns[key.column],
        count: table.count(key.column, key.row), isTracked: key.row < table.state.pointee.firstNewRow,
        notesElements: snapshot.catalogue.isSynced, source: snapshot, shared: snapshot.shared,
        transaction: transaction)
    transaction.collections[key] = changes
    transaction.lastCollection = .passUnretained(changes)
    transaction.lastCollectionKey = key
    return changes
  }
}
