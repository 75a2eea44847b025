import RealmSwift
import Storage

/// Undoes a step in an open write transaction, if everything that it concerns still is as the step left it.
///
/// A deleted object comes back with another row: rows are never used twice. Steps name rows of their time, which `aliases` leads
/// to the present ones.
struct StepReversal {
  /// Why a step cannot be undone now.
  struct Conflict: Error {
    let message: String
    /// The property that is no longer as the step left it.
    var place: CellPlace?
    /// Content of the property after the step.
    var expected: CellContent?
  }

  private let step: UndoStep
  private let snapshot: Snapshot
  private(set) var aliases: [NumberedObject: NumberedObject]
  /// The objects that came back.
  private(set) var restored: [NumberedObject] = []

  private let sizeLimit: Int

  init(
    _ step: UndoStep, _ snapshot: Snapshot, _ aliases: [NumberedObject: NumberedObject], sizeLimit: Int
  ) {
    self.sizeLimit = sizeLimit
    self.step = step
    self.snapshot = snapshot
    self.aliases = aliases
  }

  /// Undoes the step, and returns the step that does it again; nil when that takes too much memory.
  ///
  /// - Throws: `Conflict`. The transaction has to be cancelled then.
  mutating func run() throws -> UndoStep? {
    try check()
    let recorder = ChangeRecorder(snapshot, sizeLimit: sizeLimit)
    for object in step.created { recorder.note(deletionOf: present(object.place)) }
    for change in step.changes { recorder.note(CellPlace(present(change.place.object), change.place.column)) }
    // Before anything that the new objects own can be deleted with them.
    for object in step.created { clearLinks(of: present(object.place)) }
    for object in step.deleted { insert(object) }
    for object in step.deleted { try fill(object) }
    for change in step.changes {
      try change.restore(in: present(change.place.object), snapshot) { try linked($0) }
    }
    Writer(snapshot).deletingTogether {
      for object in step.created {
        let place = present(object.place)
        snapshot.table(place.classNumber).deleteRow(place.row)
      }
    }
    let inverse = recorder.step(step.label)
    if let inverse { try checkReach(of: inverse) }
    return inverse
  }

  // MARK: Names

  private func present(_ object: NumberedObject) -> NumberedObject {
    var object = object
    while let next = aliases[object] { object = next }
    return object
  }

  private func resolved(_ value: Value) -> Value { value.mappingLinks { present($0) } }

  /// The value with links to present rows, all of which must exist.
  private func linked(_ value: Value) throws -> Value {
    try value.mappingLinks { object in
      let object = present(object)
      guard snapshot.isAlive(object) else {
        throw Conflict(message: "An object that a restored value links to has been deleted.")
      }
      return object
    }
  }

  // MARK: Checks

  private func check() throws {
    for object in step.created + step.deleted { try checkClass(of: object) }
    for object in step.created {
      let place = present(object.place)
      guard snapshot.isAlive(place) else { throw gone(place) }
      for (column, content) in object.cells {
        let cell = CellPlace(place, column)
        let expected = content.mapValues { resolved($0) }
        let isSame = CellContent(cell, in: snapshot).isExactly(expected, snapshot.column(cell).collection)
        if !isSame { throw changed(cell, expected) }
      }
    }
    for change in step.changes {
      let place = present(change.place.object)
      guard snapshot.isAlive(place) else { throw gone(place) }
      let cell = CellPlace(place, change.place.column)
      if snapshot.column(cell).isRemoved {
        throw Conflict(message: "The properties of class '\(className(place))' have changed since.")
      }
      if !change.isPresent(in: place, snapshot, { resolved($0) }) {
        throw changed(cell, change.after.mapValues { resolved($0) })
      }
    }
    try checkKeys()
  }

  private func checkClass(of object: UndoStep.Object) throws {
    let number = object.place.classNumber
    let isSame =
      !snapshot.catalogue.tables[number].isRemoved
      && snapshot.columns(number) == object.cells.map(\.column)
    if !isSame {
      throw Conflict(message: "The properties of class '\(className(object.place))' have changed since.")
    }
  }

