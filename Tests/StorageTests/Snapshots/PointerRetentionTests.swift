import TestSupport
import Testing

@testable import Storage

/// A reader that moves to newer versions keeps the places of chunks that have not changed. What it reads must be what
/// a new reader reads, however often pages were freed and used again in between.
@Suite struct PointerRetentionTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Dog",
      columns: [
        Column(name: "age", type: .int), Column(name: "name", type: .string),
        Column(name: "weight", type: .double, isNullable: true),
      ]),
    TableDescription(name: "Toy", columns: [Column(name: "price", type: .int)]),
    TableDescription(name: "Wide", columns: (0..<30).map { Column(name: "number\($0)", type: .int) }),
  ])

  /// The first row of which two snapshots of a version show different values. Chunks are compared by where they lie: at
  /// the same place they are the same.
  private static func difference(_ some: Snapshot, _ others: Snapshot) -> String? {
    for number in 0..<2 {
      let (table, other) = (some.table(number), others.table(number))
      guard table.rowLimit == other.rowLimit else { return "\(table.rowLimit) rows, not \(other.rowLimit)" }
      for column in -1..<some.catalogue.tables[number].columns.count {
        for chunk in 0..<table.chunkCount
        where table.chunk(column, number: chunk).base != other.chunk(column, number: chunk).base {
          let first = chunk * chunkCapacity
          for row in first..<min(first + chunkCapacity, table.rowLimit) {
            let isSame =
              column == -1
              ? table.isAlive(row) == other.isAlive(row)
              : table.value(column, row) == other.value(column, row)
            if !isSame { return "table \(number), column \(column), row \(row)" }
          }
        }
      }
    }
    return nil
  }

  private static func keptCount(_ snapshot: Snapshot, table number: Int = 0) -> Int {
    let table = snapshot.table(number)
    return snapshot.catalogue.tables[number].columns.indices.reduce(0) { count, column in
      count + (0..<table.chunkCount).count { table.state.pointee.columns[column][$0] != nil }
    }
  }

  @Test(arguments: TestLength.seeds([41, 42, 43], short: 2))
  func readersSeeEveryVersionWhole(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let writer = try Snapshot(file: file)
    try Writer(writer).begin()
    Writer(writer).setCatalogue(Self.catalogue)
    let dogs = writer.table(0)
    let toys = writer.table(1)
    func insert(_ count: Int) {
      for _ in 0..<count {
        let row = dogs.insertRow()
        dogs.setInteger(0, row, Int64(below(1000)))
        dogs.setString(1, row, String(repeating: "name \(below(10_000)) ", count: below(4)))
        dogs.setDouble(2, row, Double(below(100)))
      }
      toys.setInteger(0, toys.insertRow(), Int64(below(50)))
    }
    insert(6000)
    try Writer(writer).commit(durability: .relaxed)
    let reader = try Snapshot(file: file)
    var kept = 0
    for round in 0..<150 {
      // Sometimes the reader stays behind for several versions, sometimes for more than are looked through.
      let commits = round == 75 ? 80 : 1 + below(3)
      for _ in 0..<commits {
        try Writer(writer).begin()
        switch below(10) {
        case 0: insert(below(1500))
        case 1: for _ in 0..<20 { dogs.deleteRow(aliveRow(dogs, below)) }
        case 2: for row in 0..<dogs.rowLimit where dogs.isAlive(row) { dogs.setInteger(0, row, Int64(round)) }
        case 3: toys.setInteger(0, toys.insertRow(), 3)
        default:
          for _ in 0..<1 + below(5) {
            let row = aliveRow(dogs, below)
            switch below(3) {
            case 0: dogs.setInteger(0, row, Int64(below(1 << 40)))
            case 1: dogs.setString(1, row, "new \(below(1000))")
            default: dogs.setNull(2, row)
            }
          }
        }
        try Writer(writer).commit(durability: .relaxed)
      }
      try reader.advance()
      kept += Self.keptCount(reader)
      #expect(Self.difference(reader, try Snapshot(file: file)) == nil, "round \(round)")
    }
    #expect(kept > 500, "hardly any place was kept")
  }

  private func aliveRow(_ table: Table, _ below: (Int) -> Int) -> Int {
    while true {
      let row = below(table.rowLimit)
      if table.isAlive(row) { return row }
    }
  }

  /// More chunks than are listed one by one.
  @Test func manyChunks() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let writer = try Snapshot(file: file)
    try Writer(writer).begin()
    Writer(writer).setCatalogue(Self.catalogue)
    let wide = writer.table(2)
    let rowCount = 80 * chunkCapacity
    for row in 0..<rowCount { wide.setInteger(0, wide.insertRow(), Int64(row % 300)) }
    try Writer(writer).commit(durability: .relaxed)
    let reader = try Snapshot(file: file)
    func sums(_ snapshot: Snapshot) -> [Int64] {
      let table = snapshot.table(2)
      return (0..<table.chunkCount).map { number in
        for column in 1..<30 { _ = table.chunk(column, number: number) }
        let chunk = table.chunk(0, number: number)
        return (0..<chunkCapacity).reduce(0) { $0 + chunk.integer($1) }
      }
    }
    _ = sums(reader)
    for row in [5, rowCount / 2, rowCount - 1] {
      try Writer(writer).begin()
      wide.setInteger(0, row, 1_000_000)
      try Writer(writer).commit(durability: .relaxed)
      try reader.advance()
      #expect(Self.keptCount(reader, table: 2) > 2000)
      #expect(sums(reader) == sums(try Snapshot(file: file)))
    }
  }
}
