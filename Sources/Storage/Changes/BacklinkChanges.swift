/// The links from a column to the rows of its target table.
package struct BacklinkKey: Hashable, Sendable {
  package var target: Int
  package var origin: Int
  package var column: Int

  package init(target: Int, origin: Int, column: Int) {
    self.target = target
    self.origin = origin
    self.column = column
  }
}

// Which rows gained or lost links is what a commit merges into the indexes of backlinks: the log repeats the keys.
//
//   number of columns, for each: target table · origin table · column · rows of the target table that were there before
extension ChangeLog {
  /// Links of mixed columns are left out: no linking objects can show them.
  static func appendBacklinks(
    _ transaction: WriteTransaction, _ snapshot: Snapshot, to writer: inout ByteWriter
  ) {
    var changed: [(key: BacklinkKey, rows: IndexRanges)] = []
    for (index, changes) in transaction.indexChanges where index & 1 != 0 {
      let (origin, column) = (Int(index >> 16), Int(index & 0xFFFF) >> 1)
      let description = snapshot.catalogue.tables[origin].columns[column]
      guard description.type == .link, !description.isRemoved else { continue }
      let firstNew = snapshot.table(description.target).state.pointee.firstNewRow
      let rows = changes.changedKeys(below: firstNew)
      if rows.isEmpty { continue }
      changed.append((BacklinkKey(target: description.target, origin: origin, column: column), rows))
    }
    writer.appendVariable(UInt64(changed.count))
    for (key, rows) in changed {
      writer.appendVariable(UInt64(key.target))
      writer.appendVariable(UInt64(key.origin))
      writer.appendVariable(UInt64(key.column))
      writer.append(rows)
    }
  }
}

extension VersionChanges {
  /// Reads that part of a version's entry; false when it is damaged.
  mutating func readBacklinks(_ reader: inout ByteReader) -> Bool {
    guard let count = reader.readInteger() else { return false }
    for _ in 0..<count {
      guard let target = reader.readInteger(), let origin = reader.readInteger(),
        let column = reader.readInteger(), let rows = reader.readRanges()
      else { return false }
      backlinks[BacklinkKey(target: target, origin: origin, column: column)] = rows
    }
    return true
  }
}
