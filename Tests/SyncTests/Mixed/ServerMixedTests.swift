import Storage
import Sync
import TestSupport
import Testing

/// Mixed values as `jsonb`.
@Suite struct ServerMixedTests {
  private func connect() throws -> PostgresConnection { try PostgresServer.shared().connectToNewDatabase() }

  /// Sends values by COPY, and returns what COPY brings back.
  private func roundTrip(_ values: [Value], _ connection: PostgresConnection) throws -> [Value] {
    try connection.runScript("create table v (n bigint, v jsonb)")
    try connection.copyIn("copy v from stdin (format binary)") { writer in
      for (number, value) in values.enumerated() {
        try writer.row(fields: 2) {
          writer.integer(Int64(number))
          try writer.value(value, as: .jsonb)
        }
      }
    }
    var received: [Value] = []
    try connection.copyOut("copy (select v from v order by n) to stdout (format binary)", fields: 1) {
      received.append(try $0.value(as: .jsonb))
    }
    return received
  }

  private static let types = SampleValues.types

  private static func random(_ generator: inout SeededGenerator, depth: Int = 0) -> Value {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: return .null
    case 1...2 where depth < 4:
      return .list(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in random(&generator, depth: depth + 1) })
    case 3...4 where depth < 4:
      let keys = Set((0..<Int.random(in: 0...4, using: &generator)).map { "k\($0)" } + ["", "é", "e\u{301}"])
      return .dictionary(
        keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
          .init(key: $0, value: random(&generator, depth: depth + 1))
        })
    case 5: return .link(toClass: "Dog", key: .int(Int64.random(in: .min ... .max, using: &generator)))
    default: return SampleValues.random(types.randomElement(using: &generator)!, &generator)
    }
  }

  /// Dates come back rounded, and decimals with their exponents and signs.
  private static func expected(_ value: Value) throws -> Value {
    switch value {
    case .list(let elements): .list(try elements.map { try expected($0) })
    case .dictionary(let entries):
      .dictionary(try entries.map { .init(key: $0.key, value: try expected($0.value)) })
    case .float(let number) where number.isNaN: .float(.nan)
    case .double(let number) where number.isNaN: .double(.nan)
    default: try SampleValues.afterRoundTrip(value)
    }
  }

  @Test func valuesOfEveryTypeComeBackExactly() throws {
    var generator = SeededGenerator(printing: 41)
    var values = Self.types.flatMap { SampleValues.extremes($0) }
    values += [
      .null, .int(1 << 53 + 1), .list([]), .dictionary([]), .list([.list([.null])]),
      .string("\u{1}\"\\/\u{7f}\u{2028}"),
    ]
    values += (0..<TestLength.count(1000, long: 20_000)).map { _ in Self.random(&generator) }
    let connection = try connect()
    let received = try roundTrip(values, connection)
    #expect(received.count == values.count)
    for (sent, received) in zip(values, received) {
      #expect(received.isExactly(try Self.expected(sent)), "\(sent)")
    }
    // Both sides have the same text, by which an audit compares them.
    let texts = try connection.run("select coalesce(v::text, 'null') from v order by n")
    for (sent, text) in zip(values, texts) {
      #expect(try String(decoding: ServerMixed.bytes(of: sent), as: UTF8.self) == text.text(0))
    }
  }

  @Test func theServerReadsTheTextsOfValues() throws {
    let connection = try connect()
    func check(_ value: Value, _ condition: String) throws {
      let rows = try connection.run("select \(condition) from (select $1 as v) t", [.value(value, .jsonb)])
      #expect(rows[0].boolean(0) == true, "\(value): \(condition)")
    }
    try check(.int(1 << 53 + 1), "v = '{\"t\": \"int\", \"v\": 9007199254740993}'")
    try check(.data([0, 255]), "(v ->> 'v')::bytea = '\\x00ff'")
    try check(.bool(true), "(v -> 'v')::boolean")
    try check(.double(0.1), "(v -> 'v')::float8 = 0.1")
    try check(.decimal128(SampleValues.decimal(12_345, -3)), "(v ->> 'v')::numeric = 12.345")
    var generator = SeededGenerator(printing: 42)
    let dates =
      SampleValues.extremes(.timestamp) + (0..<300).map { _ in SampleValues.random(.timestamp, &generator) }
    try connection.runScript("create table d (v jsonb, d timestamptz)")
    try connection.copyIn("copy d from stdin (format binary)") { writer in
      for date in dates {
        try writer.row(fields: 2) {
          try writer.value(date, as: .jsonb)
          try writer.value(date, as: .timestamp)
        }
      }
    }
    #expect(
      try connection.run("select v ->> 'v', d::text from d where (v ->> 'v')::timestamptz <> d limit 3").map {
        "\($0.text(0) ?? "") \($0.text(1) ?? "")"
      } == [])
  }

  @Test func datesThatAnSQLProgramWritesAreRead() throws {
    let connection = try connect()
    for zone in ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"] {
      try connection.runScript("set timezone = '\(zone)'")
      for date in ["2026-11-26 11:10:00.5+00", "1969-12-31 23:59:59.999999+00", "0044-03-15 12:00:00+00 BC"] {
        let rows = try connection.run(
          "select jsonb_build_object('t', 'date', 'v', d), d from (select timestamptz '\(date)' as d) t",
          binaryResults: true)
        #expect(try rows[0].value(0, as: .jsonb) == rows[0].value(1, as: .timestamp), "\(zone) \(date)")
      }
    }
  }

  @Test func theDeepestValueOfARealmIsSentAndADeeperOneIsNotRead() throws {
    let deepest = (0..<1_000).reduce(Value.int(1)) { value, level in
      level % 2 == 0 ? .list([value]) : .dictionary([.init(key: "a", value: value)])
    }
    #expect(try roundTrip([deepest], connect())[0] == deepest)
    let bytes = try ServerMixed.bytes(of: .list([deepest]))
    let deeper = bytes.withUnsafeBytes { ServerMixed.value($0) }
    #expect(deeper.unreadableReason?.contains("1000") == true)
  }

  @Test func damagedTextsAreUnreadable() throws {
    let text = Array(#"{"t":"list","v":[{"t":"string","v":"a\u00e9\ud83d\ude00"},null]}"#.utf8)
    func read(_ bytes: [UInt8]) -> Value { bytes.withUnsafeBytes { ServerMixed.value($0) } }
    #expect(read(text) == .list([.string("aé😀"), .null]))
    for count in text.indices { #expect(read(Array(text[..<count])).unreadableReason != nil) }
    var generator = SeededGenerator(printing: 43)
    for _ in 0..<2_000 {
      var bytes = text
      for _ in 0..<2 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      // It ends, whatever comes of it.
      _ = read(bytes)
    }
    #expect(read(text + [0x20]) == read(text))
    #expect(read(text + [0x5D]).unreadableReason != nil)
  }
}
