import Storage

// Lists: what the program has changed becomes operations on elements, which are sent; what the server has is written back.
extension SyncClient {
  /// Composes what the program has changed, so that a push sends it.
  func composeListsBeforePush() throws {
    while !lists.isEmpty {
      try scanLists()
      if !lists.needsComposition || state.history.isEmpty || state.place != place { return }
      do {
        return try write { _ in }
      } catch is StateConflict {
        // The other process has composed it, or part of it.
        try refresh()
      }
    }
  }

  /// Takes note of what the program has changed up to the version of the snapshot.
  func scanLists() throws {
    if lists.isEmpty { return }
    let pending = try pending()
    try lists.scan(snapshot, state) { pending.creation(table: $0, row: $1) }
  }

  /// Composes what the program has changed, in the sync transaction that is open. Before the first contact it is not known how the
  /// stamps are corrected, and which numbers elements get; a copy is registered under a number of its own, or takes one over.
  func composeLists(_ transaction: WriteTransaction) throws {
    if lists.isEmpty || state.client == 0 || state.history.isEmpty || state.place != place { return }
    try scanLists()
    try lists.compose(snapshot, transaction, client: state.client, logBound: state.logBound) { list, row in
      listValues(list, row).map { list.kept($0) }
    }
  }

  /// The values that the program sees, as the server has them.
  private func listValues(_ list: LocalList, _ row: Int) -> [Value] {
    snapshot.table(list.table).elements(list.column, row).map { list.serverValue($0, in: snapshot) }
  }

  /// An element as the server has it, or will have it.
  struct ServerElement {
    var number: Int64
    var key: PositionKey
    var value: Value
  }

  /// Returns the elements of a list as the server has them, or will have them. Visible elements whose values the program has removed are
  /// not among them.
  func serverElements(_ synced: SyncedList, _ list: LocalList, _ row: Int) -> [ServerElement] {
    let values = listValues(list, row)
    var next = 0
    return synced.elements.compactMap { element in
      var value = element.value.key
      if element.isVisible {
        if next == values.count { return nil }
        value = element.value.linking ?? values[next]
        next += 1
      }
      return ServerElement(number: element.number, key: element.key, value: value)
    }
  }

  // MARK: Up

  /// Sends the operations of a class that the server does not have, into the inputs of its lists.
  ///
  /// - Returns: The owners of elements that PostgreSQL cannot store.
  func sendLists(classNumber: Int, _ connection: any ServerConnection) throws -> [UnsentRow] {
    let localClass = classes[classNumber]
    let pending = lists.pending(table: localClass.table, after: state.acknowledged)
    if pending.isEmpty { return [] }
    var unsent: [UnsentRow] = []
    for list in lists.lists where list.table == localClass.table {
      let keys = pending.filter {
        $0.column == list.column && snapshot.isAlive(table: $0.table, row: $0.row)
      }
      if keys.isEmpty { continue }
      let names = ServerNames(schema: schema, className: list.className, collection: list.name)
      try connection.query("select \(names.stage)()")
      let input = ElementInput(
        keyType: model.classes[classNumber].key.type, types: [.bigint, .bytea, list.type], stampCount: 2,
        property: list.name
      ) { body in
        for key in keys { try self.forEachOperation(list, key, localClass, body) }
      }
      unsent += try connection.copyIn(
        "copy \(names.input) (_op, owner, _el, _key, value, _ks, _vs) from stdin (format binary)", input)
    }
    return unsent
  }

  /// Calls the body with what the server does not have of a list, ordered by the numbers of the elements.
  func forEachOperation(
    _ list: LocalList, _ key: CollectionKey, _ localClass: LocalClass,
    _ body: (ElementInput.Row) throws -> Void
  ) throws {
    let synced = try lists.read(key, snapshot)
    let owner = snapshot.table(key.table).value(localClass.keyColumn, key.row)
    let elements = Dictionary(
      uniqueKeysWithValues: serverElements(synced, list, key.row).map { ($0.number, $0) })
    for (number, operation) in synced.operations.sorted(by: { $0.key < $1.key })
    where operation.version > state.acknowledged {
      let stamps = [operation.positionStamp, operation.valueStamp]
      if operation.kind == .removal {
        try body(
          .init(
            operation: "d", owner: owner, values: [.int(number), .null, .null], stamps: [stamps[0], nil]))
      } else if let element = elements[number] {
        let values: [Value] = [
          .int(number), operation.positionStamp == nil ? .null : .data(element.key.bytes),
          operation.valueStamp == nil ? .null : element.value,
        ]
        let isInsertion = operation.kind(after: state.acknowledged) == .insertion
        try body(
          .init(operation: isInsertion ? "i" : "u", owner: owner, values: values, stamps: stamps))
      }
    }
  }

