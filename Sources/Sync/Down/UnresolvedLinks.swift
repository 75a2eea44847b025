package import Storage

/// The links of rows that lead to objects which the file does not have: they are null there, and what they lead to is kept
/// beside the data, in entries of the session. In sets they are missing; of a set or map, the entry has all such elements.
///
/// The server's value of such a property is known therefore: it is not sent as null, and is filled in when the object arrives.
/// The entries are read once. A sync transaction changes them in the file and here, and each such change gives them a new
/// number, by which another process's changes are noticed.
package final class UnresolvedLinks {
  /// A property of a row.
  package struct Place: Hashable, Sendable {
    var table: Int
    var column: Int
    var row: Int
  }

  /// An object that is not in the file.
  struct Target: Hashable {
    var table: Int
    var key: IndexKey
  }

  private struct Entry {
    /// The server's value of the property.
    var value: Value
    var targets: [Target]
  }

  /// The class and the property of a column that can link. For one of embedded objects, both are as their table has them.
  struct Owner {
    var localClass: LocalClass
    var property: LocalProperty
    var isEmbedded: Bool
  }

  /// What a place is for the change log: a property of a row of a synchronised class.
  struct Root {
    var localClass: LocalClass
    var row: Int
    var slot: Int
  }

  private struct ColumnName: Hashable {
    var table: Int
    var column: Int
  }

  private var entries: [Place: Entry] = [:]
  private var places: [Target: Set<Place>] = [:]
  /// Places whose targets are here, and which are not filled in because a write of the property is pending: that would be
  /// cancelled. Also all that were found so in the file.
  private(set) var postponed: Set<Place> = []
  private let owners: [ColumnName: Owner]
  private let collections: [ColumnName: (localClass: LocalClass, collection: LocalCollection)]
  /// The synchronised classes by their tables.
  private let classes: [Int: LocalClass]
  /// For each table, the columns that can link, without sets and maps.
  let columns: [Int: [Int]]
  /// For each table, the columns of sets and maps that can link.
  let collectionColumns: [Int: [Int]]
  /// The columns that can link to a table, with those of sets and maps.
  private let origins: [Int: [ColumnName]]
  private var number: Int64 = -1
  private var isChanged = false
  /// What the change log says that is not in the entries yet.
  var notes = LinkNotes(after: 0)

  package init(_ classes: [LocalClass], _ catalogue: Catalogue) {
    var owners: [ColumnName: Owner] = [:]
    var origins: [Int: [ColumnName]] = [:]
    var columns: [Int: [Int]] = [:]
    for localClass in classes {
      for property in localClass.properties where property.canLink {
        var owner = Owner(localClass: localClass, property: property, isEmbedded: false)
        if let place = property.embedded {
          let table = place.path.reduce(localClass.table) { catalogue.tables[$0].columns[$1].target }
          owner = Owner(
            localClass: LocalClass(name: localClass.name, table: table, keyColumn: -1, properties: []),
            property: property.inItsTable, isEmbedded: true)
        }
        let name = ColumnName(table: owner.localClass.table, column: property.column)
        // Several properties may hold objects of one embedded class.
        guard owners.updateValue(owner, forKey: name) == nil else { continue }
        columns[name.table, default: []].append(name.column)
        for target in property.targets { origins[target.table, default: []].append(name) }
      }
    }
    var collections: [ColumnName: (localClass: LocalClass, collection: LocalCollection)] = [:]
    var collectionColumns: [Int: [Int]] = [:]
    for localClass in classes {
      for collection in localClass.collections where collection.canLink {
        let name = ColumnName(table: localClass.table, column: collection.column)
        collections[name] = (localClass, collection)
        collectionColumns[name.table, default: []].append(name.column)
        for target in collection.targets { origins[target.table, default: []].append(name) }
      }
    }
    (self.owners, self.origins, self.columns) = (owners, origins, columns)
    (self.collections, self.collectionColumns) = (collections, collectionColumns)
    self.classes = Dictionary(uniqueKeysWithValues: classes.map { ($0.table, $0) })
  }

  /// The synchronised object and the slot that a place belongs to; nil when it belongs to none any more.
  func root(of place: Place, in snapshot: Snapshot) -> Root? {
    guard let owner = owner(place) else { return nil }
    if !owner.isEmbedded {
      return Root(localClass: owner.localClass, row: place.row, slot: owner.property.slot)
    }
    let found = EmbeddedParents(snapshot).owner(of: place.row, table: place.table)
    guard let found, let localClass = classes[found.table],
      let slot = localClass.embedded[found.path + [place.column]].first
    else { return nil }
    return Root(localClass: localClass, row: found.row, slot: slot)
  }

  /// Whether a class has properties that can link.
  var isUsed: Bool { !owners.isEmpty || !collections.isEmpty }
  package var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// The server's value of a property whose links are not all resolved.
  subscript(place: Place) -> Value? { entries.isEmpty ? nil : entries[place]?.value }

  func owner(_ place: Place) -> Owner? { owners[ColumnName(table: place.table, column: place.column)] }

  /// The class and the set or map of a place; nil for the place of a single value.
  func collection(_ place: Place) -> (localClass: LocalClass, collection: LocalCollection)? {
    collections[ColumnName(table: place.table, column: place.column)]
  }

  /// How the values of a place are read.
  private func content(_ place: Place) -> LocalProperty? {
    owner(place)?.property ?? collection(place)?.collection.content
  }

  /// The places that wait for an object.
  func places(waitingFor table: Int, _ key: Value) -> [Place] {
    if places.isEmpty { return [] }
    return places[Target(table: table, key: IndexKey(key))].map { Array($0) } ?? []
  }

  /// The rows that link to a row, with the columns by which they do, those of sets and maps included.
  func places(linkingTo row: Int, of table: Int, in snapshot: Snapshot) -> [Place] {
    var found: [Place] = []
    for name in origins[table] ?? [] where snapshot.mayHaveBacklinks(from: name.table, column: name.column) {
      var previous = -1
      for source in snapshot.backlinks(to: row, of: table, from: name.table, column: name.column)
      where source != previous {
        previous = source
        if name.table != table || source != row {
          found.append(Place(table: name.table, column: name.column, row: source))
        }
      }
    }
    return found
  }

  /// Returns entries of the change log with the keys of targets in the place of rows in sets.
  func keyed(_ entries: [SyncEntry], in snapshot: Snapshot) -> [SyncEntry] {
    if collections.isEmpty { return entries }
    var keys = LinkedElementKeys(Array(classes.values), snapshot)
    return keys.keyed(entries)
  }

  // MARK: Changes, in the write transaction that is open

  /// Keeps the server's value of a property beside the data. Does nothing when the value cannot be written down: then it is one
  /// that the server has not got.
  ///
  /// - Precondition: A write transaction is open.
  func set(_ place: Place, _ value: Value, waitingFor targets: [Target], in snapshot: Snapshot) {
    guard let bytes = try? ServerMixed.bytes(of: value) else { return }
    if let present = entries[place], present.value.isExactly(value) { return wait(place, for: targets) }
    // A part of the value may still have to be filled in.
    let isPostponed = postponed.contains(place)
    forget(place)
    remember(place, value, targets)
    postpone(place, isPostponed)
    Writer(snapshot).transaction.setSession(SessionKey(place), bytes)
    isChanged = true
  }

  /// - Precondition: A write transaction is open.
  func remove(_ place: Place, in snapshot: Snapshot) {
    if entries.isEmpty || entries[place] == nil { return }
    forget(place)
    Writer(snapshot).transaction.setSession(SessionKey(place), nil)
    isChanged = true
  }

  /// Removes what is kept of a row that is deleted.
  func removeAll(ofRow row: Int, table: Int, in snapshot: Snapshot) {
    if entries.isEmpty { return }
    for column in (columns[table] ?? []) + (collectionColumns[table] ?? []) {
      remove(Place(table: table, column: column, row: row), in: snapshot)
    }
  }

  /// Notes whether a place has to be examined again, although none of its targets arrives.
  func postpone(_ place: Place, _ isPostponed: Bool) {
    if isPostponed { postponed.insert(place) } else { postponed.remove(place) }
  }

  /// Notes the objects that a place waits for: one that was here when the value was kept may have been deleted since.
  func wait(_ place: Place, for targets: [Target]) {
    guard let entry = entries[place], entry.targets != targets else { return }
    let isPostponed = postponed.contains(place)
    forget(place)
    remember(place, entry.value, targets)
    postpone(place, isPostponed)
  }

  private func remember(_ place: Place, _ value: Value, _ targets: [Target]) {
    entries[place] = Entry(value: value, targets: targets)
    for target in targets { places[target, default: []].insert(place) }
  }

  private func forget(_ place: Place) {
    postponed.remove(place)
    guard let entry = entries.removeValue(forKey: place) else { return }
    for target in entry.targets {
      places[target]?.remove(place)
      if places[target]?.isEmpty == true { places[target] = nil }
    }
  }

  // MARK: The file

  /// Reads the entries, unless they are those that were read already.
  ///
  /// - Parameter start: The version after which the change log is read in a file that has no entries yet.
  func load(_ snapshot: Snapshot, start: UInt64) throws(StorageError) {
    guard isUsed else { return }
    let header = try Self.header(snapshot) ?? (0, start)
    // A program without links may have let the log be trimmed. What comes to synchronisation again is read as a whole.
    let (number, examined) = (header.0, max(header.1, try snapshot.trimBound() ?? 0))
    if number == self.number {
      // A transaction without such changes may have gone on reading the log.
      if examined > notes.version { notes = LinkNotes(after: examined) }
      return
    }
    (entries, places, postponed) = ([:], [:], [])
    for (key, bytes) in try snapshot.session(of: .unresolvedLinks) where key != .unresolvedHeader {
      let place = Place(table: key.table, column: key.column, row: key.row)
      guard let content = content(place), let value = Self.value(bytes, content) else { continue }
      read(place, value, content, snapshot)
    }
    self.number = number
    isChanged = false
    notes = LinkNotes(after: examined)
  }

  private func read(_ place: Place, _ value: Value, _ content: LocalProperty, _ snapshot: Snapshot) {
    let table = snapshot.table(place.table)
    if let collection = collection(place)?.collection {
      remember(place, value, collection.missingTargets(of: value, in: snapshot))
      let hasAll =
        table.isAlive(place.row)
        && RowElements(collection, row: place.row, in: table, self).hasNothingToFill
      if !hasAll { postponed.insert(place) }
      return
    }
    let (resolved, missing) = content.resolve(value, in: snapshot)
    remember(place, value, missing.compactMap { $0 })
    if !table.isAlive(place.row) || !table.value(place.column, place.row).isExactly(resolved) {
      postponed.insert(place)
    }
  }

  /// Writes how far the change log has been read.
  func finish(_ transaction: WriteTransaction, examined version: UInt64) {
    guard isUsed else { return }
    if isChanged { number += 1 }
    isChanged = false
    notes = LinkNotes(after: version)
    var writer = StateWriter()
    writer.append(number)
    writer.append(Int64(bitPattern: version))
    transaction.setSession(.unresolvedHeader, writer.bytes)
  }

  /// Lets everything be read again: a transaction has been cancelled.
  func forgetAll() { number = -1 }

  private static func header(_ snapshot: Snapshot) throws(StorageError) -> (Int64, UInt64)? {
    guard let bytes = try snapshot.session(.unresolvedHeader) else { return nil }
    var reader = StateReader(bytes)
    guard let number = reader.readInteger(), let examined = reader.readInteger() else { return nil }
    return (number, UInt64(bitPattern: examined))
  }

  /// The server's value of a property, as the file has it; nil when all its links are resolved.
  static func stored(_ place: Place, _ property: LocalProperty, in snapshot: Snapshot) -> Value? {
    (try? snapshot.session(SessionKey(place))).flatMap { value($0, property) }
  }

  private static func value(_ bytes: [UInt8], _ property: LocalProperty) -> Value? {
    let value = bytes.withUnsafeBytes { ServerMixed.value($0) }
    return value.unreadableReason == nil ? property.typed(value) : nil
  }
}

extension SessionKey.Kind {
  static let unresolvedLinks = SessionKey.Kind(rawValue: 17)
}

extension SessionKey {
  /// The number of the last change of the entries, and the version up to which the change log was read for them.
  static let unresolvedHeader = SessionKey(
    .unresolvedLinks, table: Int(UInt32.max), column: Int(UInt32.max))

  init(_ place: UnresolvedLinks.Place) {
    self.init(.unresolvedLinks, table: place.table, column: place.column, row: place.row)
  }
}
