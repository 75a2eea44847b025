// The word indexes of string columns: an entry for each row and each different word of its text.

extension Table {
  /// Makes the index of a column's words have those of a new value, before it is written.
  func replaceWords(_ column: Int, _ row: Int, _ value: Value) {
    let old = hasIndexEntry(column, row) ? words(column, row) : WordList()
    let new: WordList
    if case .string(var text) = value {
      new = text.withUTF8 { WordList(UnsafeRawBufferPointer($0)) }
    } else {
      new = WordList()
    }
    let changes = writer.changes(ofIndex: IndexNumber.words(table: number, column: column))
    new.forEachDifference(from: old) {
      changes.gather(bytes: $0, row: row)
    } there: {
      changes.remove(bytes: $0, row: row)
    }
  }

  /// The words of a stored value.
  fileprivate func words(_ column: Int, _ row: Int) -> WordList {
    isNull(column, row) ? WordList() : WordList(bytes(column, row))
  }
}

extension Writer {
  /// Removes the words of a row that is about to disappear.
  func removeWords(_ table: Table, _ column: Int, _ row: Int) {
    let changes = changes(ofIndex: IndexNumber.words(table: table.number, column: column))
    table.words(column, row).forEachDifference(from: WordList()) {
      changes.remove(bytes: $0, row: row)
    } there: { _ in
    }
  }

  /// Fills the word index of a string column, whatever was in it before. Cost: that of reading the texts and sorting
  /// their words.
  package func buildWordIndex(table: Int, column: Int) {
    dropWordIndex(table: table, column: column)
    let changes = changes(ofIndex: IndexNumber.words(table: table, column: column))
    let source = snapshot.table(table)
    source.forEachRow { row in
      source.words(column, row).forEachDifference(from: WordList()) {
        changes.gather(bytes: $0, row: row)
      } there: { _ in
      }
    }
  }

  /// Empties the word index of a column.
  package func dropWordIndex(table: Int, column: Int) {
    dropIndex(IndexNumber.words(table: table, column: column))
  }
}
