import CDecimal128
import Storage
import Sync
import TestSupport
import Testing

@Suite struct ValueRoundTripTests {
  private func connect() throws -> PostgresConnection { try PostgresServer.shared().connectToNewDatabase() }

  /// Sends values by COPY, and their texts as parameters. Returns what COPY brings back.
  private func send(
    _ values: [Value], as type: ServerType, through connection: PostgresConnection
  ) throws -> [Value] {
    try connection.runScript(
      "create table v (n bigint, v \(type.declaration)); create table x (n bigint, x text collate \"C\")")
    try connection.copyIn("copy v from stdin (format binary)") { writer in
      for (number, value) in values.enumerated() {
        try writer.row(fields: 2) {
          writer.integer(Int64(number))
          try writer.value(value, as: type)
        }
      }
    }
    try connection.run(
      "insert into x select * from unnest($1::bigint[], $2::text[])",
      [
        .integers(values.indices.map(Int64.init)),
        .array(values.map { SampleValues.text($0).map(Value.string) ?? .null }, .text),
      ])
    var received: [Value] = []
    try connection.copyOut("copy (select v from v order by n) to stdout (format binary)", fields: 1) {
      received.append(try $0.value(as: type))
    }
    return received
  }

  /// The condition under which the server finds that a value is not what its text says.
  private func difference(_ type: ServerType) -> String {
    switch type {
    case .timestamp:
      """
      case when isfinite(v) then extract(epoch from v) - 978307200 <> x::numeric
      else v <> (case x when 'inf' then 'infinity' else '-infinity' end)::timestamptz end
      """
    // The server prints decimals; −0 and the exponents of zeros are what it does not hold.
    case .numeric: "v <> x::numeric or v <> 0 and scale(v) <> greatest(0, -substring(x from 'E(.*)')::int)"
    // Equal also in the bits of zeros; the server has one text for all NaN.
    case .real, .double: "v is distinct from x::\(type.name) or v::text <> x::\(type.name)::text"
    default: "v is distinct from x::\(type.name)"
    }
  }

