import RealmSwift
import Storage

/// Records what a write transaction changes, so that it can be undone.
///
/// A property is noted before it is changed for the first time, an object before it can be deleted. New objects need not be
/// noted: their rows are beyond all that existed when the recorder was made.
final class ChangeRecorder {
  private let snapshot: Snapshot
  private let links: LinkColumns
  /// Maximum size of what a transaction has changed, in bytes. One that exceeds it cannot be undone.
  private let sizeLimit: Int
  private let rowLimits: [Int]
  private var places: [CellPlace] = []
  private var contents: [CellPlace: CellContent] = [:]
  /// Objects whose properties have all been noted.
  private var endangered: [NumberedObject] = []
  private var known: Set<NumberedObject> = []
  private var size = 0
  private(set) var isTooLarge = false

  /// - Parameter snapshot: In an open write transaction that has changed nothing yet.
  init(_ snapshot: Snapshot, sizeLimit: Int) {
    self.snapshot = snapshot
    links = LinkColumns(snapshot)
    self.sizeLimit = sizeLimit
    rowLimits = snapshot.catalogue.tables.indices.map { snapshot.rowLimit(table: $0) }
  }

  private func isNew(_ object: NumberedObject) -> Bool { object.row >= rowLimits[object.classNumber] }

  /// Notes a property that is about to be changed.
  func note(_ place: CellPlace) {
    if isTooLarge || isNew(place.object) || contents[place] != nil { return }
    let content = CellContent(place, in: snapshot)
    size += content.size
    if size > sizeLimit { return giveUp() }
    contents[place] = content
    places.append(place)
  }

  private func giveUp() {
    isTooLarge = true
    (places, contents, endangered, known) = ([], [:], [], [])
  }

  /// Notes an object that is about to be deleted, with the objects that may be deleted with it, and the links to all of them.
  func note(deletionOf object: NumberedObject) {
    links.forEachObject(deletedWith: object) { object in
      if isTooLarge || !known.insert(object).inserted { return false }
      size += 64
      if !isNew(object) { endangered.append(object) }
      noteLinks(to: object)
      for column in links.all(object.classNumber) { note(CellPlace(object, column)) }
      return true
    }
  }

  private func noteLinks(to object: NumberedObject) {
    for place in links.incoming(to: object) { note(place) }
  }

  /// Compares what was noted with what there is now. Returns nil when that takes too much memory.
  func step(_ label: String) -> UndoStep? {
    if isTooLarge { return nil }
    var created: [UndoStep.Object] = []
    for table in rowLimits.indices where !snapshot.catalogue.tables[table].isRemoved {
      let rows = rowLimits[table]..<max(rowLimits[table], snapshot.rowLimit(table: table))
      for row in rows where snapshot.isAlive(table: table, row: row) {
        let object = image(of: NumberedObject(classNumber: table, row: row))
        size += object.size
        if size > sizeLimit { return nil }
        created.append(object)
      }
    }
    let deleted = endangered.filter { !snapshot.isAlive($0) }.map { object in
      UndoStep.Object(
        object,
        links.all(object.classNumber).compactMap { column in
          contents[CellPlace(object, column)].map { (column, $0) }
        })
    }
    let changes = places.filter { snapshot.isAlive($0.object) }.compactMap { place in
      CellChange(
        place, snapshot.column(place).collection, before: contents[place]!,
        after: CellContent(place, in: snapshot))
    }
    let step = UndoStep(label, created: created, deleted: deleted, changes: changes)
    return step.size > sizeLimit ? nil : step
  }

  private func image(of object: NumberedObject) -> UndoStep.Object {
    UndoStep.Object(
      object,
      links.all(object.classNumber).map {
        ($0, CellContent(CellPlace(object, $0), in: snapshot))
      })
  }
}
