import LibC
import Storage
import Sync
import TestSupport
import Testing

@Suite struct CopyTests {
  private func connect() throws -> PostgresConnection { try PostgresServer.shared().connectToNewDatabase() }

  private let input = "copy t from stdin (format binary)"
  private let output = "copy t to stdout (format binary)"

  @Test func rowsOfBookkeepingColumnsGoInAndOut() throws {
    let connection = try connect()
    try connection.run("create table t (op \"char\", id bigint, st bigint[], name text)")
    let count = try connection.copyIn(input) { writer in
      try writer.row(fields: 4) {
        writer.character(UInt8(ascii: "i"))
        writer.integer(7)
        writer.integers([1, nil, 3])
        try writer.text("ä")
      }
      try writer.row(fields: 4) {
        writer.character(UInt8(ascii: "d"))
        writer.integer(8)
        writer.integers([])
        writer.null()
      }
    }
    #expect(count == 2)
    #expect(
      try connection.run("select op, id, st, name from t order by id").map { row in
        (0..<4).map { row.text($0) ?? "null" }
      } == [["i", "7", "{1,NULL,3}", "ä"], ["d", "8", "{}", "null"]])
    var rows: [String] = []
    try connection.copyOut(
      "copy (select id, st, name from t order by id) to stdout (format binary)", fields: 3
    ) {
      rows.append(try "\($0.integer() ?? 0) \($0.integers() ?? []) \($0.text() ?? "null")")
    }
    #expect(rows == ["7 [Optional(1), nil, Optional(3)] ä", "8 [] null"])
  }

  @Test func aRowThatCannotBeSentIsLeftOut() throws {
    let connection = try connect()
    try connection.run("create table t (id bigint, name text)")
    var refused: [Int64] = []
    try connection.copyIn(input) { writer in
      for (id, name) in [(Int64(1), "a"), (2, "b\0"), (3, "c")] {
        do {
          try writer.row(fields: 2) {
            writer.integer(id)
            try writer.text(name)
          }
        } catch is UnsendableValue {
          refused.append(id)
        }
      }
    }
    #expect(refused == [2])
    #expect(try connection.run("select string_agg(name, ',' order by id) from t")[0].text(0) == "a,c")
  }

  @Test func anErrorOfTheBodyLeavesNoRows() throws {
    struct Stop: Error {}
    let connection = try connect()
    try connection.run("create table t (id bigint)")
    #expect(throws: Stop.self) {
      try connection.copyIn(input) { writer in
        for number in 0..<100_000 { try writer.row(fields: 1) { writer.integer(Int64(number)) } }
        throw Stop()
      }
    }
    #expect(try connection.run("select count(*) from t")[0].integer(0) == 0)
    try connection.copyIn(input) { writer in try writer.row(fields: 1) { writer.integer(1) } }
    #expect(throws: Stop.self) { try connection.copyOut(output, fields: 1) { _ in throw Stop() } }
    #expect(!connection.isOpen)
  }

  @Test func theServersRefusalOfARowIsThrown() throws {
    let connection = try connect()
    try connection.run("create table t (id bigint primary key)")
    let error = try #require(throws: PostgresError.self) {
      try connection.copyIn(input) { writer in
        for _ in 0..<100_000 { try writer.row(fields: 1) { writer.integer(1) } }
      }
    }
    #expect(error.sqlState == "23505" && error.kind == .rejected)
    #expect(try connection.run("select count(*) from t")[0].integer(0) == 0)
  }

  @Test func anUnexpectedNumberOfFieldsIsAnError() throws {
    let connection = try connect()
    try connection.run("create table t as select 1::bigint as a, 2::bigint as b")
    let error = try #require(throws: PostgresError.self) {
      try connection.copyOut(output, fields: 3) { _ in }
    }
    #expect(error.message.contains("2 fields where 3"))
  }

  @Test func copyOfAnotherFormatOrDirectionIsAnError() throws {
    for statement in ["copy t to stdout", input, "select 1", "copy missing to stdout (format binary)"] {
      let connection = try connect()
      try connection.run("create table t (id bigint)")
      #expect(throws: PostgresError.self) { try connection.copyOut(statement, fields: 1) { _ in } }
    }
  }
}