  @Test(arguments: SampleValues.types) func valuesComeBackAndMeanTheSameToTheServer(type: ServerType) throws {
    var generator = SeededGenerator(printing: 39 + UInt64(type.objectNumber))
    let count = TestLength.count(300, long: 20_000)
    let values =
      [.null] + SampleValues.extremes(type) + (0..<count).map { _ in SampleValues.random(type, &generator) }
    let connection = try connect()
    let received = try send(values, as: type, through: connection)
    #expect(received.count == values.count)
    for (sent, received) in zip(values, received) {
      let expected = try SampleValues.afterRoundTrip(sent)
      #expect(SampleValues.areEqual(expected, received), "\(sent)")
    }
    let different = try connection.run(
      "select n, v, x from v join x using (n) where \(difference(type)) limit 5")
    #expect(different.map { "\($0.text(0) ?? ""): \($0.text(1) ?? "") \($0.text(2) ?? "")" } == [])
    #expect(
      try connection.run("select count(*) from v join x using (n)")[0].integer(0) == Int64(values.count))
  }

  @Test(arguments: SampleValues.types) func parametersAndResultsHaveTheSameFormat(type: ServerType) throws {
    var generator = SeededGenerator(printing: 40 + UInt64(type.objectNumber))
    let values = SampleValues.extremes(type) + (0..<20).map { _ in SampleValues.random(type, &generator) }
    let connection = try connect()
    let rows = try connection.run(
      "select unnest($1), $2", [.array(values + [.null], type), .value(values[0], type)], binaryResults: true)
    #expect(rows.count == values.count + 1)
    for (row, value) in zip(rows, values + [.null]) {
      #expect(try SampleValues.areEqual(row.value(0, as: type), SampleValues.afterRoundTrip(value)))
    }
    #expect(
      try SampleValues.areEqual(rows[0].value(1, as: type), SampleValues.afterRoundTrip(values[0])))
  }

  @Test func valuesThatTheServerRefusesAreFoundBefore() throws {
    let refused: [(Value, ServerType, UnsendableValue.Reason)] = [
      (.string("\0"), .text, .nullCharacter), (.string("ä\0b"), .text, .nullCharacter),
      (.date(.nan), .timestamp, .dateOutOfRange), (.date(-211_845_110_400.1), .timestamp, .dateOutOfRange),
      (.date(9_223_339_708_800), .timestamp, .dateOutOfRange), (.date(1e300), .timestamp, .dateOutOfRange),
      (.date(-1e300), .timestamp, .dateOutOfRange), (.int(1), .text, .wrongType),
      (.string("1"), .bigint, .wrongType), (.link(table: 0, row: 0), .jsonb, .localLink),
    ]
    let connection = try connect()
    try connection.run("create table t (n bigint)")
    for (value, type, reason) in refused {
      try connection.copyIn("copy t from stdin (format binary)") { writer in
        let error = try #require(throws: UnsendableValue.self) {
          try writer.row(fields: 1) { try writer.value(value, as: type) }
        }
        #expect(error.reason == reason)
      }
      let error = #expect(throws: PostgresError.self) {
        try connection.run("select $1", [.value(value, type)])
      }
      #expect(error?.kind == .rejected)
    }
    // The server would refuse them, too.
    for text in ["4714-11-23 23:59:59.9 BC", "294277-01-01"] {
      let error = #expect(throws: PostgresError.self) { try connection.run("select '\(text)'::timestamptz") }
      #expect(error?.sqlState == "22008")
    }
    #expect(try connection.run("select count(*) from t")[0].integer(0) == 0)
  }

  @Test(
    arguments: [
      ("1.50", 150, -2), ("0", 0, 0), ("0.00", 0, -2), ("-0", 0, 0), ("10000", 10_000, 0),
      ("100000000", 100_000_000, 0),
      ("0.00001", 1, -5), ("12345.678900", 12_345_678_900, -6),
      ("0.0000000000000000000000000000000000000000012", 12, -43),
    ] as [(String, UInt128, Int)])
  func numbersOfOthersKeepTheirScale(text: String, coefficient: UInt128, exponent: Int) throws {
    let rows = try connect().run("select '\(text)'::numeric", binaryResults: true)
    #expect(try rows[0].value(0, as: .numeric) == .decimal128(SampleValues.decimal(coefficient, exponent)))
  }

  /// Numbers that decimals do not hold are rounded as the decimal library rounds them.
  @Test func numbersOfOthersAreRounded() throws {
    var texts = [
      "1e6144", "-1e6144", "1e6145", "-1e7000", "1e131071", "9999999999999999999999999999999999e6111",
      "99999999999999999999999999999999995e6110", "99999999999999999999999999999999994e6110", "1e-6176",
      "5e-6177",
      "5.0000000001e-6177", "15e-6177", "-1e-6200", "1e-16000", "NaN", "Infinity", "-Infinity",
      "12345678901234567890123456789012345", "12345678901234567890123456789012335.0000000000000000000001",
      "0.99999999999999999999999999999999995", "1" + String(repeating: "0", count: 33) + "5",
    ]
    var generator = SeededGenerator(printing: 41)
    for _ in 0..<TestLength.count(300, long: 20_000) {
      let digits = (0..<Int.random(in: 30...70, using: &generator)).map { _ in
        "0123456789955500".randomElement(using: &generator)!
      }
      texts.append(
        "\(Bool.random(using: &generator) ? "-" : "")\(String(digits))e\(Int.random(in: -6250...6130, using: &generator))"
      )
    }
    let rows = try connect().run(
      "select x::numeric from unnest($1::text[]) with ordinality u(x, n) order by n", [.texts(texts)],
      binaryResults: true)
    for (text, row) in zip(texts, rows) {
      let expected = SampleValues.bytes(BID_UINT128(parsing: text))
      guard case .decimal128(let found) = try row.value(0, as: .numeric) else { continue }
      #expect(SampleValues.reduced(found) == SampleValues.reduced(expected), "\(text)")
    }
    #expect(rows.count == texts.count)
  }

  @Test func datesOfOthersComeBackToTheMicrosecond() throws {
    var generator = SeededGenerator(printing: 42)
    let connection = try connect()
    let numbers =
      [0, 1, -1]
      + (0..<300).map { _ in
        Int64.random(in: -8_500_000_000_000_000...8_500_000_000_000_000, using: &generator)
      }
    let rows = try connection.run(
      """
      select '2001-01-01 00:00:00+00'::timestamptz + n * interval '1 microsecond'
      from unnest($1::bigint[]) with ordinality u(n, o) order by o
      """, [.integers(numbers)], binaryResults: true)
    for (number, row) in zip(numbers, rows) {
      guard case .date(let seconds) = try row.value(0, as: .timestamp) else { continue }
      #expect(try ServerDate.microseconds(seconds) == number + 31_622_400_000_000)
      #expect(seconds == Double(number) / 1e6)
    }
    #expect(rows.count == numbers.count)
  }
}

extension ServerType {
  /// Makes the seeds of the types differ.
  fileprivate var objectNumber: Int { ServerType.allCases.firstIndex(of: self)! * 1000 }
}
