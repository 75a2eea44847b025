import RealmSwift
import Storage

/// Performs the operations of a batch in an open write transaction.
///
/// Everything goes through the calls of `NumberedRealm`, which check what the file's schema says, and which keep indexes, rules
/// and the change log as a program does.
struct BatchWriter {
  /// Something that is not as the page expected.
  struct Conflict {
    let operation: Int
    /// What there is, as a cell; null for an object that was deleted.
    let current: [UInt8]
    let expected: JSONValue?
    let isGone: Bool
  }

  /// An operation that is not performed because something has changed.
  struct Skipped: Error {
    let current: [UInt8]
    var isGone = false
  }

  static let conflictLimit = 100

  let realm: NumberedRealm
  let snapshot: Snapshot
  let recorder: ChangeRecorder
  let memory = NumberedMemory()
  private(set) var conflicts: [Conflict] = []
  /// The objects that the batch has created. The row -1 in an operation stands for the first, -2 for the second one.
  private(set) var created: [NumberedObject] = []

  /// - Parameter undoLimit: Maximum size of what can be undone, in bytes.
  init(_ realm: NumberedRealm, undoLimit: Int) {
    self.realm = realm
    snapshot = realm.realm.storedVersion
    recorder = ChangeRecorder(snapshot, sizeLimit: undoLimit)
  }

  /// Performs the operations. What conflicts is left out and noted in `conflicts`: the transaction has to be cancelled then.
  ///
  /// - Throws: `StudioFault` that names the operation.
  mutating func perform(_ operations: [Operation]) throws {
    for operation in operations {
      do {
        try perform(operation)
      } catch let skipped as Skipped {
        conflicts.append(
          Conflict(
            operation: operation.index, current: skipped.current, expected: operation.expected,
            isGone: skipped.isGone))
        if conflicts.count == Self.conflictLimit { return }
      } catch let fault as StudioFault {
        throw fault
      } catch {
        // What follows a conflict may fail because of it.
        if !conflicts.isEmpty { return }
        throw StudioFault(error, operation)
      }
    }
  }

  private mutating func perform(_ operation: Operation) throws {
    let number = try classNumber(operation)
    switch operation.kind {
    case .create: _ = try create(number, contents(operation, number))
    case .delete:
      let object = try object(operation, number)
      recorder.note(deletionOf: object)
      try realm.delete(object)
    case .set:
      let object = try object(operation, number)
      try set(object, try column(operation, number), operation.value(), operation.expected)
    case .embed:
      let object = try object(operation, number)
      try embed(operation, object, try column(operation, number))
    case .insert, .replace, .remove, .move, .put, .removeKey, .add, .discard:
      let object = try object(operation, number)
      let column = try column(operation, number)
      let place = CellPlace(object, column)
      recorder.note(place)
      try CollectionOperation(operation, place, self).perform()
    }
  }

  // MARK: What is named

  private func classNumber(_ operation: Operation) throws -> Int {
    guard let number = snapshot.catalogue.table(named: operation.className) else {
      throw ValueFault("The file has no class '\(operation.className.shortened)'.")
    }
    return number
  }

  /// The row of an object that the page names.
  func row(_ className: String, _ given: Int) -> Int {
    guard given < 0, created.indices.contains(-given - 1) else { return given }
    let object = created[-given - 1]
    return snapshot.catalogue.tables[object.classNumber].name == className ? object.row : given
  }

  private func object(_ operation: Operation, _ number: Int) throws -> NumberedObject {
    let row = row(operation.className, try operation.row())
    let object = NumberedObject(classNumber: number, row: row)
    if snapshot.isAlive(object) { return object }
    if row < 0 || row >= snapshot.rowLimit(table: number) {
      throw ValueFault("Class '\(operation.className)' has no object in row \(row).")
    }
    throw Skipped(current: Array("null".utf8), isGone: true)
  }

  private func column(_ operation: Operation, _ table: Int) throws -> Int {
    try checked(try operation.property(), table)
  }

  func checked(_ number: Int, _ table: Int) throws -> Int {
    if snapshot.columns(table).contains(number) { return number }
    throw ValueFault(
      "Class '\(snapshot.catalogue.tables[table].name)' has no property with the number \(number).")
  }

  /// Returns a value that the page has sent for a property, or for an element of the collection that it is.
  func value(_ value: JSONValue, _ table: Int, _ column: Int) throws -> Value {
    try PageValue(snapshot: snapshot, table: table, number: column, row: row).stored(value)
  }

  /// Notes an embedded object that is about to be replaced.
  func note(replaced value: Value) {
    guard case .link(let table, let row) = value, snapshot.catalogue.tables[table].isEmbedded else { return }
    recorder.note(deletionOf: NumberedObject(classNumber: table, row: row))
  }

  // MARK: Changes

  private func set(_ object: NumberedObject, _ column: Int, _ given: JSONValue, _ expected: JSONValue?) throws
  {
    let place = CellPlace(object, column)
    let kind = snapshot.column(place)
    if kind.collection != .none {
      throw ValueFault("\(name(place)) is a collection, whose elements are changed one by one.")
    }
    let present = snapshot.table(object.classNumber).value(column, object.row)
    if let expected, !ExpectedValue(snapshot: snapshot, value: expected).matches(present, kind) {
      var cells = CellWriter(snapshot)
      throw Skipped(current: cells.cell(place))
    }
    try set(place, try value(given, object.classNumber, column))
  }

  /// Sets a property that is no collection.
  func set(_ place: CellPlace, _ value: Value) throws {
    let (object, table) = (place.object, snapshot.table(place.object.classNumber))
    recorder.note(place)
    note(replaced: table.value(place.column, object.row))
    try realm.set(object, place.column, memory.numbered(value))
    if value.isNested { table.setMixed(place.column, object.row, value) }
  }

  mutating func note(created object: NumberedObject) { created.append(object) }

  func name(_ place: CellPlace) -> String {
    "Property '\(snapshot.column(place).name)' of class '\(snapshot.catalogue.tables[place.object.classNumber].name)'"
  }

  /// Makes an embedded object, with the properties that are given. It replaces the one that is there.
  private mutating func embed(_ operation: Operation, _ object: NumberedObject, _ column: Int) throws {
    let place = CellPlace(object, column)
    let table = snapshot.table(object.classNumber)
    recorder.note(place)
    let embedded: NumberedObject
    switch snapshot.column(place).collection {
    case .none:
      if snapshot.column(place).type == .link { note(replaced: table.value(column, object.row)) }
      embedded = try realm.setEmbedded(object, column)
    case .list, .set:
      let list = try realm.collection(object, column)
      embedded = try list.insertEmbedded(at: try operation.optionalNumber("at") ?? list.count())
    case .map:
      let key = try operation.key()
      if let present = table.mapValue(column, object.row, key) { note(replaced: present) }
      embedded = try realm.collection(object, column).setEmbedded(forKey: memory.bytes(key.utf8))
    }
    note(created: embedded)
    try fill(embedded, contents(operation, embedded.classNumber))
  }
}