  // MARK: Down

  /// Reads what the server has of a list.
  ///
  /// - Parameters:
  ///   - reading: Which elements are read.
  ///   - filter: The condition for owners that the subscriptions select; nil when they select all.
  func readList(
    _ list: LocalList, _ reading: ElementReading, filter: String?, _ connection: any ServerConnection
  ) throws -> PulledList {
    guard let syncClass = model[list.className],
      let collection = syncClass.collections.first(where: { $0.column == list.column })
    else { return PulledList() }
    let query = PullListQuery(
      collection, of: syncClass, schema: schema,
      cursor: reading == .changes ? state.cursor : SessionState.emptyCursor, filter: filter)
    var pulled = PulledList()
    func read(_ owners: String, _ elements: String) throws {
      try connection.copyOut(owners, [syncClass.key.type]) { pulled.whole.append($0[0]) }
      try connection.copyOut(elements, query.elementTypes) { fields in
        if var element = query.element(fields) {
          element.value = list.readable(element.value, in: snapshot)
          pulled.elements.append(element)
        }
      }
    }
    if reading == .differences {
      let differing = try differingOwners(
        list, collection, of: syncClass, filter: filter, &pulled.greatestStamp, connection)
      if let differing {
        try read(query.keys(ofOwnersWhere: differing), query.elements(ofOwnersWhere: differing))
      }
    } else {
      try read(query.arrivals, query.elements)
    }
    let again = state.again.filter { $0.className == list.className }.map(\.key.value)
    try again.forEachStatement { try read(query.owners(withKeys: $0), query.elements(ofOwners: $0)) }
    if reading == .changes {
      try connection.copyOut(query.removals, query.removalTypes) { fields in
        if let removal = query.removal(fields) { pulled.removed.append(removal) }
      }
    }
    return pulled
  }

  /// What was read of one list.
  private struct Part {
    var elements: [PulledListElement] = []
    var removed: [RemovedListElement] = []
    var isWhole = false
  }

  /// Applies what was read of lists, in the write transaction that is open and has all objects already. Elements whose targets
  /// came or went appear and disappear.
  ///
  /// - Parameter pending: What is pending at the newest version.
  /// - Returns: The number of lists that were changed, and the greatest stamp.
  func applyLists(
    _ pulled: [PulledList], _ pending: PendingChanges, _ transaction: WriteTransaction
  ) throws -> (changed: Int, greatestStamp: Stamp) {
    var (changed, greatest) = (0, Stamp.never)
    var done: Set<CollectionKey> = []
    for (list, content) in zip(lists.lists, pulled) {
      greatest = max(greatest, content.greatestStamp)
      for element in content.elements {
        greatest = max(greatest, max(element.positionStamp, element.valueStamp))
      }
      for removed in content.removed { greatest = max(greatest, removed.died) }
      for (row, part) in parts(list, content, pending) {
        let key = CollectionKey(table: list.table, column: list.column, row: row)
        done.insert(key)
        if try apply(part, list, key, transaction) { changed += 1 }
      }
    }
    for key in Set(transaction.changedCollections).union(lists.unresolved).subtracting(done).sorted() {
      guard let list = lists.list(key), list.canLink, snapshot.isAlive(table: key.table, row: key.row)
      else { continue }
      if try apply(Part(), list, key, transaction) { changed += 1 }
    }
    return (changed, greatest)
  }

  private func parts(
    _ list: LocalList, _ content: PulledList, _ pending: PendingChanges
  ) -> [Int: Part] {
    guard let localClass = classes.first(where: { $0.name == list.className }) else { return [:] }
    var rows: [IndexKey: Int?] = [:]
    func row(_ owner: Value) -> Int? {
      let key = IndexKey(owner)
      if let known = rows[key] { return known }
      let found = localClass.row(owner, in: snapshot)
      rows[key] = .some(found)
      return found
    }
    var parts: [Int: Part] = [:]
    for owner in content.whole {
      if let row = row(owner) { parts[row, default: Part()].isWhole = true }
    }
    for element in content.elements {
      // The element is that of an object that the file has deleted, and the row is another one with its key.
      if let deletion = pending.deletion(table: list.table, key: IndexKey(element.owner)),
        deletion >= element.creation
      {
        continue
      }
      if let row = row(element.owner) { parts[row, default: Part()].elements.append(element) }
    }
    for removed in content.removed {
      if let row = row(removed.owner) { parts[row, default: Part()].removed.append(removed) }
    }
    return parts
  }

