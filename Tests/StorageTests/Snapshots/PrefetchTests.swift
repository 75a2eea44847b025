import TestSupport
import Testing

@testable import Storage

/// Asking for memory ahead changes nothing, whatever form the chunks have that it lies in.
@Suite struct PrefetchTests {
  private static let types: [ValueType] = [
    .int, .bool, .float, .double, .date, .string, .data, .objectId, .uuid, .decimal128, .mixed,
  ]
  private static let columns = (0..<70).map { number in
    Column(name: "column\(number)", type: types[number % types.count], isNullable: number % 2 == 1)
  }

  @Test(arguments: TestLength.seeds([51, 52, 53], short: 1)) func allFormsOfChunks(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Catalogue(tables: [TableDescription(name: "Wide", columns: Self.columns)]))
    let table = snapshot.table(0)
    for _ in 0..<2_000 {
      let row = table.insertRow()
      for column in Self.columns.indices {
        table.setValue(column, row, Self.value(Self.types[column % Self.types.count], &random))
      }
    }
    func prefetchAll(_ columns: UInt64) {
      for row in [0, 1, 959, 960, 1_234, 1_999] { table.prefetch(row, columns: columns) }
    }
    prefetchAll(.max)
    try Writer(snapshot).commit(durability: .relaxed)
    try Writer(snapshot).begin()
    prefetchAll(.max)
    #expect(
      Self.columns.indices.allSatisfy { !table.isTouched($0, chunk: 0) && !table.isTouched($0, chunk: 1) })
    let rows = Array(stride(from: 0, to: 2_000, by: 37))
    let before = rows.map { row in Self.columns.indices.map { ExactValue(table.value($0, row)) } }
    // Half of the columns wide, the others as they are stored.
    for column in stride(from: 0, to: 70, by: 2) {
      table.setValue(column, 5, Self.value(Self.types[column % Self.types.count], &random))
    }
    let stamp = snapshot.contentStamp
    for columns in [0, 1, .max, random.next(), random.next()] as [UInt64] {
      for row in rows { table.prefetch(row, columns: columns) }
    }
    #expect(snapshot.contentStamp == stamp)
    #expect(rows.map { row in Self.columns.indices.map { ExactValue(table.value($0, row)) } } == before)
    Writer(snapshot).cancel()
  }

  private static func value(_ type: ValueType, _ random: inout SeededGenerator) -> Value {
    let number = Int64.random(in: 0..<300, using: &random)
    switch type {
    case .bool: return .bool(number % 2 == 0)
    case .float: return .float(Float(number))
    case .double: return .double(Double(number))
    case .date: return .date(Double(number))
    case .string: return .string(String(repeating: "x", count: Int(number)))
    case .data: return .data([UInt8](repeating: 7, count: Int(number % 5)))
    case .objectId: return .objectId(Fixed12(high: UInt64(number), low: 3))
    case .uuid: return .uuid(Fixed16(high: UInt64(number), low: 3))
    case .decimal128: return .decimal128(Fixed16(high: UInt64(number), low: 3))
    default: return .int(number)
    }
  }
}
