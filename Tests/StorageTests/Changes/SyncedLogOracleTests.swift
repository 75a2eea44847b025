import Foundation
import TestSupport
import Testing

@testable import Storage

/// Random transactions on a synced file: what the change log says of each is what it did, and together they are the difference
/// between two snapshots, however the file was committed, reopened, compacted and copied in between.
@Suite struct SyncedLogOracleTests {
  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6, 7, 8], short: 3))
  func theLogIsTheDifferenceOfTwoSnapshots(seed: UInt64) throws {
    var run = try SyncedRun(seed: seed, encryptionKey: seed % 3 == 0 ? [UInt8](repeating: 7, count: 64) : nil)
    defer { TemporaryFile.delete(run.path) }
    for _ in 0..<TestLength.count(14, long: 200) {
      for _ in 0..<run.below(12) + 1 { try run.transaction() }
      try run.goOn()
      try check(&run)
      if run.below(2) == 0 { try run.acknowledge() }
    }
    #expect(run.counts.groups > 3 && run.counts.moves > 2 && run.counts.keyChanges > 5)
    #expect(try FileVerification(path: run.path, encryptionKey: run.encryptionKey).faults == [])
  }

  private func check(_ run: inout SyncedRun) throws {
    let now = try run.reader()
    let entries = try now.syncEntries(after: run.acknowledged.version)
    let effects = SyncedModel.effects(entries, from: run.acknowledged.rows, to: SyncedModel.rows(now))
    #expect(effects == run.expected)
    let stamps = entries.filter { $0.origin == .user }.map(\.stamp)
    #expect(stamps == stamps.sorted() && Set(stamps).count == stamps.count && !stamps.contains(0))
    #expect(entries.allSatisfy { $0.origin == .user || $0.stamp == 0 })
    #expect(entries.map(\.version) == entries.map(\.version).sorted())
    // Every cell that is another one now was written by some transaction.
    var touched: Set<SyncedModel.Object> = []
    var written: Set<SyncedModel.Cell> = []
    for effect in effects ?? [] {
      touched.formUnion(effect.created.union(effect.deleted))
      written.formUnion(effect.written)
    }
    let cells = SyncedModel.cells(now)
    for cell in Set(cells.keys).union(run.acknowledged.cells.keys)
    where cells[cell] != run.acknowledged.cells[cell] {
      #expect(touched.contains(.init(table: cell.table, key: cell.key)) || written.contains(cell))
    }
  }
}

/// A synced file, and what its log should say.
struct SyncedRun {
  private var random: SeededGenerator
  private(set) var path = TemporaryFile.path()
  let encryptionKey: [UInt8]?
  /// The first writes most of the time; the second makes the first find versions of others.
  private var writers: [Snapshot]
  /// The version that the server has.
  private(set) var acknowledged:
    (version: UInt64, rows: [SyncedModel.Place: Value], cells: [SyncedModel.Cell: Value])
  /// What every transaction since then has done.
  private(set) var expected: [SyncedModel.Effect] = []
  /// What was staged and is not committed yet.
  private var staged: [SyncedModel.Effect] = []
  private(set) var counts = (groups: 0, moves: 0, keyChanges: 0)
  private var nextKey = 0