  private func apply(
    _ part: Part, _ list: LocalList, _ key: CollectionKey, _ transaction: WriteTransaction
  ) throws -> Bool {
    let stored = try lists.read(key, snapshot)
    var former = stored
    if lists.progress.isSharing {
      former.adoptInsertions(part.elements, acknowledged: state.acknowledged, isKey: list.isOfLinks)
    }
    var synced = former
    synced.merge(
      part.elements, removed: part.removed, isWhole: part.isWhole, acknowledged: state.acknowledged,
      isKey: list.isOfLinks)
    let isShown =
      list.documents.map { showDocuments(&synced, former, part.elements, list, of: $0, key) }
      ?? show(&synced, former, part.elements, list, key)
    if synced != stored { lists.write(synced, key, transaction) }
    return isShown
  }

  /// Writes the list as its elements say; those whose targets are not here keep their place unseen. Returns whether it was changed.
  private func show(
    _ synced: inout SyncedList, _ former: SyncedList, _ pulled: [PulledListElement], _ list: LocalList,
    _ key: CollectionKey
  ) -> Bool {
    let table = snapshot.table(key.table)
    func targetRow(_ value: ListValue) -> Int? { list.target?.row(value.key, in: snapshot) }
    let shown = former.elements.filter { $0.isVisible && (!list.isOfLinks || targetRow($0.value) != nil) }
    var present = shown.map(\.number)
    var values = table.elements(key.column, key.row)
    if present.count != values.count { (present, values) = ([], []) }
    var known = Dictionary(uniqueKeysWithValues: zip(present, values))
    let formerValues = Dictionary(uniqueKeysWithValues: former.elements.map { ($0.number, $0.value) })
    for element in pulled where !list.isOfLinks {
      let isReadable = element.value.unreadableReason == nil
      let isOld = !isReadable || formerValues[element.number] == list.kept(element.value)
      if known[element.number] == nil || !isOld {
        known[element.number] = isReadable ? element.value : .null
      }
    }
    var wished: [(number: Int64, value: Value)] = []
    for index in synced.elements.indices {
      let element = synced.elements[index]
      var value = known[element.number]
      if let target = list.target {
        value = targetRow(element.value).map { .link(table: target.table, row: $0) }
      } else if let linking = element.value.linking {
        value = list.content.resolve(linking, in: snapshot).value
      } else if let found = value, list.kept(list.content.serverValue(found, in: snapshot)) != element.value {
        // The program's value is the later one.
        value = zip(present, values).first { $0.0 == element.number }?.1
      }
      synced.elements[index].isVisible = value != nil
      if let value { wished.append((element.number, value)) }
    }
    if list.isMixed { synced.noteCompleteness(list, snapshot) }
    return rewrite(table, key, present, values, wished)
  }

  private func rewrite(
    _ table: Table, _ key: CollectionKey, _ present: [Int64], _ values: [Value],
    _ wished: [(number: Int64, value: Value)]
  ) -> Bool {
    var isChanged = false
    let (column, row) = (key.column, key.row)
    if present.count != table.count(column, row) {
      table.removeAllElements(column, row)
      isChanged = true
    }
    let rewriting = ListRewriting(present, wished.map(\.number))
    for range in rewriting.removed.ranges.reversed() { table.removeElements(column, row, range) }
    for range in rewriting.inserted.ranges {
      table.insertElements(column, row, at: range.lowerBound, range.map { wished[$0].value })
    }
    let old = Dictionary(uniqueKeysWithValues: zip(present, values))
    for (position, element) in wished.enumerated() where !rewriting.inserted.contains(position) {
      if old[element.number]?.isExactly(element.value) ?? false { continue }
      table.replaceElement(column, row, at: position, element.value)
      isChanged = true
    }
    return isChanged || !rewriting.removed.isEmpty || !rewriting.inserted.isEmpty
  }
}

extension SyncModel {
  /// The lists of the classes as the realm file has them.
  var localLists: [LocalList] {
    classes.flatMap { syncClass in
      syncClass.collections.filter { $0.kind == .list }.map { collection in
        LocalList(
          className: syncClass.name, name: collection.name, table: syncClass.table,
          column: collection.column, type: collection.element,
          targets: targets(of: collection), documents: collection.documents)
      }
    }
  }
}
