import LibC

/// Copies all that is sound in a file to a new one.
///
/// Objects keep their rows, so that links need not be translated. First all rows are made, then the values of one column
/// after another, then the indexes; each in several transactions, so that memory stays bounded.
package final class Salvage {
  private let verifier: FileVerifier
  private let target: Snapshot
  private let writer: Writer
  private var failure: StorageError?
  private var changes = 0
  /// How many values and elements one transaction writes at most.
  private static let batch = 200_000

  /// Writes a new file, and tells what was damaged in the old one.
  ///
  /// - Parameters:
  ///   - path: The damaged file, which is only read. Other processes may write to it as long as it can be opened.
  ///   - target: Where nothing may be yet.
  ///   - encryptionKey: Of both files.
  /// - Throws: `invalidDatabase` when so much is damaged that nothing can be said of the rest; `alreadyExists`;
  ///   `outOfSpace` and other errors of writing, after which nothing is left at the target.
  package static func run(
    from path: String, to target: String, encryptionKey: [UInt8]? = nil
  ) throws(StorageError) -> FileVerification {
    let verifier = try FileVerifier(FileMap.newest(path: path, encryptionKey: encryptionKey))
    guard let permissions = FilePermissions(path: path) else { throw .system(errno, path: path) }
    try WorkFolder.makeFile(at: target, for: permissions) { (place) throws(StorageError) in
      let file = try DatabaseFile.make(in: place, encryptionKey: encryptionKey, name: target)
      try Salvage(verifier, Snapshot(file: file)).run()
    }
    return FileVerification(verifier)
  }

  private init(_ verifier: FileVerifier, _ target: Snapshot) {
    self.verifier = verifier
    self.target = target
    writer = Writer(target)
  }

  private func run() throws(StorageError) {
    try writer.begin()
    writer.setCatalogue(catalogue(withIndexes: false))
    verifier.soundValues = self
    verifier.run { self.makeRows() }
    verifier.soundValues = nil
    if let failure { throw failure }
    writer.setCatalogue(withoutBrokenKeys(catalogue(withIndexes: true)))
    continueSequences()
    for (table, description) in target.catalogue.tables.enumerated() where !description.isRemoved {
      for (column, description) in description.columns.enumerated() where !description.isRemoved {
        if description.hasValueIndex { writer.buildIndex(table: table, column: column) }
        if description.isFullText { writer.buildWordIndex(table: table, column: column) }
        // One index at a time is in memory.
        try writer.commit(durability: .relaxed)
        try writer.begin()
      }
      for index in description.indexes {
        writer.buildIndex(table: table, index)
        try writer.commit(durability: .relaxed)
        try writer.begin()
      }
    }
    try writer.commit(durability: .full)
    if verifier.catalogue.isSynced {
      verifier.note(
        "the state of its sync session and the changes that wait to be sent are not salvaged: the new file is not synced",
        .nothing)
    }
  }

  /// The classes of the file; the copy has all chunks.
  private func catalogue(withIndexes: Bool) -> Catalogue {
    var catalogue = verifier.catalogue
    for table in catalogue.tables.indices {
      if !withIndexes { catalogue.tables[table].indexes = [] }
      for column in catalogue.tables[table].columns.indices {
        catalogue.tables[table].columns[column].rowsBefore = 0
        if withIndexes { continue }
        catalogue.tables[table].columns[column].isIndexed = false
        catalogue.tables[table].columns[column].isPrimaryKey = false
        catalogue.tables[table].columns[column].isUnique = false
        catalogue.tables[table].columns[column].linkRule = .nullify
        catalogue.tables[table].columns[column].wordRule = 0
      }
    }
    return catalogue
  }

  /// The classes without the primary keys that several objects have, as where they are lost: no object is given up for
  /// them. The same goes for other values that only one may have.
  private func withoutBrokenKeys(_ catalogue: Catalogue) -> Catalogue {
    var catalogue = catalogue
    for (table, description) in catalogue.tables.enumerated() where !description.isRemoved {
      if let key = description.primaryKey, writer.hasDuplicates(table: table, columns: [key]) {
        catalogue.tables[table].columns[key].isPrimaryKey = false
        catalogue.tables[table].columns[key].isSequence = false
        catalogue.tables[table].columns[key].isIndexed = true
        verifier.note(
          "objects have the same primary key where theirs are lost, so the salvaged class has none: it is an indexed property",
          .nothing, table: table, column: key)
      }
      for (column, stored) in description.columns.enumerated() where stored.isUnique && !stored.isRemoved {
        guard writer.hasDuplicates(table: table, columns: [column], ignoresNulls: true) else { continue }
        catalogue.tables[table].columns[column].isUnique = false
        catalogue.tables[table].columns[column].isIndexed = true
        verifier.note(
          "objects have the same value where theirs are lost, so it is no longer unique in the salvaged class",
          .nothing, table: table, column: column)
      }
      for (place, index) in description.indexes.enumerated() where index.isUnique {
        let isKey = index.kind == .primaryKey
        guard writer.hasDuplicates(table: table, columns: index.columns, ignoresNulls: !isKey) else {
          continue
        }
        catalogue.tables[table].indexes[place].kind = .plain
        let names = index.columns.map { "'\(description.columns[$0].name)'" }.joined(separator: ", ")
        verifier.note(
          "objects have the same values of \(names) where theirs are lost, so the salvaged class \(isKey ? "has no primary key" : "does not have them unique")",
          .nothing, table: table)
      }
    }
    return catalogue
  }

  /// No number is given again, also those of objects that were deleted.
  private func continueSequences() {
    for (place, number) in verifier.sequences.highest where target.catalogue.isSequence(place) {
      target.table(place.table).raiseSequence(place.column, to: number)
    }
  }

  private func makeRows() {
    for table in verifier.presence.indices where !verifier.catalogue.tables[table].isRemoved {
      for chunk in verifier.presence[table].chunks {
        for row in chunk * chunkCapacity..<(chunk + 1) * chunkCapacity where verifier.isAlive(table, row) {
          if failure != nil { return }
          target.table(table).insertRow(at: row)
          count(1)
        }
      }
    }
  }

  /// Begins another transaction every now and then.
  private func count(_ number: Int) {
    changes += number
    if changes < Self.batch || failure != nil { return }
    changes = 0
    do throws(StorageError) {
      try writer.commit(durability: .relaxed)
      try writer.begin()
    } catch {
      failure = error
    }
  }
}

extension Salvage: SoundValues {
  func take(_ value: Value, table: Int, column: Int, row: Int) {
    if failure != nil { return }
    target.table(table).setValue(column, row, value)
    count(1)
  }

  func take(_ elements: [Value], keys: [String]?, table: Int, column: Int, row: Int) {
    if failure != nil || elements.isEmpty { return }
    let rows = target.table(table)
    if let keys {
      for (key, value) in zip(keys, elements) { rows.setMapValue(column, row, key: key, value) }
    } else {
      rows.insertElements(column, row, at: 0, elements)
    }
    count(elements.count)
  }
}

extension Table {
  /// Adds a row with a number that is higher than all before.
  fileprivate func insertRow(at row: Int) {
    precondition(row >= rowLimit)
    state.pointee.rowLimit = row
    _ = insertRow()
  }
}
