package import Storage

/// The statements with which a pull reads the elements of a list.
package struct PullListQuery {
  private let collection: SyncCollection
  private let key: SyncProperty
  private let owners: String
  private let names: ServerNames
  private let cursor: PullCursor

  /// - Parameters:
  ///   - cursor: The snapshot whose rows the file has.
  ///   - filter: The condition for owners that the subscriptions select, on the alias `t`; nil when they select all.
  package init(
    _ collection: SyncCollection, of syncClass: SyncClass, schema: String, cursor: String,
    filter: String? = nil
  ) {
    self.collection = collection
    key = syncClass.key
    owners = ServerNames(schema: schema, className: syncClass.name).table
    names = ServerNames(schema: schema, className: syncClass.name, collection: collection.name)
    self.cursor = PullCursor(cursor, filter: filter)
  }

  private var ownerKey: String { "t.\(SQLText.identifier(key.name))" }
  private var join: String { "join \(owners) t on \(ownerKey) = e.owner" }

  /// The condition for owners that came in.
  private var hasArrived: String { cursor.changed("t._rx") + " and " + cursor.changed("t._rin") }

  /// The elements that have changed, and all of the owners that came in.
  package var elements: String {
    elements("(\(cursor.changed("e._rx")) or \(hasArrived))\(cursor.andIsSelected)")
  }

  /// All elements of some owners, also of those that the subscriptions do not select.
  package func elements(ofOwners keys: [Value]) -> String {
    elements("e.owner in (\(KeyText.literals(keys, key.type)))")
  }

  /// All elements of the owners that satisfy a condition on the alias `t`, and that the subscriptions select.
  func elements(ofOwnersWhere condition: String) -> String { elements(condition + cursor.andIsSelected) }

  /// The keys of the owners that satisfy a condition on the alias `t`, and that the subscriptions select.
  func keys(ofOwnersWhere condition: String) -> String { keys(condition + cursor.andIsSelected) }

  private func elements(_ condition: String) -> String {
    "copy (select e.owner, t._at, e._el, e._key, e.value, e._ks, e._vs from \(names.table) e \(join) where "
      + "\(condition)) to stdout (format binary)"
  }

  package var elementTypes: [ServerType] {
    [key.type, .bigint, .bigint, .bytea, collection.element, .bigint, .bigint]
  }

  /// The elements that were removed.
  package var removals: String {
    "copy (select e.owner, e._el, e._died from \(names.departures) e \(join) where \(cursor.changed("e._rx"))\(cursor.andIsSelected)) "
      + "to stdout (format binary)"
  }

  package var removalTypes: [ServerType] { [key.type, .bigint, .bigint] }

  /// The keys of the owners that came in.
  package var arrivals: String { keys(hasArrived + cursor.andIsSelected) }

  /// The keys, of some, whose owners are there.
  package func owners(withKeys keys: [Value]) -> String {
    self.keys("\(ownerKey) in (\(KeyText.literals(keys, key.type)))")
  }

  private func keys(_ condition: String) -> String {
    "copy (select \(ownerKey) from \(owners) t where \(condition)) to stdout (format binary)"
  }

  /// Reads a row of `elements`; nil for one that no client can have made.
  package func element(_ fields: [Value]) -> PulledListElement? {
    guard case .int(let creation) = fields[1], case .int(let number) = fields[2],
      case .data(let key) = fields[3], case .int(let position) = fields[5], case .int(let value) = fields[6]
    else { return nil }
    return PulledListElement(
      owner: fields[0], creation: Stamp(rawValue: creation), number: number, key: PositionKey(bytes: key),
      value: fields[4],
      positionStamp: Stamp(rawValue: position), valueStamp: Stamp(rawValue: value))
  }

  /// Reads a row of `removals`.
  package func removal(_ fields: [Value]) -> RemovedListElement? {
    guard case .int(let number) = fields[1], case .int(let died) = fields[2] else { return nil }
    return RemovedListElement(owner: fields[0], number: number, died: Stamp(rawValue: died))
  }
}
