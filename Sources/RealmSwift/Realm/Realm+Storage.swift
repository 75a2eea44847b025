import QueryEngine
package import Storage

// For tools of this package, which read and write values by their columns.
extension Realm {
  /// The version that the realm shows.
  package var storedVersion: Snapshot {
    core.checkThread()
    return core.snapshot
  }
}

extension Results {
  /// The row of an object at a position; establishes an order only as far as that.
  package func storedRow(at position: Int) -> Int { core.row(at: position) }

  /// The objects sorted by key paths that do not come from the program.
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` when one names an unknown property, or one that has no order.
  package func sorted(checking descriptors: [SortDescriptor]) throws -> Results {
    try throwingInvalidInput {
      for descriptor in descriptors {
        _ = try SortKey(
          keyPath: descriptor.keyPath, table: core.classTable.table.number,
          catalogue: core.realm.snapshot.catalogue, lookup: core.realm.propertyLookup)
      }
    }
    return sorted(by: descriptors)
  }
}

extension Decimal128 {
  /// The number of its stored form.
  package convenience init(stored: Fixed16) { self.init(stored) }
  /// The form in which it is stored.
  package var stored: Fixed16 { fixed }
}
