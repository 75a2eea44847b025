import Storage
import Sync
import TestSupport
import Testing

/// What the server, or what pretends to be it, sends is verified before it is read.
@Suite struct HostileAnswerTests {
  private let header = BinaryCopy.signature + [0, 0, 0, 0, 0, 0, 0, 0]
  /// A row of a bigint, a text and an array.
  private let row: [UInt8] =
    [0, 3] + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7] + [0, 0, 0, 2, 0xC3, 0xA4]
    + [
      0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0,
      0, 9,
    ]
  private let end: [UInt8] = [0xFF, 0xFF]

  private func read(_ messages: [[UInt8]], fields: Int = 3) throws -> Int {
    var copy = BinaryCopy(fields: fields)
    for message in messages {
      try message.withUnsafeBytes { message in
        try copy.read(message) { row in
          let (id, text, numbers) = try (row.value(as: .bigint), row.value(as: .text), row.integers())
          #expect(id == .int(7) && text == .string("ä") && numbers == [9])
        }
      }
    }
    try copy.finish()
    return copy.rowCount
  }

  @Test func whatIsWholeIsRead() throws {
    #expect(try read([header + row, row, end]) == 2)
    #expect(try read([header, row, end]) == 1)
    #expect(try read([header + end]) == 0)
    let extended = BinaryCopy.signature + [0, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]
    #expect(try read([extended + row, end]) == 1)
  }

  @Test func everyTruncationIsAnError() {
    for length in 0..<row.count {
      #expect(throws: PostgresError.self, "\(length) bytes") {
        try read([header, Array(row[..<length]), end])
      }
    }
    for length in 0..<header.count {
      #expect(throws: PostgresError.self, "\(length) bytes") {
        try read([Array(header[..<length]), row, end])
      }
    }
    #expect(throws: PostgresError.self) { try read([header, row]) }
    #expect(throws: PostgresError.self) { try read([]) }
  }

  @Test func whatIsTooMuchIsAnError() {
    #expect(throws: PostgresError.self) { try read([header, row + [0], end]) }
    #expect(throws: PostgresError.self) { try read([header, row, end + [0]]) }
    #expect(throws: PostgresError.self) { try read([header, row, end, row]) }
    #expect(throws: PostgresError.self) { try read([header, row, end], fields: 2) }
    #expect(throws: PostgresError.self) { try read([header, row, end], fields: 4) }
  }

  @Test func formatsOfTheFutureAreRefused() {
    let critical = BinaryCopy.signature + [0, 1, 0, 0, 0, 0, 0, 0]
    #expect(throws: PostgresError.self) { try read([critical + row, end]) }
    let tooLong = BinaryCopy.signature + [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: PostgresError.self) { try read([tooLong + row, end]) }
  }

  /// Single bytes that change are errors or give other values: nothing reads outside of the message.
  @Test func changedBytesStopNothing() throws {
    var generator = SeededGenerator(printing: 43)
    var errorCount = 0
    for _ in 0..<TestLength.count(20_000, long: 1_000_000) {
      var bytes = row
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      var copy = BinaryCopy(fields: 3)
      try header.withUnsafeBytes { try copy.read($0) { _ in } }
      do {
        try bytes.withUnsafeBytes { bytes in
          try copy.read(bytes) { row in
            _ = try (row.value(as: .bigint), row.value(as: .text), row.integers())
          }
        }
      } catch is PostgresError {
        errorCount += 1
      }
    }
    #expect(errorCount > 1000)
  }

  @Test(arguments: SampleValues.types) func fieldsOfAWrongLengthAreErrors(type: ServerType) throws {
    let lengths: [Int] =
      switch type {
      case .bigint, .double, .timestamp: [0, 4, 9]
      case .boolean: [0, 2]
      case .real: [0, 3, 8]
      case .objectId: [0, 11, 13, 16]
      case .uuid: [0, 12, 17]
      case .numeric: [0, 7, 9, 10]
      case .text, .bytea, .jsonb: []
      }
    for length in lengths {
      let field: [UInt8] = [0, 1, 0, 0, 0, UInt8(length)] + Array(repeating: 0, count: length)
      var copy = BinaryCopy(fields: 1)
      try header.withUnsafeBytes { try copy.read($0) { _ in } }
      #expect(throws: PostgresError.self, "\(length) bytes") {
        try field.withUnsafeBytes { try copy.read($0) { _ = try $0.value(as: type) } }
      }
    }
  }

  @Test func damagedNumbersAndTextsAreErrors() throws {
    let fields: [(ServerType, [UInt8])] = [
      (.text, [0xC3]), (.text, [0xED, 0xA0, 0x80]),
      // A digit of 10,000, one digit too few, an unknown sign.
      (.numeric, [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10]), (.numeric, [0, 2, 0, 0, 0, 0, 0, 0, 0, 1]),
      (.numeric, [0, 1, 0, 0, 0x12, 0x34, 0, 0, 0, 1]),
    ]
    for (type, bytes) in fields {
      var copy = BinaryCopy(fields: 1)
      try header.withUnsafeBytes { try copy.read($0) { _ in } }
      #expect(throws: PostgresError.self) {
        try ([0, 1, 0, 0, 0, UInt8(bytes.count)] + bytes).withUnsafeBytes {
          try copy.read($0) { _ = try $0.value(as: type) }
        }
      }
    }
  }
}
