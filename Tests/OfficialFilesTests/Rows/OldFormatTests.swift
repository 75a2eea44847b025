import Testing

@testable import OfficialFiles

/// Tables before format 10: columns of trees, objects without keys. Made by hand, as there are no samples.
struct OldFormatTests {
  private typealias Builder = FileBuilder

  private typealias Column = FileBuilder.OldColumn

  private static let indexed: Int64 = 1
  private static let nullable: Int64 = 16

  private func file(
    format: UInt8 = 9, extras: [Int] = [], enumerations: [Int] = [], _ make: (inout Builder) -> [Column]
  ) throws -> OfficialFile {
    var builder = Builder()
    builder.format = format
    let columns = make(&builder)
    let table = builder.oldTable(columns, extras: extras, enumerations: enumerations)
    return try OfficialFile(builder.file([("class_A", table)]))
  }

  private func values(
    _ type: Int64, _ attributes: Int64 = 0, _ root: (inout Builder) -> Int
  ) throws -> [Content] {
    try file { [Column(type: type, attributes: attributes, roots: [root(&$0)])] }.values()
  }

  @Test func numbersAndDates() throws {
    #expect(try values(0) { $0.integers([1, 2]) } == [.int(1), .int(2)])
    #expect(try values(0, Self.nullable) { $0.integers([5, 1, 5]) } == [.int(1), .null])
    #expect(try values(1) { $0.integers([0, 1]) } == [.bool(false), .bool(true)])
    // Null is said as with integers, and is not 3.
    #expect(
      try values(1, Self.nullable) { $0.integers([7, 0, 7, 1]) } == [.bool(false), .null, .bool(true)])
    #expect(try values(7) { $0.integers([60]) } == [.date(seconds: 60, nanoseconds: 0)])
    #expect(try values(7, Self.nullable) { $0.integers([9, 9]) } == [.null])
    let dates = try values(8, Self.nullable) {
      let seconds = $0.integers([9, 9, 4])
      return $0.references([seconds, $0.integers([0, 5])])
    }
    #expect(dates == [.null, .date(seconds: 4, nanoseconds: 5)])
  }

  @Test func nullOfStringsIsTheOtherWayRound() throws {
    func strings(_ attributes: Int64, flags: [UInt8]?) throws -> [Content] {
      try values(2, attributes) {
        let ends = $0.integers([2, 3])
        var parts = [ends, $0.blob(Array("a\0\0".utf8))]
        if let flags { parts.append($0.node([], width: 1, count: 2, flags)) }
        return $0.references(parts)
      }
    }
    #expect(try strings(Self.nullable, flags: [0b01]) == [.text("a"), .null])
    #expect(try strings(0, flags: [0b01]) == [.text("a"), .text("")])
    #expect(try strings(Self.nullable, flags: nil) == [.text("a"), .text("")])
    // No width means no text, and null only where that can be.
    #expect(try values(2) { $0.node(.byteWidths, count: 1) } == [.text("")])
    #expect(try values(2, Self.nullable) { $0.node(.byteWidths, count: 1) } == [.null])
    // Data has its flags as ever.
    let data = try values(4, Self.nullable) {
      let ends = $0.integers([1, 1])
      return $0.references([ends, $0.blob([7]), $0.node([], width: 1, count: 2, [0b10])])
    }
    #expect(data == [.data([7]), .null])
  }

  @Test func columnsOfSeveralLeaves() throws {
    let found = try values(0) {
      let first = $0.integers([1, 2])
      let second = $0.integers([3])
      return $0.references([Builder.number(2), first, second, Builder.number(3)], .inner)
    }
    #expect(found == [.int(1), .int(2), .int(3)])
  }

  @Test func indexesLieBehindTheirColumns() throws {
    let file = try file {
      [
        Column(name: "a", type: 0, attributes: Self.indexed, roots: [$0.integers([1]), $0.integers([0])]),
        Column(name: "b", type: 0, roots: [$0.integers([2])]),
      ]
    }
    #expect(try file.tables[0].contents(file) == [0: ["a": .int(1), "b": .int(2)]])
    #expect(file.tables[0].properties.map(\.isIndexed) == [true, false])
  }

  @Test func namesThatAreMissingOrComeAgain() throws {
    let file = try file { builder in
      ["a", "", "a", "!OID"].map { Column(name: $0, type: 0, roots: [builder.integers([1])]) }
    }
    #expect(file.tables[0].properties.map(\.name) == ["a", "col_1", "a_2"])
  }

  @Test func links() throws {
    let file = try file(extras: [Builder.number(0), Builder.number(0), Builder.number(0), Builder.number(0)])
    {
      let list = $0.integers([1, 0])
      return [
        Column(name: "back", type: 14, roots: [$0.integers([0, 0])]),
        Column(name: "link", type: 12, roots: [$0.integers([0, 2])]),
        Column(name: "links", type: 13, roots: [$0.references([list, 0])]),
      ]
    }
    #expect(
      try file.tables[0].contents(file) == [
        0: ["link": .null, "links": .list([.link("A", 1), .link("A", 0)])],
        1: ["link": .link("A", 1), "links": .list([])],
      ])
  }

  @Test func listsOfValuesAreTables() throws {
    func lists(_ types: [Int64], _ root: (inout Builder) -> Int) throws -> [Content] {
      var builder = Builder()
      builder.format = 9
      let spec = builder.references([
        builder.integers(types), builder.strings(["!ARRAY_VALUE"]), builder.integers(types.map { _ in 0 }),
      ])
      let column = builder.references([root(&builder)])
      let cells = builder.references([column, 0])
      let table = builder.oldTable([Column(type: 5, roots: [cells])], extras: [spec])
      return try OfficialFile(builder.file([("class_A", table)])).values()
    }
    #expect(try lists([0]) { $0.integers([4, 5]) } == [.list([.int(4), .int(5)]), .list([])])
    let dates = try lists([8]) {
      let seconds = $0.integers([9, 4])
      return $0.references([seconds, $0.integers([5])])
    }
    #expect(dates == [.list([.date(seconds: 4, nanoseconds: 5)]), .list([])])
    #expect(throws: OfficialFileError.self) { try lists([0, 0]) { $0.integers([]) } }
  }

  @Test func enumeratedStrings() throws {
    var builder = Builder()
    builder.format = 9
    let names = builder.strings(["red", "blue"])
    let column = Column(type: 3, roots: [builder.integers([1, 0])])
    let table = builder.oldTable([column], enumerations: [names])
    let file = try OfficialFile(builder.file([("class_A", table)]))
    #expect(try file.values() == [.text("blue"), .text("red")])
  }

  @Test func primaryKeysAreInATable() throws {
    var builder = Builder()
    builder.format = 9
    let table = builder.oldTable([Column(name: "id", type: 0, roots: [builder.integers([1])])])
    let keys = builder.oldTable([
      Column(name: "pk_table", type: 2, roots: [builder.strings(["A"])]),
      Column(name: "pk_property", type: 2, roots: [builder.strings(["id"])]),
    ])
    let version = builder.oldTable([Column(name: "version", type: 0, roots: [builder.integers([3])])])
    let file = try OfficialFile(builder.file([("pk", keys), ("class_A", table), ("metadata", version)]))
    #expect(file.classes.map { $0.primaryKey?.name } == ["id"])
    #expect(file.schemaVersion == 3)
  }

  @Test func whatIsNotRead() throws {
    var builder = Builder()
    builder.format = 9
    let table = builder.oldTable([Column(type: 0, roots: [builder.integers([1])])], slots: 12)
    #expect(throws: OfficialFileError(path: "mutant", reason: .halfUpgraded(9))) {
      try OfficialFile(builder.file([("class_A", table)]))
    }
    #expect(throws: OfficialFileError.self) { try values(6) { $0.integers([]) } }
    expectDamage("1 values for 2 objects") {
      let file = try file {
        [
          Column(name: "a", type: 0, roots: [$0.integers([1, 2])]),
          Column(name: "b", type: 0, roots: [$0.integers([1])]),
        ]
      }
      _ = try file.readAll()
    }
  }
}
