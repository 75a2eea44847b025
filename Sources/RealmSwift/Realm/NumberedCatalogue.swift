import Storage

/// A flat copy of the catalogue of a realm: what a call by number needs to know of a class and a column, without a reference
/// to be counted.
///
/// Invariants: `tables` keeps its address, and the number of the realm's thread is in front of it (see `ConfinedMemory`):
/// other threads read that number, and nothing else, in order to be refused. What `tables` points to is replaced by
/// `refresh`, which the realm calls on its own thread whenever it shows another catalogue or another snapshot; that of a
/// frozen realm never changes. Addresses of table states are those of the snapshot that the realm shows, and live as long
/// as the realm.
final class NumberedCatalogue {
  let tables: UnsafeMutablePointer<NumberedTables>
  /// Takes note of damage in each snapshot of the realm.
  let damage: FoundDamage

  /// - Parameter damage: What takes note of damage already.
  init(_ snapshot: Snapshot, damage: FoundDamage?) {
    tables = ConfinedMemory.allocate(thread: snapshot.confinedThread)
    tables.initialize(to: NumberedTables.none)
    self.damage = damage ?? FoundDamage()
    refresh(snapshot)
  }

  deinit {
    free()
    ConfinedMemory.deallocate(tables)
  }

  private func free() {
    for number in 0..<tables.pointee.count { tables.pointee.classes[number].columns.deallocate() }
    if tables.pointee.count > 0 { tables.pointee.classes.deallocate() }
  }

  func refresh(_ snapshot: Snapshot) {
    if snapshot.foundDamage == nil { snapshot.foundDamage = damage }
    free()
    let described = snapshot.catalogue.tables
    let classes = UnsafeMutablePointer<NumberedClass>.allocate(capacity: max(described.count, 1))
    for (number, table) in described.enumerated() {
      (classes + number).initialize(to: NumberedClass(table, snapshot.table(number)))
    }
    tables.pointee = NumberedTables(classes: classes, count: described.count)
    if described.isEmpty {
      classes.deallocate()
      tables.pointee = .none
    }
    ConfinedMemory.setThread(snapshot.confinedThread, of: tables)
  }
}

/// The classes of a catalogue, by their numbers.
struct NumberedTables {
  var classes: UnsafeMutablePointer<NumberedClass>
  var count: Int

  /// No classes: nothing is at the address.
  static var none: NumberedTables {
    NumberedTables(classes: UnsafeMutablePointer(bitPattern: MemoryLayout<Int>.alignment)!, count: 0)
  }
}

/// A class of a catalogue. One that was removed has no columns.
struct NumberedClass {
  var state: UnsafeMutablePointer<TableState>
  var columns: UnsafeMutablePointer<NumberedColumn>
  var columnCount: Int
  /// The column of the primary key, or -1.
  var primaryKey: Int
  /// Whether the primary key has several columns.
  var hasCompositeKey: Bool
  var isEmbedded: Bool
  var isRemoved: Bool

  init(_ table: TableDescription, _ content: Table) {
    state = content.state
    isRemoved = table.isRemoved
    isEmbedded = table.isEmbedded
    columnCount = isRemoved ? 0 : table.columns.count
    columns = .allocate(capacity: max(columnCount, 1))
    primaryKey = table.primaryKey ?? -1
    hasCompositeKey = table.compositeKey != nil
    for number in 0..<columnCount {
      (columns + number).initialize(to: NumberedColumn(table.columns[number]))
    }
  }

  var table: Table { Table(state) }
}

/// A column of a class.
struct NumberedColumn {
  /// The type of a column with single values; another number for columns that are collections or were removed, so that a
  /// comparison tells that a call is for another property.
  let single: UInt8
  /// The type of the value or the elements.
  let type: ValueType
  let collection: CollectionType
  let isNullable: Bool
  let isPrimaryKey: Bool
  let isSequence: Bool
  let isRemoved: Bool
  /// The class that links point to, or -1.
  let target: Int32

  private static let noSingle: UInt8 = 255

  init(_ column: Column) {
    isRemoved = column.isRemoved
    type = column.type
    collection = column.collection
    single = isRemoved || collection != .none ? Self.noSingle : type.rawValue
    isNullable = column.isNullable || type == .link || type == .mixed
    isPrimaryKey = column.isPrimaryKey
    isSequence = column.isSequence
    target = column.type == .link ? Int32(column.target) : -1
  }
}

extension RealmCore {
  /// The flat copy of the catalogue. Made when the realm is first used by number, and kept up to date from then on.
  func numberedCatalogue() -> NumberedCatalogue {
    isFrozen ? dynamicLock.withLock(makeNumberedCatalogue) : makeNumberedCatalogue()
  }

  private func makeNumberedCatalogue() -> NumberedCatalogue {
    if let numbered { return numbered }
    let new = NumberedCatalogue(snapshot, damage: snapshot.foundDamage)
    numbered = new
    return new
  }
}