  /// Throws when another object has got the primary key of one that is to come back.
  private func checkKeys() throws {
    let created = Set(step.created.map { present($0.place) })
    for object in step.deleted {
      let number = object.place.classNumber
      guard let key = PrimaryKey(snapshot.catalogue.tables[number], table: number) else { continue }
      let values = key.columns.map { column in object.cells.first { $0.column == column }!.content.values[0] }
      guard let row = key.row(values, in: snapshot) else { continue }
      if created.contains(NumberedObject(classNumber: number, row: row)) { continue }
      throw Conflict(
        message:
          "The \(className(object.place)) \(ClassReader(snapshot, number).label(row)) exists again, created by another program."
      )
    }
  }

  /// Throws when undoing has changed what the step did not concern: links to a new object, for example, that another program
  /// has set since.
  private func checkReach(of inverse: UndoStep) throws {
    let places = Set(step.changes.map { CellPlace(present($0.place.object), $0.place.column) })
    if let other = inverse.changes.first(where: { !places.contains($0.place) }) {
      throw changed(other.place, other.before)
    }
    let created = Set(step.created.map { present($0.place) })
    if let other = inverse.deleted.first(where: { !created.contains($0.place) }) {
      throw Conflict(
        message:
          "An object of class '\(className(other.place))' would be deleted, which the step did not create.")
    }
  }

  private func className(_ object: NumberedObject) -> String {
    snapshot.catalogue.tables[object.classNumber].name
  }

  private func gone(_ object: NumberedObject) -> Conflict {
    Conflict(message: "An object of class '\(className(object))' has been deleted since.")
  }

  private func changed(_ place: CellPlace, _ expected: CellContent) -> Conflict {
    Conflict(
      message:
        "'\(className(place.object)).\(snapshot.column(place).name)' has changed since.",
      place: place, expected: expected)
  }

  // MARK: Writing

  /// Empties the links of an object that is to be deleted, but for embedded objects, which are deleted with it.
  private func clearLinks(of object: NumberedObject) {
    let (table, row) = (snapshot.table(object.classNumber), object.row)
    for number in snapshot.columns(object.classNumber) {
      let column = snapshot.column(CellPlace(object, number))
      guard column.type == .mixed || column.type == .link else { continue }
      if column.type == .link && snapshot.catalogue.tables[column.target].isEmbedded { continue }
      if column.collection == .none {
        if !column.isPrimaryKey { table.setValue(number, row, .null) }
      } else {
        table.removeAllElements(number, row)
      }
    }
  }

  /// Inserts a row with the values that are no links, keys first. Everything that is in an index is written.
  private mutating func insert(_ object: UndoStep.Object) {
    let number = object.place.classNumber
    let table = snapshot.table(number)
    let row = table.insertRow()
    let place = NumberedObject(classNumber: number, row: row)
    aliases[object.place] = place
    restored.append(place)
    let description = snapshot.catalogue.tables[number]
    let keys = PrimaryKey(description, table: number)?.columns ?? []
    for (column, content) in object.cells.filter({ keys.contains($0.column) }) {
      table.setValue(column, row, content.values[0])
    }
    for (column, content) in object.cells where !keys.contains(column) {
      let kind = description.columns[column]
      if kind.collection != .none { continue }
      let waits = kind.type == .link || kind.type == .mixed
      table.setValue(column, row, waits ? .null : content.values[0])
    }
  }

  /// Writes collections and what may link to other objects.
  private func fill(_ object: UndoStep.Object) throws {
    let place = present(object.place)
    let (table, row) = (snapshot.table(place.classNumber), place.row)
    for (column, content) in object.cells {
      let kind = snapshot.catalogue.tables[place.classNumber].columns[column]
      switch kind.collection {
      case .none:
        if (kind.type == .link || kind.type == .mixed) && !content.values[0].isNull {
          table.setValue(column, row, try linked(content.values[0]))
        }
      case .list: table.insertElements(column, row, at: 0, try content.values.map { try linked($0) })
      case .set: table.insertIntoSet(column, row, try content.values.map { try linked($0) })
      case .map:
        for (key, value) in zip(content.keys, content.values) {
          table.setMapValue(column, row, key: key, try linked(value))
        }
      }
    }
  }
}
