import Storage

/// The statements with which a pull reads the elements of one collection.
struct ElementQuery {
  private let syncClass: SyncClass
  private let collection: SyncCollection
  private let owners: String
  private let names: ServerNames
  private let key: String
  private let cursor: PullCursor

  /// - Parameter filter: The condition for owners that the subscriptions select, on the alias `t`; nil when they select all.
  init(
    _ syncClass: SyncClass, _ collection: SyncCollection, schema: String, cursor: String, filter: String?
  ) {
    self.syncClass = syncClass
    self.collection = collection
    owners = ServerNames(schema: schema, className: syncClass.name).table
    names = ServerNames(schema: schema, className: syncClass.name, collection: collection.name)
    key = "t." + SQLText.identifier(syncClass.key.name)
    self.cursor = PullCursor(cursor, filter: filter)
  }

  private var identity: String { "e." + SQLText.identifier(collection.identity) }

  private var columns: String {
    "e.owner, t._at, \(identity), \(collection.hasValues ? "e.value, " : "")e._at"
  }

  /// The types of the columns of `elements`.
  var types: [ServerType] {
    [syncClass.key.type, .bigint] + [collection.identityType]
      + (collection.hasValues ? [collection.element] : [])
      + [.bigint]
  }

  /// The elements that the snapshot of the cursor did not show as they are now, and all of objects that it did not show.
  var elements: String {
    let changed = "select \(columns) from \(names.table) e join \(owners) t on \(key) = e.owner"
    // Two statements: each finds its rows by an index.
    return
      "copy (\(changed) where \(cursor.changed("e._rx"))\(cursor.andIsSelected) union all select \(columns) from \(owners) t "
      + "join \(names.table) e on e.owner = \(key) where \(hasArrived) "
      + "and not (\(cursor.changed("e._rx")))) to stdout (format binary)"
  }

  /// All elements of some objects, also of those that the subscriptions do not select.
  func elements(ofOwners keys: [Value]) -> String {
    "copy (select \(columns) from \(names.table) e join \(owners) t on \(key) = e.owner "
      + "where e.owner in (\(KeyText.literals(keys, syncClass.key.type)))) to stdout (format binary)"
  }

  /// All elements of the owners that satisfy a condition on the alias `t`, and that the subscriptions select.
  func elements(ofOwnersWhere condition: String) -> String {
    "copy (select \(columns) from \(names.table) e join \(owners) t on \(key) = e.owner "
      + "where \(condition)\(cursor.andIsSelected)) to stdout (format binary)"
  }

  /// The removals since the snapshot of the cursor.
  var removals: String {
    "copy (select e.owner, t._at, \(identity), e._died from \(names.departures) e "
      + "join \(owners) t on \(key) = e.owner where \(cursor.changed("e._rx"))\(cursor.andIsSelected)) "
      + "to stdout (format binary)"
  }

  /// The types of the columns of `removals`.
  var removalTypes: [ServerType] {
    [syncClass.key.type, .bigint, collection.identityType, .bigint]
  }

  /// The keys of the objects that the snapshot of the cursor did not show, or showed elsewhere.
  var arrivals: String { keys(ofOwnersWhere: "\(cursor.changed("t._rx")) and \(cursor.changed("t._rin"))") }

  /// The keys of the owners that satisfy a condition on the alias `t`, and that the subscriptions select.
  func keys(ofOwnersWhere condition: String) -> String {
    "copy (select \(key) from \(owners) t where \(condition)\(cursor.andIsSelected)) to stdout (format binary)"
  }

  private var hasArrived: String {
    cursor.changed("t._rx") + " and " + cursor.changed("t._rin") + cursor.andIsSelected
  }

  /// Reads a row of `elements`.
  func element(_ fields: [Value]) -> PulledElement {
    PulledElement(
      owner: fields[0], creation: fields[1].elementStamp,
      element: CollectionElement(identity: fields[2], value: collection.hasValues ? fields[3] : .null),
      stamp: fields[collection.hasValues ? 4 : 3].elementStamp)
  }

  /// Reads a row of `removals`.
  func removal(_ fields: [Value]) -> PulledElement {
    PulledElement(
      owner: fields[0], creation: fields[1].elementStamp,
      element: CollectionElement(identity: fields[2], value: .null), stamp: fields[3].elementStamp)
  }
}

extension Value {
  fileprivate var elementStamp: Stamp {
    if case .int(let number) = self { Stamp(rawValue: number) } else { .never }
  }
}
