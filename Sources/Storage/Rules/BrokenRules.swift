// What keeps a write transaction from being committed: a rule of the schema that it breaks.
extension Writer {
  /// Why the open write transaction cannot be committed as it is: it breaks a rule of the schema.
  ///
  /// A forbidden deletion counts when the row that links is there, and its link, if it is a single one, leads nowhere else.
  package var brokenRule: StorageError? {
    guard let transaction = snapshot.writing else { return nil }
    if let broken = transaction.brokenRule { return broken }
    if transaction.soundStamp == snapshot.shared.pointee.contentStamp { return nil }
    let denied = transaction.deniedDeletions.first { denied in
      let origin = snapshot.tables[denied.originTable]
      let column = snapshot.catalogue.tables[denied.originTable].columns[denied.originColumn]
      guard origin.isAlive(denied.originRow), column.linkRule == .deny, !column.isRemoved else {
        return false
      }
      if column.collection != .none { return true }
      if case .link = origin.value(denied.originColumn, denied.originRow) { return false }
      return true
    }
    let broken = denied.map { error(for: $0) } ?? repeatedValue(transaction)
    if broken == nil { transaction.soundStamp = snapshot.shared.pointee.contentStamp }
    return broken
  }

  /// Keeps the open write transaction from being committed.
  package func breakRule(_ message: String) {
    if let transaction = snapshot.writing, transaction.brokenRule == nil {
      transaction.brokenRule = StorageError(.ruleBroken, path: snapshot.file.path, message: message)
    }
  }

  private func error(for denied: DeniedDeletion) -> StorageError {
    let origin = snapshot.catalogue.tables[denied.originTable]
    let originKey = origin.primaryKey.map {
      snapshot.tables[denied.originTable].value($0, denied.originRow)
    }
    let target = name(denied.table, denied.row, denied.key)
    let source = name(denied.originTable, denied.originRow, originKey)
    return StorageError(
      .ruleBroken, path: snapshot.file.path,
      message:
        "\(target) cannot be deleted: \(source) links to it by '\(origin.name).\(origin.columns[denied.originColumn].name)', which denies that."
    )
  }
}
