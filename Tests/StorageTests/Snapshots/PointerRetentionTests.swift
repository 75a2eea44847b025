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
  ])

  private static func values(_ snapshot: Snapshot) -> [[Value]] {
    (0..<2).flatMap { number in
      let table = snapshot.table(number)
      let columns = snapshot.catalogue.tables[number].columns.indices
      return (0..<table.rowLimit).map { row in
        table.isAlive(row) ? columns.map { table.value($0, row) } : []
      }
    }
  }

  private static func keptCount(_ snapshot: Snapshot) -> Int {
    let table = snapshot.table(0)
    return (0..<3).reduce(0) { count, column in
      count + (0..<table.chunkCount).count { table.state.pointee.columns[column][$0] != nil }
    }
  }

  @Test(arguments: [41, 42, 43] as [UInt64])
  func readersSeeEveryVersionWhole(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let writer = try Snapshot(file: file)
    try writer.beginWrite()
    writer.setCatalogue(Self.catalogue)
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
    try writer.commitWrite(durability: .relaxed)
    let reader = try Snapshot(file: file)
    var kept = 0
    for round in 0..<150 {
      // Sometimes the reader stays behind for several versions, sometimes for more than are looked through.
      let commits = round == 75 ? 80 : 1 + below(3)
      for _ in 0..<commits {
        try writer.beginWrite()
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
        try writer.commitWrite(durability: .relaxed)
      }
      try reader.advance()
      kept += Self.keptCount(reader)
      #expect(Self.values(reader) == Self.values(try Snapshot(file: file)), "round \(round)")
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
    try writer.beginWrite()
    writer.setCatalogue(Self.catalogue)
    let dogs = writer.table(0)
    for row in 0..<700_000 { dogs.setInteger(0, dogs.insertRow(), Int64(row % 300)) }
    try writer.commitWrite(durability: .relaxed)
    let reader = try Snapshot(file: file)
    func sums(_ snapshot: Snapshot) -> [Int64] {
      let table = snapshot.table(0)
      return (0..<table.chunkCount).map { chunk in
        _ = table.chunk(1, number: chunk)
        _ = table.chunk(2, number: chunk)
        return (0..<min(chunkCapacity, table.rowLimit - chunk * chunkCapacity)).reduce(0) {
          $0 + table.chunk(0, number: chunk).integer($1)
        }
      }
    }
    _ = sums(reader)
    for row in [5, 350_000, 699_999] {
      try writer.beginWrite()
      dogs.setInteger(0, row, 1_000_000)
      try writer.commitWrite(durability: .relaxed)
      try reader.advance()
      #expect(Self.keptCount(reader) > 2000)
      #expect(sums(reader) == sums(try Snapshot(file: file)))
    }
  }
}
