import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Sorting and distinct, compared with a plain stable sort.
@Suite struct SortTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .date, .float, .double, .mixed, .objectId, .decimal128, .uuid,
  ]

  private static let columns: [Column] =
    types.map { Column(name: "\($0)", type: $0, isNullable: true) } + [
      Column(name: "link", type: .link, isNullable: true, target: 0),
      Column(name: "map", type: .int, collection: .map, isNullable: true),
      Column(name: "common", type: .string),
    ]

  private static func database(_ values: inout RandomValues, rows: Int) throws -> TestDatabase {
    let database = try TestDatabase([TableDescription(name: "Thing", columns: columns)])
    for _ in 0..<rows {
      var content: [String: Value] = [:]
      for type in types where !values.chance(6) { content["\(type)"] = values.value(type) }
      // Strings that agree in many bytes, end in zeros, or are equal.
      let suffixes = ["", "\0", "\0\0", "a", "b", "-long enough to leave the first words behind", "é"]
      content["common"] = .string(
        "common prefix of more than sixteen bytes" + suffixes[values.below(7)] + suffixes[values.below(7)])
      if values.chance(3) {
        content["map"] = .dictionary([.init(key: "k", value: .int(Int64(values.below(9))))])
      }
      database.insert(0, content)
    }
    for row in 0..<rows where !values.chance(4) {
      database.snapshot.table(0).setValue(types.count, row, .link(table: 0, row: values.below(rows)))
    }
    return database
  }

  /// Nil where the link is null.
  private static func value(_ database: TestDatabase, _ path: String, _ row: Int) -> Value? {
    let table = database.snapshot.table(0)
    let names = path.split(separator: ".")
    if names.count == 2 {
      return table.link(types.count, row).map { value(database, String(names[1]), $0)! }
    }
    if path == "map[k]" {
      let (position, isFound) = table.position(types.count + 1, row, ofKey: "k")
      return isFound ? table.element(types.count + 1, row, at: position) : .null
    }
    return table.value(database.snapshot.catalogue.tables[0].column(named: path)!, row)
  }

  /// A key, and what each row has there, which is read once.
  private typealias PlainKey = (values: [Value?], isAscending: Bool)

  /// Decimals that are equal, but written differently, sort alike.
  private static func order(_ keys: [PlainKey], _ a: Int, _ b: Int) -> Int {
    for key in keys {
      let (a, b) = (key.values[a], key.values[b])
      let order =
        if let a, let b { Value.order(a, b) } else { (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }

  @Test(arguments: [31, 32, 33] as [UInt64])
  func sortsLikeAPlainStableSort(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try Self.database(&values, rows: 1500)
    if seed != 31 { try database.commit() }
    let catalogue = database.snapshot.catalogue
    let paths = Self.types.map { "\($0)" } + ["link.string", "link.int", "link.uuid", "map[k]", "common"]
    let content = paths.map { path in (0..<1500).map { Self.value(database, path, $0) } }
    for _ in 0..<60 {
      let keys = (0..<1 + values.below(3)).map { _ in (values.below(paths.count), values.chance(2)) }
      let plainKeys = keys.map { (values: content[$0.0], isAscending: $0.1) }
      let sortKeys = try keys.map {
        try SortKey(keyPath: paths[$0.0], isAscending: $0.1, table: 0, catalogue: catalogue)
      }
      let rows = (0..<[0, 1, 2, 15, 200, 1500][values.below(6)]).map { _ in values.below(1500) }
      let expected = rows.enumerated().sorted { a, b in
        let order = Self.order(plainKeys, a.element, b.element)
        return order < 0 || order == 0 && a.offset < b.offset
      }.map(\.element)
      let sorted = database.snapshot.sort(rows, by: sortKeys, table: 0)
      #expect(sorted == expected, "\(sortKeys)")
      let limit = values.below(rows.count + 2)
      #expect(
        database.snapshot.sort(rows, by: sortKeys, table: 0, limit: limit) == Array(expected.prefix(limit)),
        "\(sortKeys)")
      var distinct: [Int] = []
      for row in rows where !distinct.contains(where: { Self.order(plainKeys, $0, row) == 0 }) {
        if plainKeys.contains(where: { $0.values[row] == nil }) { continue }
        distinct.append(row)
        if distinct.count > 300 { break }
      }
      if distinct.count <= 300 {
        #expect(database.snapshot.distinct(rows, by: sortKeys, table: 0) == distinct, "\(sortKeys)")
      }
    }
  }

  @Test func noKeysKeepTheOrder() throws {
    var values = RandomValues(random: SeededGenerator(seed: 1))
    let database = try Self.database(&values, rows: 3)
    #expect(database.snapshot.sort([2, 0, 1], by: [], table: 0) == [2, 0, 1])
    #expect(database.snapshot.sort([2, 0, 1], by: [], table: 0, limit: 2) == [2, 0])
  }

  @Test(arguments: [
    ("", "missing property name."), ("a..b", "property 'Thing.a' does not exist."),
    ("nope", "property 'Thing.nope' does not exist."),
    ("link", "property 'Thing.link' of type 'object' cannot be the final property in the key path."),
    ("string.x", "property 'Thing.string' of type 'string' may only be the final property in the key path."),
    ("map", "missing dictionary key."), ("@count", "KVC collection operators are not supported."),
    ("data", "property 'Thing.data' is of unsupported type 'data'."),
    ("list", "property 'Thing.list' of type 'array<int>' cannot be the final property in the key path."),
    ("link.", "missing property name."),
  ])
  func refused(path: String, reason: String) {
    let columns =
      Self.columns + [Column(name: "data", type: .data), Column(name: "list", type: .int, collection: .list)]
    let catalogue = Catalogue(tables: [TableDescription(name: "Thing", columns: columns)])
    let error = #expect(throws: PredicateError.self) {
      try SortKey(keyPath: path, table: 0, catalogue: catalogue)
    }
    #expect(error?.message == "Cannot sort on key path '\(path)': \(reason)")
  }
}
