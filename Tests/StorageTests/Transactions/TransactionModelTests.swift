import Foundation
import TestSupport
import Testing

@testable import Storage

/// Random operations on a file, compared with plain dictionaries after every transaction.
@Suite struct TransactionModelTests {
  typealias Row = [Int: Cell]

  enum Cell: Equatable {
    case value(Value)
    case elements([Value])
    case entries([String: Value])
  }

  struct Model: Equatable {
    var rows: [Int: Row] = [:]
    var children: Set<Int> = []
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

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomOperations(seed: UInt64) throws { try run(seed: seed, stages: false) }

  /// The same with transactions that become a version together with later ones.
  @Test(arguments: [5, 6, 7, 8] as [UInt64])
  func stagedOperations(seed: UInt64) throws { try run(seed: seed, stages: true) }

  private func run(seed: UInt64, stages: Bool) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.writing!.isCatalogueChanged = true
    snapshot.install(Self.catalogue)
    try snapshot.commitWrite(durability: .relaxed)
    var committed = Model()
    // What the snapshot sees: also what is staged.
    var visible = Model()
    let other = try Snapshot(file: snapshot.file)
    var groups = 0
    for _ in 0..<(stages ? 40 : 60) {
      let hasStaged = snapshot.hasStagedWrites
      if hasStaged { try snapshot.openWrite() } else { try snapshot.beginWrite() }
      var model = visible
      // Some transactions are large, so that chunks fill and split.
      let steps = Int.random(in: 0..<8, using: &random) == 0 ? 700 : 30
      for _ in 0..<steps { step(snapshot, &model, &random) }
      check(snapshot, model)
      let end = Int.random(in: 0..<(stages ? 12 : 4), using: &random)
      if end == 0 || (stages && end < 3) {
        snapshot.cancelWrite()
      } else if stages && end < 9 {
        try snapshot.stageWrite(durability: .relaxed)
        visible = model
        if hasStaged { groups += 1 }
      } else {
        try snapshot.commitWrite(durability: .relaxed)
        visible = model
        committed = model
      }
      check(snapshot, visible)
      if snapshot.hasStagedWrites {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          snapshot.discardStagedWrites()
          visible = committed
        case 1:
          try snapshot.commitStagedWrites(durability: .relaxed)
          committed = visible
        case 2, 3:
          // While the next one is open.
          try snapshot.openWrite()
          var model = visible
          for _ in 0..<Int.random(in: 0..<20, using: &random) { step(snapshot, &model, &random) }
          try snapshot.commitStagedWrites(durability: .relaxed)
          committed = visible
          check(snapshot, model)
          for _ in 0..<Int.random(in: 0..<20, using: &random) { step(snapshot, &model, &random) }
          check(snapshot, model)
          if Bool.random(using: &random) {
            snapshot.cancelWrite()
          } else {
            try snapshot.commitWrite(durability: .relaxed)
            (visible, committed) = (model, model)
          }
        default: break
        }
        check(snapshot, visible)
      }
      try other.advance()
      check(other, committed)
      if !snapshot.hasStagedWrites, Int.random(in: 0..<5, using: &random) == 0 {
        snapshot = try Snapshot(file: snapshot.file)
        check(snapshot, committed)
      }
    }
    #expect(!stages || groups > 1)
    if snapshot.hasStagedWrites { try snapshot.commitStagedWrites(durability: .relaxed) }
    snapshot = try Snapshot(file: snapshot.file)
    check(snapshot, visible)
    #expect(!visible.rows.isEmpty)
  }
}
