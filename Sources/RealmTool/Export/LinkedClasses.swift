import Storage

/// The classes of a version whose objects may have links to them.
struct LinkedClasses {
  private let snapshot: Snapshot
  /// The classes that properties are declared to link to.
  private let declared: Set<Int>
  /// The columns that may link to objects of any class.
  private let mixed: [(table: Int, column: Int)]

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    var declared: Set<Int> = []
    var mixed: [(table: Int, column: Int)] = []
    for reader in ClassReader.all(in: snapshot) {
      for number in reader.columns {
        switch reader.column(number).type {
        case .link: declared.insert(reader.column(number).target)
        case .mixed: mixed.append((reader.number, number))
        default: break
        }
      }
    }
    self.declared = declared
    self.mixed = mixed
  }

  /// Returns whether a property is declared to link to the class, or a mixed value does. Searches the objects of the class
  /// only where the file has mixed values that link to objects.
  func contains(_ reader: ClassReader) -> Bool {
    if declared.contains(reader.number) { return true }
    let origins = mixed.filter { snapshot.mayHaveBacklinks(from: $0.table, column: $0.column) }
    if origins.isEmpty { return false }
    for row in 0..<reader.table.rowLimit where reader.table.isAlive(row) {
      reader.pause(at: row)
      for (table, column) in origins
      where !snapshot.backlinks(to: row, of: reader.number, from: table, column: column).isEmpty {
        return true
      }
    }
    return false
  }
}
