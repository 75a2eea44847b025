import Storage

/// The numbers that a file gives to the objects of one class.
struct KeySequence {
  private let table: Table
  private let column: Int
  private let limit: Int64

  /// Nil when the file does not number the class.
  init?(_ table: Table, _ column: Int, _ property: Unmanaged<ClassProperty>, _ description: TableDescription)
  {
    guard description.columns[column].isSequence,
      let limit = property._withUnsafeGuaranteedRef({ $0.largestNumber })
    else { return nil }
    self.table = table
    self.column = column
    self.limit = limit
  }

  /// Whether a key stands for none.
  @inline(__always)
  static func isUnset(_ key: StoredValue) -> Bool {
    switch key {
    case .int(let number): number == 0
    default: key.isNull
    }
  }

  /// Takes note of a key that the program has set.
  @inline(__always)
  func take(_ key: StoredValue) {
    if case .int(let number) = key { table.raiseSequence(column, to: number) }
  }

  /// Gives a new row its key. The object's property is still to be made a view of it.
  @inline(__always)
  func number(_ row: Int) { table.setInteger(column, row, next(row)) }

  @inline(__always)
  private func next(_ row: Int) -> Int64 {
    if let number = table.nextInSequence(column, limit: limit) { return number }
    // Nothing of the transaction will be stored, but until it ends the object needs a key of its own.
    breakRule()
    return .min + Int64(row)
  }

  @inline(never)
  private func breakRule() {
    let snapshot = table.snapshot
    let description = snapshot.catalogue.tables[table.number]
    Writer(snapshot).breakRule(
      "'\(description.name).\(description.columns[column].name)' has no more numbers: the last one is \(limit), the largest that the property can have."
    )
  }
}
