import Foundation
import TestSupport
import Testing

@testable import Storage

/// Random operations on a file, compared with plain dictionaries after every transaction.
@Suite struct TransactionModelTests {
  /// A cell of each column.
  typealias Row = [Cell]

  enum Cell: Equatable {
    case value(Value)
    /// Those of sets in their order.
    case elements([Value])
    case entries([String: Value])
  }

  struct Model {
    var rows: [Int: Row] = [:]
    /// The numbers of the rows, ascending.
    var numbers: [Int] = []
    var children: Set<Int> = []
    /// The rows that were changed since the last transaction began.
    var changed: Set<Int> = []
    /// The rows that link to a row, with some that did.
    var linking: [Int: Set<Int>] = [:]
  }

  static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .mixed, .objectId, .decimal128, .uuid, .link,
  ]

  /// Columns of every type: required, optional, list, optional list, set, map; then an embedded link and list.
  static let catalogue: Catalogue = {
    var columns: [Column] = [Column(name: "id", type: .int, isIndexed: true, isPrimaryKey: true)]
    for type in types {
      let always = type == .mixed || type == .link
      let target = type == .link ? 0 : -1
      for nullable in always ? [true] : [false, true] {
        columns.append(
          Column(
            name: "\(type)-\(nullable)", type: type, isNullable: nullable,
            isIndexed: [.int, .string, .date, .uuid].contains(type), target: target))
      }
      for collection in [CollectionType.list, .set, .map] {
        columns.append(
          Column(
            name: "\(type)-\(collection)", type: type, collection: collection,
            isNullable: collection == .map || (collection == .list && type != .link), target: target))
      }
    }
    columns.append(Column(name: "child", type: .link, isNullable: true, target: 1))
    columns.append(Column(name: "children", type: .link, collection: .list, target: 1))
    return Catalogue(
      schemaVersion: 1,
      tables: [
        TableDescription(name: "Thing", columns: columns),
        TableDescription(name: "Child", isEmbedded: true, columns: [Column(name: "n", type: .int)]),
      ])
  }()

  @Test(arguments: TestLength.seeds([1, 2, 3, 4], short: 2))
  func randomOperations(seed: UInt64) throws { try run(seed: seed, stages: false) }

  /// The same with transactions that become a version together with later ones.
  @Test(arguments: TestLength.seeds([1_007, 5, 6, 7, 8], short: 3))
  func stagedOperations(seed: UInt64) throws { try run(seed: seed, stages: true) }

  private func run(seed: UInt64, stages: Bool) throws {
    var run = try Run(seed: seed)
    defer { TemporaryFile.delete(run.path) }
    for number in 0..<(stages ? 40 : 60) {
      let hasStaged = run.snapshot.hasStagedWrites
      if hasStaged { try Writer(run.snapshot).open() } else { try Writer(run.snapshot).begin() }
      run.change(self)
      let rows = TestLength.isLong || number % 4 == 3 ? nil : run.model.changed
      check(run.snapshot, run.model, rows: rows)
      try run.end(stages: stages, hasStaged)
      check(run.snapshot, run.visible, rows: rows)
      if run.snapshot.hasStagedWrites { try run.goOn(self) }
      try run.other.advance()
      check(run.other, run.committed, rows: rows)
      if !run.snapshot.hasStagedWrites, run.below(5) == 0 {
        run.snapshot = try Snapshot(file: run.snapshot.file)
        check(run.snapshot, run.committed)
      }
    }
    #expect(!stages || run.groups > 1)
    if run.snapshot.hasStagedWrites { try Writer(run.snapshot).commitStaged(durability: .relaxed) }
    run.snapshot = try Snapshot(file: run.snapshot.file)
    check(run.snapshot, run.visible)
    #expect(!run.visible.rows.isEmpty)
  }

  /// A file, and what should be in it.
  private struct Run {
    var random: SeededGenerator
    let path = TemporaryFile.path()
    var snapshot: Snapshot
    let other: Snapshot
    var committed = Model()
    /// What the snapshot sees: also what is staged.
    var visible = Model()
    /// What the open transaction has made of it.
    var model = Model()
    /// How often a transaction was staged on top of another.
    var groups = 0

    init(seed: UInt64) throws {
      print("seed \(seed)")
      random = SeededGenerator(seed: seed)
      snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      snapshot.writing!.isCatalogueChanged = true
      snapshot.install(TransactionModelTests.catalogue)
      try Writer(snapshot).commit(durability: .relaxed)
      other = try Snapshot(file: snapshot.file)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func change(_ test: TransactionModelTests) {
      model = visible
      model.changed = []
      // Some transactions are large, so that chunks fill and split.
      for _ in 0..<(below(8) == 0 ? 700 : 30) { test.step(snapshot, &model, &random) }
    }

    /// Cancels, stages or commits.
    mutating func end(stages: Bool, _ hasStaged: Bool) throws {
      let end = below(stages ? 12 : 4)
      if end == 0 || (stages && end < 3) {
        Writer(snapshot).cancel()
      } else if stages && end < 9 {
        try Writer(snapshot).stage(durability: .relaxed)
        visible = model
        if hasStaged { groups += 1 }
      } else {
        try Writer(snapshot).commit(durability: .relaxed)
        (visible, committed) = (model, model)
      }
    }

    /// Sometimes commits or discards what is staged.
    mutating func goOn(_ test: TransactionModelTests) throws {
      switch below(10) {
      case 0:
        Writer(snapshot).discardStaged()
        visible = committed
      case 1:
        try Writer(snapshot).commitStaged(durability: .relaxed)
        committed = visible
      case 2, 3:
        // While the next one is open.
        try Writer(snapshot).open()
        model = visible
        for _ in 0..<below(20) { test.step(snapshot, &model, &random) }
        try Writer(snapshot).commitStaged(durability: .relaxed)
        committed = visible
        test.check(snapshot, model)
        for _ in 0..<below(20) { test.step(snapshot, &model, &random) }
        test.check(snapshot, model)
        if Bool.random(using: &random) {
          Writer(snapshot).cancel()
        } else {
          try Writer(snapshot).commit(durability: .relaxed)
          (visible, committed) = (model, model)
        }
      default: return
      }
      test.check(snapshot, visible)
    }
  }
}
