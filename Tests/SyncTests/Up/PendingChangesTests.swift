import Storage
import Sync
import TestSupport
import Testing

@Suite struct PendingChangesTests {
  private func change(
    created: Range<Int>? = nil, written: [Int: [Int]] = [:], deleted: [(Int64, Int)] = []
  ) -> SyncTableChange {
    var change = SyncTableChange(table: 0)
    if let created { change.created = IndexRanges(created) }
    change.written = written.mapValues { IndexRanges($0) }
    change.deleted = deleted.map { DeletedKey(key: .int($0.0), row: $0.1) }
    return change
  }

  private func rows(
    _ pending: PendingChanges, alive: Set<Int>, key: @escaping (Int) -> Int64 = { Int64($0) }
  ) -> [PushedRow] {
    var rows: [PushedRow] = []
    let add = { (row: PushedRow) in rows.append(row) }
    pending.forEachPushedRow(
      table: 0, slots: [1, 2], isAlive: { alive.contains($0) }, key: { .int(key($0)) }, add)
    return rows
  }

  @Test func theLatestStampOfAWriteIsSent() {
    var pending = PendingChanges(after: 0)
    pending.add([change(written: [1: [5]])], version: 1, origin: .user, stamp: Stamp(rawValue: 10)) { _, _ in
      nil
    }
    pending.add([change(written: [1: [5], 2: [5]])], version: 2, origin: .user, stamp: Stamp(rawValue: 11)) {
      _, _ in nil
    }
    let stamp = Stamp(rawValue: 11)
    #expect(
      rows(pending, alive: [5]) == [PushedRow(.updated, key: .int(5), row: 5, written: [1: stamp, 2: stamp])])
    #expect(pending.version == 2)
  }

  @Test func writesOfColumnsThatAreNotSyncedAreNotSent() {
    var pending = PendingChanges(after: 0)
    pending.add([change(written: [9: [5]])], version: 1, origin: .user, stamp: Stamp(rawValue: 10)) { _, _ in
      nil
    }
    #expect(rows(pending, alive: [5]).isEmpty)
  }

  @Test func aSyncWriteOfAValueCancelsThatValueOnly() {
    var pending = PendingChanges(after: 0)
    pending.add([change(written: [1: [5], 2: [5]])], version: 1, origin: .user, stamp: Stamp(rawValue: 10)) {
      _, _ in nil
    }
    pending.add([change(written: [1: [5]])], version: 2, origin: .sync, stamp: .never) { _, _ in nil }
    #expect(
      rows(pending, alive: [5])
        == [PushedRow(.updated, key: .int(5), row: 5, written: [2: Stamp(rawValue: 10)])])
  }

  @Test func aSyncDeletionCancelsTheRowAndASyncInsertionTheDeletionOfItsKey() {
    var pending = PendingChanges(after: 0)
    pending.add(
      [change(created: 5..<6, written: [1: [3]], deleted: [(77, 4)])], version: 1, origin: .user,
      stamp: Stamp(rawValue: 10)
    ) { _, _ in nil }
    #expect(rows(pending, alive: [3, 5]).count == 3)
    pending.add([change(deleted: [(3, 3), (5, 5)])], version: 2, origin: .sync, stamp: .never) { _, _ in nil }
    #expect(rows(pending, alive: []).map(\.operation) == [.deleted])
    pending.add([change(created: 6..<7)], version: 3, origin: .sync, stamp: .never) { _, row in
      IndexKey(Int64(row == 6 ? 77 : 0))
    }
    #expect(rows(pending, alive: [6]).isEmpty)
    #expect(pending.isClean(table: 0, row: 6))
  }

  @Test func aKeyDeletedAndCreatedInOneTransactionIsDeletedBeforeItIsCreated() {
    var pending = PendingChanges(after: 0)
    let stamp = Stamp(rawValue: 10)
    pending.add(
      [change(created: 5..<6, deleted: [(1, 4)])], version: 1, origin: .user, stamp: stamp
    ) { _, _ in nil }
    #expect(
      rows(pending, alive: [5], key: { _ in 1 }) == [
        PushedRow(.deleted, key: .int(1), at: stamp.predecessor),
        PushedRow(.created, key: .int(1), row: 5, at: stamp),
      ])
  }

  @Test func aRowWithAnotherKeyIsAnotherObject() {
    var pending = PendingChanges(after: 0)
    var renaming = change(deleted: [(1, 4)])
    renaming.created = IndexRanges(4..<5)
    pending.add([change(created: 8..<9)], version: 1, origin: .user, stamp: Stamp(rawValue: 9)) { _, _ in nil
    }
    pending.add([renaming], version: 2, origin: .user, stamp: Stamp(rawValue: 10)) { _, _ in nil }
    #expect(
      rows(pending, alive: [4, 8], key: { $0 == 4 ? 2 : 8 }) == [
        PushedRow(.deleted, key: .int(1), at: Stamp(rawValue: 10)),
        PushedRow(.created, key: .int(8), row: 8, at: Stamp(rawValue: 9)),
        PushedRow(.created, key: .int(2), row: 4, at: Stamp(rawValue: 10)),
      ])
  }

  @Test func everythingInAFileThatWasNotSyncedIsPending() {
    let pending = PendingChanges(everythingAt: 4, stamp: Stamp(rawValue: 3), rowLimits: [0: 3])
    #expect(rows(pending, alive: [0, 2, 5]).map(\.row) == [0, 2])
    #expect(pending.creation(table: 0, row: 2) == Stamp(rawValue: 3))
    #expect(pending.creation(table: 0, row: 3) == nil)
  }

  /// A row of the model with all that ever happened to it.
  private struct History {
    var key: Int64
    var created: (stamp: Stamp, origin: ChangeOrigin)
    var writes: [(column: Int, stamp: Stamp, origin: ChangeOrigin)] = []
    var isAlive = true

    /// The stamp of the last user's write that no write of sync has followed.
    func pending(_ column: Int) -> Stamp? {
      guard let last = writes.last(where: { $0.column == column }), last.origin == .user else { return nil }
      return last.stamp
    }
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6, 7, 8], short: 4))
  func randomTransactionsLeavePendingWhatAModelSays(seed: UInt64) {
    var random = SeededGenerator(printing: seed)
    for _ in 0..<TestLength.count(50, long: 1000) { compare(&random) }
  }

  private func compare(_ random: inout SeededGenerator) {
    var histories: [History] = []
    var deletions: [Int64: Stamp] = [:]
    var pending = PendingChanges(after: 0)
    for version in 1...UInt64.random(in: 1...30, using: &random) {
      let origin: ChangeOrigin = Bool.random(using: &random) ? .user : .sync
      let stamp = Stamp(rawValue: Int64(version) * 10)
      let before = histories
      var (written, deleted): ([Int: [Int]], [(Int64, Int)]) = ([:], [])
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let row = histories.isEmpty ? -1 : Int.random(in: 0..<histories.count, using: &random)
        if row >= 0, histories[row].isAlive, Int.random(in: 0..<3, using: &random) > 0 {
          if Int.random(in: 0..<4, using: &random) == 0 {
            histories[row].isAlive = false
            if row < before.count {
              deleted.append((histories[row].key, row))
              if origin == .user { deletions[histories[row].key] = stamp }
            }
          } else {
            let column = Int.random(in: 1...2, using: &random)
            if row < before.count {
              histories[row].writes.append((column, stamp, origin))
              written[column, default: []].append(row)
            }
          }
        } else {
          let key = Int64.random(in: 0..<6, using: &random)
          if histories.contains(where: { $0.isAlive && $0.key == key }) { continue }
          histories.append(History(key: key, created: (stamp, origin)))
        }
      }
      let gone = histories.indices.filter { !histories[$0].isAlive }
      for column in written.keys { written[column]!.removeAll { gone.contains($0) } }
      var entry = change(written: written, deleted: deleted)
      entry.created = IndexRanges(before.count..<histories.count)
      if origin == .sync {
        for history in histories[before.count...] where history.isAlive { deletions[history.key] = nil }
      }
      pending.add([entry], version: version, origin: origin, stamp: stamp) { _, row in
        histories[row].isAlive ? IndexKey(histories[row].key) : nil
      }
    }
    expect(pending, histories, deletions)
  }

  private func expect(_ pending: PendingChanges, _ histories: [History], _ deletions: [Int64: Stamp]) {
    var expected: [PushedRow] = []
    for (key, stamp) in deletions.sorted(by: { $0.key < $1.key }) {
      let isAgain = histories.contains {
        $0.isAlive && $0.key == key && $0.created.origin == .user && $0.created.stamp == stamp
      }
      expected.append(PushedRow(.deleted, key: .int(key), at: isAgain ? stamp.predecessor : stamp))
    }
    var updated: [PushedRow] = []
    for (row, history) in histories.enumerated() where history.isAlive {
      var stamps: [Int: Stamp] = [:]
      for column in 1...2 { stamps[column] = history.pending(column) }
      if history.created.origin == .user {
        expected.append(
          PushedRow(.created, key: .int(history.key), row: row, at: history.created.stamp, written: stamps))
      } else if !stamps.isEmpty {
        updated.append(PushedRow(.updated, key: .int(history.key), row: row, written: stamps))
      }
    }
    let alive = Set(histories.indices.filter { histories[$0].isAlive })
    let found = rows(pending, alive: alive) { histories[$0].key }
    #expect(found == expected + updated)
  }
}
