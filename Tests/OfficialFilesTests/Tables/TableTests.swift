import Testing

@testable import OfficialFiles

/// Schemas made by hand.
struct TableTests {
  typealias Column = FileBuilder.Column

  private func file(
    _ columns: [Column], targets: [Int64]? = nil, primaryKey: Int64? = nil, format: UInt8 = 24,
    _ leaves: (inout FileBuilder) -> [Int]
  ) throws -> OfficialFile {
    var builder = FileBuilder()
    builder.format = format
    let clusters = builder.cluster(count: 1, leaves(&builder))
    let table = builder.table(columns, clusters: clusters, targets: targets, primaryKey: primaryKey)
    return try OfficialFile(builder.file([("class_A", table)]))
  }

  @Test func placesAreNotPositions() throws {
    let columns = [Column(name: "x", type: 0, place: 2), Column(name: "y", type: 0, place: 0)]
    let file = try file(columns, primaryKey: columns[1].key) {
      let y = $0.integers([1])
      // A column was removed between them.
      return [y, 0, $0.integers([2])]
    }
    #expect(try file.tables[0].contents(file) == [0: ["x": .int(2), "y": .int(1)]])
    #expect(file.tables[0].primaryKey?.name == "y")
  }

  @Test func indexesAreWhatTheSchemaSays() throws {
    // In the key the bit is never set, and there is none for full text.
    let file = try file([
      Column(name: "a", type: 2, place: 0, extraAttributes: 1),
      Column(name: "b", type: 2, place: 1, extraAttributes: 256),
    ]) { [$0.strings([""]), $0.strings([""])] }
    let properties = file.tables[0].properties
    #expect(properties.map(\.isIndexed) == [true, false])
    #expect(properties.map(\.isFullTextIndexed) == [false, true])
  }

  @Test func listsOfLinksOfOldFormats() throws {
    let file = try file([Column(type: 13)], targets: [0], format: 11) {
      let keys = $0.integers([0, -3, 4])
      return [$0.references([keys])]
    }
    #expect(file.tables[0].properties[0].collection == .list)
    #expect(file.tables[0].properties[0].target == 0)
    // What sync has not brought is left out and counted.
    #expect(try file.values() == [.list([.link("A", 0), .link("A", 4)])])
    #expect(file.unresolvedLinkCount == 1)
  }

  @Test func linksAreKeysPlusOne() throws {
    func link(_ value: Int64) throws -> Content {
      try file([Column(type: 12, attributes: 16)], targets: [0]) { [$0.integers([value])] }.values()[0]
    }
    #expect(try link(0) == .null)
    #expect(try link(1) == .link("A", 0))
    #expect(try link(-1) == .null)
    #expect(try link(.min) == .link("A", .max))
  }

  @Test func schemasThatContradictThemselves() {
    func damaged(_ words: String, _ columns: [Column], targets: [Int64]? = nil) {
      expectDamage(words) { _ = try file(columns, targets: targets) { _ in [] } }
    }
    damaged("at place 0", [Column(name: "a", type: 0), Column(name: "b", type: 0)])
    damaged("two properties 'p'", [Column(type: 0), Column(type: 0, place: 1)])
    damaged("unknown type 5", [Column(type: 5)])
    damaged("several collections", [Column(type: 0, attributes: 96)])
    damaged("has no target", [Column(type: 12)])
    damaged("leads to table 3", [Column(type: 12)], targets: [3])
  }

  @Test func tablesKnowTheirPlaces() {
    expectDamage("at place 0") {
      var builder = FileBuilder()
      let table = builder.table([], clusters: builder.cluster(count: 0, []), key: 1)
      _ = try OfficialFile(builder.file([("class_A", table)]))
    }
    expectDamage("two tables") {
      var builder = FileBuilder()
      let first = builder.table([], clusters: builder.cluster(count: 0, []), key: 0)
      let second = builder.table([], clusters: builder.cluster(count: 0, []), key: 1)
      _ = try OfficialFile(builder.file([("class_A", first), ("class_A", second)]))
    }
  }

  @Test func placesOfDeletedTablesAreFree() throws {
    var builder = FileBuilder()
    let key = 5 << 16 | 2
    let table = builder.table([], clusters: builder.cluster(count: 3, []), key: key, kind: 1)
    let file = try OfficialFile(builder.file([("", 0), ("", FileBuilder.number(4)), ("class_B", table)]))
    #expect(file.tables.map(\.className) == ["B"])
    #expect(file.tables[0].kind == .embedded)
    #expect(file.tables[0].count == 3)
  }
}
