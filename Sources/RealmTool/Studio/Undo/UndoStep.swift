import RealmSwift
import Storage

/// The difference that one transaction of the page has made, from which the transaction can be undone.
struct UndoStep: Sendable {
  /// An object with all its properties.
  struct Object: Sendable {
    let place: NumberedObject
    /// The contents of the properties that the class has, by their numbers.
    let cells: [(column: Int, content: CellContent)]

    init(_ place: NumberedObject, _ cells: [(column: Int, content: CellContent)]) {
      self.place = place
      self.cells = cells
    }

    var size: Int { cells.reduce(64) { $0 + 16 + $1.content.size } }
  }

  /// Description of the transaction for the user, for example "Edit Dog.name".
  let label: String
  /// The objects that the transaction has created, as it left them.
  let created: [Object]
  /// The objects that the transaction has deleted, as they were before it.
  let deleted: [Object]
  let changes: [CellChange]
  /// Approximate memory that the step takes, in bytes.
  let size: Int

  init(_ label: String, created: [Object], deleted: [Object], changes: [CellChange]) {
    self.label = label
    self.created = created
    self.deleted = deleted
    self.changes = changes
    size =
      256 + label.utf8.count + changes.reduce(0) { $0 + $1.size }
      + (created + deleted).reduce(0) { $0 + $1.size }
  }

  var isEmpty: Bool { created.isEmpty && deleted.isEmpty && changes.isEmpty }
}
