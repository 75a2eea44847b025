import Storage

/// What has happened from the version that an observer knows to the present one, with what follows from it for
/// rows that link to changed ones.
///
/// Rows are looked for from the changed ones backwards, along the back links: the cost depends on what has changed
/// and on the objects that link there, not on how much is observed.
final class ChangeContext {
  let changes: VersionChanges
  let version: UInt64
  let visibleStamp: Int
  /// Whether only the realm's own transactions are among the changes.
  let isLocal: Bool
  private let snapshot: Snapshot
  private var deep: [DeepKey: IndexRanges] = [:]
  private var along: [PathKey: IndexRanges] = [:]

  /// How far observers of collections without key paths look along links.
  static let maximumDepth = 4

  private struct DeepKey: Hashable {
    var table: Int
    var depth: Int
  }

  private struct PathKey: Hashable {
    var path: ObservedPath
    var table: Int
  }

  init(_ snapshot: Snapshot, _ changes: VersionChanges, isLocal: Bool) {
    self.snapshot = snapshot
    self.changes = changes
    version = snapshot.version
    self.isLocal = isLocal
    visibleStamp = snapshot.visibleStamp
  }

  /// The rows of a table that count as modified.
  func modifiedRows(table: Int, _ keyPaths: ObservedKeyPaths) -> IndexRanges {
    switch keyPaths {
    case .everything: return rowsModifiedDeeply(table: table, depth: Self.maximumDepth)
    case .paths(let paths):
      return paths.reduce(IndexRanges()) { $0.union(rowsModified(along: $1, table: table)) }
    }
  }

  // MARK: All properties

  private func rowsModifiedDeeply(table: Int, depth: Int) -> IndexRanges {
    let key = DeepKey(table: table, depth: depth)
    if let known = deep[key] { return known }
    var rows = changes.tables[table]?.modifiedRows ?? IndexRanges()
    if depth > 0, snapshot.catalogue.tables.indices.contains(table) {
      for (number, column) in snapshot.catalogue.tables[table].columns.enumerated() where !column.isRemoved {
        switch column.type {
        case .link:
          let targets = rowsModifiedDeeply(table: column.target, depth: depth - 1)
          rows.formUnion(sources(of: targets, in: column.target, from: table, column: number))
        case .mixed:
          for target in snapshot.catalogue.tables.indices where !snapshot.catalogue.tables[target].isRemoved {
            let targets = rowsModifiedDeeply(table: target, depth: depth - 1)
            rows.formUnion(sources(of: targets, in: target, from: table, column: number))
          }
        default: break
        }
      }
    }
    deep[key] = rows
    return rows
  }

  /// The rows whose column links to any of some rows.
  private func sources(of targets: IndexRanges, in target: Int, from table: Int, column: Int) -> IndexRanges {
    if targets.isEmpty { return targets }
    var sources: [Int] = []
    for range in targets.ranges {
      for row in range {
        sources.append(contentsOf: snapshot.backlinks(to: row, of: target, from: table, column: column))
      }
    }
    return IndexRanges(sources)
  }

  // MARK: Some properties

  /// The rows of a table for which something on a path has changed.
  func rowsModified(along path: ObservedPath, table: Int) -> IndexRanges {
    let key = PathKey(path: path, table: table)
    if let known = along[key] { return known }
    let rows = findRows(path.steps, table: table)
    along[key] = rows
    return rows
  }

  private func findRows(_ steps: [ObservedPath.Step], table: Int) -> IndexRanges {
    // The tables along the path, which is followed from its end.
    var tables = [table]
    for step in steps.dropLast() {
      switch step {
      case .column(_, let target): tables.append(target ?? -1)
      case .backlinks(let origin, _): tables.append(origin)
      }
    }
    var found = IndexRanges()
    for (step, table) in zip(steps, tables).reversed() {
      switch step {
      case .column(let column, let target):
        var rows = changes.tables[table]?.modified[column] ?? IndexRanges()
        if let target, !found.isEmpty {
          rows.formUnion(sources(of: found, in: target, from: table, column: column))
        }
        found = rows
      case .backlinks(let origin, let column):
        found = relinkedRows(table: table, origin: origin, column: column)
          .union(targets(of: found, in: origin, column: column))
      }
    }
    return found
  }

  /// The rows of a table that gained or lost links from a column.
  func relinkedRows(table: Int, origin: Int, column: Int) -> IndexRanges {
    changes.backlinks[BacklinkKey(target: table, origin: origin, column: column)] ?? IndexRanges()
  }

  /// The rows that a column of some rows links to.
  private func targets(of rows: IndexRanges, in number: Int, column: Int) -> IndexRanges {
    let table = snapshot.table(number)
    let isCollection = snapshot.catalogue.tables[number].columns[column].collection != .none
    var targets: [Int] = []
    for range in rows.ranges {
      for row in range where table.isAlive(row) {
        let values = isCollection ? table.elements(column, row) : [table.value(column, row)]
        for case .link(_, let target) in values { targets.append(target) }
      }
    }
    return IndexRanges(targets)
  }
}