  init(seed: UInt64, encryptionKey: [UInt8]?) throws {
    random = SeededGenerator(printing: seed)
    self.encryptionKey = encryptionKey
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: encryptionKey))
    writers = [snapshot, try Snapshot(file: snapshot.file)]
    acknowledged = (0, [:], [:])
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(SyncedModel.catalogue)
    Writer(snapshot).markSynced()
    var touched = SyncedModel.Touched()
    // More rows than a chunk has.
    for _ in 0..<2_500 { insert(snapshot, 0, nil, &touched) }
    try Writer(snapshot).commit(durability: .relaxed)
    try acknowledge()
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// A snapshot of the newest version, as a sync session has one.
  func reader() throws -> Snapshot { try Snapshot(file: writers[0].file) }

  /// The server has everything now.
  mutating func acknowledge() throws {
    let now = try reader()
    let kept = acknowledged.version
    acknowledged = (now.version, SyncedModel.rows(now), SyncedModel.cells(now))
    expected = []
    // The entries since the former acknowledgement are kept for a restore.
    let writer = Writer(writers[1])
    try writer.begin()
    writer.transaction.origin = .sync
    writer.transaction.setTrimBound(kept)
    try writer.commit(durability: .relaxed)
    expected.append(.init(origin: .sync))
  }

  // MARK: Transactions

  mutating func transaction() throws {
    let isGroup = below(4) == 0
    let writer = writers[below(4) == 0 && !isGroup ? 1 : 0]
    for number in 0..<(isGroup ? 2 + below(3) : 1) {
      if number == 0 { try Writer(writer).begin() } else { try Writer(writer).open() }
      let origin: ChangeOrigin = !isGroup && below(4) == 0 ? .sync : .user
      writer.writing?.origin = origin
      var touched = SyncedModel.Touched()
      let isLarge = below(30) == 0
      for _ in 0..<(isLarge ? 1_500 : 1 + below(12)) { step(writer, &touched) }
      let hasChanged = writer.hasUnstagedChanges
      if below(10) == 0 {
        Writer(writer).cancel()
        continue
      }
      let effect = SyncedModel.effect(touched, writer, origin)
      if isGroup {
        try Writer(writer).stage(durability: .relaxed)
        if hasChanged { staged.append(effect) }
      } else {
        try Writer(writer).commit(durability: below(6) == 0 ? .deferred : .relaxed)
        if hasChanged { expected.append(effect) }
      }
    }
    if !writer.hasStagedWrites { return }
    try Writer(writer).commitStaged(durability: .relaxed)
    if staged.count > 1 { counts.groups += 1 }
    expected += staged
    staged = []
  }

  private mutating func makeKey(_ table: Int) -> Value {
    nextKey += 1
    switch table {
    case 0: return .int(Int64(nextKey % 2 == 0 ? nextKey : -nextKey))
    case 1:
      let end = nextKey % 7 == 0 ? String(repeating: "ü\u{0}", count: 600) : ""
      return .string("key \(nextKey)" + end)
    case 2: return .objectId(Fixed12(high: UInt64(nextKey) << 32, low: UInt32(nextKey)))
    default: return .uuid(Fixed16(high: UInt64(nextKey), low: .max))
    }
  }

  private mutating func insert(
    _ snapshot: Snapshot, _ number: Int, _ key: Value?, _ touched: inout SyncedModel.Touched
  ) {
    let table = snapshot.table(number)
    let row = table.insertRow()
    table.setValue(0, row, key ?? makeKey(number))
    table.setInteger(1, row, Int64(below(50)))
    table.setValue(2, row, below(3) == 0 ? .null : .string("text \(below(9))"))
    table.setValue(3, row, .data([UInt8](repeating: 1, count: below(40) == 0 ? 5_000 : 3)))
    table.setLink(4, row, nil)
    touched.new.insert(.init(table: number, row: row))
  }

  private mutating func step(_ snapshot: Snapshot, _ touched: inout SyncedModel.Touched) {
    let number = below(4)
    let table = snapshot.table(number)
    guard let row = someRow(snapshot, number) else { return insert(snapshot, number, nil, &touched) }
    let key = table.value(0, row)
    func note(_ column: Int?) {
      let place = SyncedModel.Place(table: number, row: row)
      if touched.new.contains(place) { return }
      touched.old[place, default: (key, [])].columns.formUnion(column.map { [$0] } ?? [])
    }
    switch below(100) {
    case 0..<20: insert(snapshot, number, nil, &touched)
    case 20..<40:
      note(1)
      table.setInteger(1, row, Int64(below(50)))
    case 40..<52:
      note(2)
      table.setValue(2, row, below(3) == 0 ? .null : .string("text \(below(9))"))
    case 52..<60:
      note(3)
      table.setValue(3, row, below(3) == 0 ? .null : .data([UInt8](repeating: 2, count: below(6_000))))
    case 60..<70:
      let target = SyncedModel.catalogue.tables[number].columns[SyncedModel.linkColumn].target
      if let linked = someRow(snapshot, target) { table.setLink(SyncedModel.linkColumn, row, linked) }
    case 70..<82:
      note(nil)
      table.deleteRow(row)
    case 82..<89:
      // A new row takes the key over.
      note(nil)
      table.deleteRow(row)
      insert(snapshot, number, key, &touched)
    case 89..<94:
      // As a migration may.
      counts.keyChanges += 1
      note(0)
      table.setValue(0, row, freeKey(snapshot, number, touched))
    case 94..<97: _ = snapshot.table(4).insertRow()
    case 97 where below(30) == 0:
      table.forEachRow { row in
        let place = SyncedModel.Place(table: number, row: row)
        if !touched.new.contains(place), touched.old[place] == nil {
          touched.old[place] = (table.value(0, row), [])
        }
      }
      table.deleteAllRows()
    default:
      note(1)
      table.setValue(1, rows: [row], .int(Int64(below(50))))
    }
  }

  /// A key that no row has: a new one, null, or one that the transaction has taken from a row.
  private mutating func freeKey(
    _ snapshot: Snapshot, _ number: Int, _ touched: SyncedModel.Touched
  ) -> Value {
    var candidates = touched.old.filter { $0.key.table == number }
      .sorted { $0.key.row < $1.key.row }.map(\.value.key)
    if snapshot.catalogue.tables[number].columns[0].isNullable { candidates.append(.null) }
    let free = candidates.first {
      snapshot.firstRow(table: number, column: 0, equalTo: IndexKey($0)) == nil
    }
    return below(2) == 0 ? free ?? makeKey(number) : makeKey(number)
  }

  private mutating func someRow(_ snapshot: Snapshot, _ number: Int) -> Int? {
    let limit = snapshot.rowLimit(table: number)
    for _ in 0..<20 where limit > 0 {
      let row = below(limit)
      if snapshot.isAlive(table: number, row: row) { return row }
    }
    return nil
  }

  // MARK: The file

  /// Closes the file, and sometimes compacts it, or goes on with a copy of it.
  mutating func goOn() throws {
    switch below(6) {
    case 0: try reopen {}
    case 1:
      let (path, key) = (path, encryptionKey)
      try reopen {
        // A deferred commit keeps it open until it is synced.
        try waitUntil { !DatabaseFile.isOpen(path: path) }
        let isCompacted = try DatabaseFile.compact(path: path, encryptionKey: key)
        #expect(isCompacted)
      }
      counts.moves += 1
    case 2:
      let copy = TemporaryFile.path()
      try writers[0].advance()
      try writers[0].writeCopy(to: copy, encryptionKey: encryptionKey)
      let former = path
      path = copy
      try reopen { TemporaryFile.delete(former) }
      counts.moves += 1
    case 3:
      // A copy of an open transaction has what that has changed, and the entry of it.
      let copy = TemporaryFile.path()
      try Writer(writers[0]).begin()
      var touched = SyncedModel.Touched()
      for _ in 0..<5 { step(writers[0], &touched) }
      let hasChanged = writers[0].hasUnstagedChanges
      let effect = SyncedModel.effect(touched, writers[0], .user)
      try writers[0].writeCopy(to: copy, encryptionKey: encryptionKey)
      Writer(writers[0]).cancel()
      if hasChanged { expected.append(effect) }
      let former = path
      path = copy
      try reopen { TemporaryFile.delete(former) }
      counts.moves += 1
    default: break
    }
  }

  private mutating func reopen(_ body: () throws -> Void) throws {
    writers = []
    try body()
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: encryptionKey))
    writers = [snapshot, try Snapshot(file: snapshot.file)]
  }
}
