import Storage

extension PullApplication {
  /// Takes the server's value of a counter of an object that the file has. What the server does not have yet stays added. Returns
  /// whether the file's value has changed.
  func merge(counter property: LocalProperty, _ value: Value, _ localClass: LocalClass, row: Int) -> Bool {
    guard case .int(let received) = value,
      case .int(let present) = localClass.value(of: property, row: row, in: snapshot)
    else { return false }
    // What is sent is the whole value, and is received afterwards.
    if pending.rekeyedRows(table: localClass.table).contains(row) { return false }
    let base = bases[localClass.table, property.slot, row]
    let isPending =
      pending.written(table: localClass.table, row: row, slot: property.slot) != nil
      || pending.creation(table: localClass.table, row: row) != nil
    let merged = isPending ? received &+ (present &- base) : received
    bases[localClass.table, property.slot, row] = received
    if merged == present { return false }
    localClass.setValue(.int(merged), of: property, row: row, in: snapshot, links)
    return true
  }
}
