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
  ///   - isWhole: Whether all elements of the objects that are selected are read.
  ///   - filter: The condition for objects that the subscriptions select; nil when they select all.
  ///   - again: Keys of objects whose elements are all read.
  func readElements(
    into pulled: inout PulledClass, classNumber: Int, isWhole: Bool, filter: String?, again: [Value],
    _ connection: any ServerConnection
  ) throws {
    let syncClass = model.classes[classNumber]
    let collections = syncClass.setsAndMaps
    if collections.isEmpty { return }
    pulled.hasAllElements = isWhole && filter == nil
    pulled.wholeOwners = Set(again.map { ExactValue($0) })
    pulled.elements = collections.map { _ in PulledElements() }
    let queries = collections.map {
      ElementQuery(
        syncClass, $0, schema: schema, cursor: isWhole ? SessionState.emptyCursor : state.cursor,
        filter: filter)
    }
    if !pulled.hasAllElements {
      try connection.copyOut(queries[0].arrivals, [syncClass.key.type]) {
        pulled.wholeOwners.insert(ExactValue($0[0]))
      }
    }
    for (index, query) in queries.enumerated() {
      let collection = classes[classNumber].collections[index]
      try connection.copyOut(query.elements, query.types) {
        pulled.elements[index].add(query.element($0).readable(collection, in: snapshot))
      }
      if !again.isEmpty && !pulled.hasAllElements {
        try again.forEachStatement { keys in
          try connection.copyOut(query.elements(ofOwners: keys), query.types) {
            pulled.elements[index].add(query.element($0).readable(collection, in: snapshot))
          }
        }
      }
      if isWhole { continue }
      try connection.copyOut(query.removals, query.removalTypes) {
        var removal = query.removal($0)
        removal.element.identity = collection.typedIdentity(removal.element.identity)
        pulled.elements[index].remove(removal)
      }
    }
  }
}
