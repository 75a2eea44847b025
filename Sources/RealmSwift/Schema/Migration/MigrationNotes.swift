/// What a migration's realm notes of what is done in it.
final class MigrationNotes {
  /// The tables whose objects may have got other primary keys.
  var tablesWithChangedKeys: Set<Int> = []
}
