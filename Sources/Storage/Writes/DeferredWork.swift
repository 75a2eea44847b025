// What a write transaction has still to do before it is committed.

/// The rows of a table that its compound indexes do not have at the moment.
struct WithdrawnKeys {
  /// The rows below `firstNewRow` whose keys are removed.
  var rows: Set<Int> = []
  /// From here on no row has been entered.
  var firstNewRow: Int
}

/// The rows that are still to be deleted because their owners were.
struct Cascade {
  struct Place: Hashable {
    var table: Int32
    var row: Int
  }

  /// They are deleted in any case.
  var owned: ContiguousArray<Place> = []
  /// They are deleted unless others own them, which is looked at when all that is certain has been deleted: once for each,
  /// however many of its owners are gone.
  var sharable: ContiguousArray<Place> = []
  /// Whether rows are being deleted: what they own waits until that is done.
  var isRunning = false
  /// Whether all links are taken for owning ones.
  var followsAllLinks = false
  /// Whether a row is just being removed, and with it the embedded objects in it.
  var isRemoving = false
  /// Where the row that is being removed was embedded, when something else replaces it. What it owned stays when another
  /// row owns it by then, such as the one in its place, and so does what it was embedded in.
  var replacedIn: Place?
}

/// A deleted row that another one links to by a column which forbids that.
struct DeniedDeletion {
  var table: Int
  var row: Int
  /// The primary key that it had, if it had one.
  var key: Value?
  var originTable: Int
  var originColumn: Int
  var originRow: Int
}
