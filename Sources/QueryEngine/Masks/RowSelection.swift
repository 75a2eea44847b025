/// The rows that an aggregate, or a sort, is about.
package enum RowSelection: Sendable {
  case all
  case set(RowSet)
  /// In any order and with repetition; rows that are gone are skipped.
  case rows([Int])
}
