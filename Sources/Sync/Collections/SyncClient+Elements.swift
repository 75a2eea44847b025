import Storage

// Sets and maps, up and down: their elements are sent behind the objects of their class, and received with them.
extension SyncClient {
  /// Sends what is pending of the elements of a class. Returns the owners of elements that PostgreSQL cannot store.
  func sendElements(
    _ pending: PendingChanges, classNumber: Int, _ connection: any ServerConnection
  ) throws -> [UnsentRow] {
    let syncClass = model.classes[classNumber]
    let localClass = classes[classNumber]
    let table = snapshot.table(localClass.table)
    var unsent: [UnsentRow] = []
    for (syncCollection, collection) in zip(syncClass.setsAndMaps, localClass.collections)
    where pending.hasPushedElements(of: collection, in: table, links) {
      let names = ServerNames(
        schema: schema, className: syncClass.name, collection: syncCollection.name)
      try connection.query("select \(names.stage)()")
      let isMap = collection.kind == .map
      let input = ElementInput(
        keyType: syncClass.key.type,
        types: isMap ? [.text, collection.element] : [collection.element],
        stampCount: 1, property: syncCollection.name
      ) { body in
        try pending.forEachPushedElement(of: collection, in: table, self.links) { pushed in
          let element = pushed.element
          let value = pushed.isRemoved ? element.identity : collection.value(of: element)
          try body(
            .init(
              operation: pushed.isRemoved ? "d" : "i",
              owner: table.value(localClass.keyColumn, pushed.row),
              values: isMap ? [element.identity, element.value] : [value],
              stamps: [pushed.stamp], refusal: collection.refusal(of: element)))
        }
      }
      let columns = "_op, owner, \(isMap ? "key, " : "")value, _at"
      unsent += try connection.copyIn(
        "copy \(names.input) (\(columns)) from stdin (format binary)", input)
    }
    return unsent
  }

  /// Finds the objects whose elements are pending, except for those that wait in any case.
  ///
  /// - Parameter note: Is called with the oldest stamp of each object.
  func forEachOwner(
    of pending: PendingChanges, _ localClass: LocalClass, except waiting: WaitingRows,
    _ note: (Stamp) -> Void
  ) {
    var oldest: [Int: Stamp] = [:]
    let table = snapshot.table(localClass.table)
    for collection in localClass.collections {
      pending.forEachPushedElement(of: collection, in: table, links) { pushed in
        oldest[pushed.row] = min(oldest[pushed.row] ?? pushed.stamp, pushed.stamp)
      }
    }
    for (row, stamp) in oldest where !waiting.contains(row) { note(stamp) }
  }

  /// Reads the elements of a class that belong to what has been read of it.
  ///
  /// - Parameters:
  ///   - reading: Which elements are read.
  ///   - filter: The condition for objects that the subscriptions select; nil when they select all.
  ///   - again: Keys of objects whose elements are all read.
  func readElements(
    into pulled: inout PulledClass, classNumber: Int, _ reading: ElementReading, filter: String?,
    again: [Value], _ connection: any ServerConnection
  ) throws {
    let syncClass = model.classes[classNumber]
    var arrived: Set<ExactValue>?
    for (index, collection) in syncClass.setsAndMaps.enumerated() {
      let cursor = reading == .changes ? state.cursor : SessionState.emptyCursor
      let query = ElementQuery(syncClass, collection, schema: schema, cursor: cursor, filter: filter)
      let local = classes[classNumber].collections[index]
      var found = PulledElements()
      func read(_ elements: String) throws {
        try connection.copyOut(elements, query.types) {
          found.add(query.element($0).readable(local, in: snapshot))
        }
      }
      func readOwners(_ owners: String) throws {
        try connection.copyOut(owners, [syncClass.key.type]) { found.wholeOwners.insert(ExactValue($0[0])) }
      }
      switch reading {
      case .differences:
        let differing = try differingOwners(
          classNumber: classNumber, index, filter: filter, &pulled.greatestStamp, connection)
        if let differing {
          try readOwners(query.keys(ofOwnersWhere: differing))
          try read(query.elements(ofOwnersWhere: differing))
        }
      case .everything, .changes:
        found.isAll = reading == .everything && filter == nil
        if !found.isAll {
          // All collections of the class have the same arrivals.
          if let arrived { found.wholeOwners = arrived } else { try readOwners(query.arrivals) }
          arrived = found.wholeOwners
        }
        try read(query.elements)
      }
      if !again.isEmpty && !found.isAll {
        found.wholeOwners.formUnion(again.map { ExactValue($0) })
        try again.forEachStatement { try read(query.elements(ofOwners: $0)) }
      }
      if reading == .changes {
        try connection.copyOut(query.removals, query.removalTypes) {
          var removal = query.removal($0)
          guard let identity = local.readableIdentity(removal.element.identity) else { return }
          removal.element.identity = identity
          found.remove(removal)
        }
      }
      pulled.elements.append(found)
    }
  }

  /// Finds the owners whose sets or maps may not be as the file has them. Returns the condition for them, on the alias `t`; nil if there
  /// are none.
  ///
  /// - Parameter index: The position of the collection among the sets and maps of the class.
  private func differingOwners(
    classNumber: Int, _ index: Int, filter: String?, _ greatestStamp: inout Stamp,
    _ connection: any ServerConnection
  ) throws -> String? {
    let (syncClass, localClass) = (model.classes[classNumber], classes[classNumber])
    let (syncCollection, collection) = (syncClass.setsAndMaps[index], localClass.collections[index])
    let table = snapshot.table(localClass.table)
    var count = 0
    table.forEachRow { count += table.count(collection.column, $0) }
    var comparison = ElementComparison(syncCollection, keyType: syncClass.key.type, elementCount: count)
    table.forEachRow { row in
      let elements = RowElements(collection, row: row, in: table, links).all
      if elements.isEmpty { return }
      comparison.add(
        owner: table.value(localClass.keyColumn, row),
        elements.map { element in
          // The number 1 of a set of mixed values may be an int here and a double there.
          collection.kind == .map
            ? [element.identity, element.value] : [collection.isMixedSet ? element.value : element.identity]
        })
    }
    let audit = ElementAuditQuery(syncCollection, of: syncClass, schema: schema, filter: filter, comparison)
    return try differingOwners(comparison, audit, &greatestStamp, connection)
  }
}

/// Which elements of a class a pull reads.
enum ElementReading {
  /// Elements that have changed since the cursor of the file, and all elements of objects that have arrived since then.
  case changes
  /// All elements.
  case everything
  /// All elements of groups of owners that are not as the file has them.
  case differences
}
