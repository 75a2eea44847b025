package import Storage

/// The statements with which a pull reads the elements of a list.
package struct PullListQuery {
  private let collection: SyncCollection
  private let key: SyncProperty
  private let owners: String
  private let names: ServerNames
  private let cursor: String
  /// The owners that are read as a whole, whatever they have changed.
  private let again: String

  /// - Parameters:
  ///   - cursor: The snapshot whose rows the file has.
  ///   - again: The keys of owners that are read as a whole.
  package init(
    _ collection: SyncCollection, of syncClass: SyncClass, schema: String, cursor: String, again: [Value]
  ) {
    self.collection = collection
    key = syncClass.key
    owners = ServerNames(schema: schema, className: syncClass.name).table
    names = ServerNames(schema: schema, className: syncClass.name, collection: collection.name)
    self.cursor = "\(SQLText.literal(cursor))::pg_snapshot"
    let list = again.map { KeyText.literal($0, syncClass.key.type) }.joined(separator: ", ")
    self.again = again.isEmpty ? "" : " or p.\(SQLText.identifier(syncClass.key.name)) in (\(list))"
  }

  private func changed(_ column: String) -> String {
    "\(column) >= pg_snapshot_xmin(\(cursor)) and not pg_visible_in_snapshot(\(column), \(cursor))"
  }

  private var join: String { "join \(owners) p on p.\(SQLText.identifier(key.name)) = e.owner" }

  /// The owners that came in, and those that are read again.
  private var isWhole: String { "\(changed("p._rx")) and \(changed("p._rin"))\(again)" }

  /// The elements that have changed, and all of the owners that are read as a whole.
  package var elements: String {
    "copy (select e.owner, e._el, e._key, e.value, e._ks, e._vs from \(names.table) e \(join) where "
      + "\(changed("e._rx")) or \(isWhole)) to stdout (format binary)"
  }

  package var elementTypes: [ServerType] {
    [key.type, .bigint, .bytea, collection.element, .bigint, .bigint]
  }

  /// The elements that were removed.
  package var removals: String {
    "copy (select e.owner, e._el, e._died from \(names.departures) e \(join) where \(changed("e._rx"))) "
      + "to stdout (format binary)"
  }

  package var removalTypes: [ServerType] { [key.type, .bigint, .bigint] }

  /// The keys of the owners whose elements are read as a whole.
  package var wholeOwners: String {
    "copy (select p.\(SQLText.identifier(key.name)) from \(owners) p where \(isWhole)) to stdout (format binary)"
  }

  /// Reads a row of `elements`; nil for one that no client can have made.
  package func element(_ fields: [Value]) -> PulledListElement? {
    guard case .int(let number) = fields[1], case .data(let key) = fields[2],
      case .int(let position) = fields[4],
      case .int(let value) = fields[5]
    else { return nil }
    return PulledListElement(
      owner: fields[0], number: number, key: PositionKey(bytes: key), value: fields[3],
      positionStamp: Stamp(rawValue: position), valueStamp: Stamp(rawValue: value))
  }

  /// Reads a row of `removals`.
  package func removal(_ fields: [Value]) -> RemovedListElement? {
    guard case .int(let number) = fields[1], case .int(let died) = fields[2] else { return nil }
    return RemovedListElement(owner: fields[0], number: number, died: Stamp(rawValue: died))
  }
}
