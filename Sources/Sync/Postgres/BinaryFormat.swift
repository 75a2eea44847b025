import Storage

/// PostgreSQL's binary format of single values: what COPY, parameters and results share.
enum BinaryFormat {
  /// Maximum number of bytes of a field and of a row: PostgreSQL's limit for one allocation, less room for headers.
  static let longest = 0x3FFF_FFFF - 1024

  /// The first byte of a `jsonb`, behind which is its text.
  private static let jsonVersion: UInt8 = 1

  /// Appends a value with its length in front.
  ///
  /// - Throws: `UnsendableValue` for what the server would refuse; the bytes are as before then.
  @inline(__always)
  static func append(_ value: Value, as type: ServerType, to bytes: EncodedBytes) throws(UnsendableValue) {
    switch (value, type) {
    case (.null, _): bytes.append(Int32(-1))
    case (.int(let number), .bigint): append(number, to: bytes)
    case (.bool(let flag), .boolean):
      bytes.append(Int32(1))
      bytes.append(UInt8(flag ? 1 : 0))
    case (.double(let number), .double): append(number.bitPattern, to: bytes)
    case (.string(let text), .text): try append(text, to: bytes)
    case (.date(let seconds), .timestamp): append(try ServerDate.microseconds(seconds), to: bytes)
    default: try appendRarer(value, as: type, to: bytes)
    }
  }

  private static func appendRarer(
    _ value: Value, as type: ServerType, to bytes: EncodedBytes
  ) throws(UnsendableValue) {
    switch (value, type) {
    case (.float(let number), .real): append(number.bitPattern, to: bytes)
    case (.data(let data), .bytea): try append(data, to: bytes)
    case (.objectId(let id), .objectId):
      bytes.append(Int32(12))
      bytes.append(id.high)
      bytes.append(id.low)
    case (.uuid(let id), .uuid):
      bytes.append(Int32(16))
      bytes.append(id.high)
      bytes.append(id.low)
    case (.decimal128(let decimal), .numeric): ServerNumeric.append(decimal, to: bytes)
    case (_, .jsonb):
      let json = try ServerMixed.bytes(of: value)
      bytes.append(Int32(json.count + 1))
      bytes.append(jsonVersion)
      json.withUnsafeBytes { bytes.append($0) }
    default: throw UnsendableValue(.wrongType)
    }
  }

  /// Appends a number with its length in front.
  @inline(__always)
  static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: EncodedBytes) {
    bytes.append(Int32(MemoryLayout<Number>.size))
    bytes.append(number)
  }

  /// Appends a text with its length in front.
  static func append(_ text: String, to bytes: EncodedBytes) throws(UnsendableValue) {
    var text = text
    let position = bytes.count
    var reason: UnsendableValue.Reason?
    text.withUTF8 { utf8 in
      if utf8.count > longest {
        reason = .tooLong
      } else if utf8.contains(0) {
        reason = .nullCharacter
      } else {
        bytes.append(Int32(utf8.count))
        bytes.append(UnsafeRawBufferPointer(utf8))
      }
    }
    guard let reason else { return }
    bytes.truncate(to: position)
    throw UnsendableValue(reason)
  }

  /// Appends bytes with their number in front.
  static func append(_ data: [UInt8], to bytes: EncodedBytes) throws(UnsendableValue) {
    guard data.count <= longest else { throw UnsendableValue(.tooLong) }
    bytes.append(Int32(data.count))
    data.withUnsafeBytes { bytes.append($0) }
  }

  /// Appends an array of values with its length in front.
  static func append(_ values: [Value], as type: ServerType, to bytes: EncodedBytes) throws(UnsendableValue) {
    let position = bytes.count
    bytes.append(Int32(0))
    bytes.append(Int32(values.isEmpty ? 0 : 1))
    bytes.append(Int32(values.contains { $0.isNull } ? 1 : 0))
    bytes.append(type.objectIdentifier)
    if !values.isEmpty {
      bytes.append(Int32(values.count))
      bytes.append(Int32(1))
    }
    do throws(UnsendableValue) {
      for value in values { try append(value, as: type, to: bytes) }
      guard bytes.count - position <= longest else { throw UnsendableValue(.tooLong) }
    } catch {
      bytes.truncate(to: position)
      throw error
    }
    bytes.replace(at: position, by: Int32(bytes.count - position - 4))
  }
}

extension BinaryFormat {
  /// The value in the bytes of a field that is not null.
  @inline(__always)
  static func value(_ bytes: UnsafeRawBufferPointer, as type: ServerType) throws(PostgresError) -> Value {
    switch type {
    case .bigint: return .int(try number(bytes))
    case .boolean: return .bool(try number(bytes, as: UInt8.self) != 0)
    case .real: return .float(Float(bitPattern: try number(bytes)))
    case .double: return .double(Double(bitPattern: try number(bytes)))
    case .text: return .string(try text(bytes))
    case .bytea: return .data(Array(bytes))
    case .timestamp: return .date(ServerDate.seconds(try number(bytes)))
    case .objectId:
      guard bytes.count == 12 else { throw wrongLength(bytes.count, 12) }
      return .objectId(Fixed12(bytes.baseAddress!))
    case .uuid:
      guard bytes.count == 16 else { throw wrongLength(bytes.count, 16) }
      return .uuid(Fixed16(bytes.baseAddress!))
    case .numeric: return .decimal128(try ServerNumeric.decimal(bytes))
    case .jsonb:
      guard bytes.first == jsonVersion else {
        throw PostgresError("The server sent a jsonb of a version that is not known.")
      }
      return ServerMixed.value(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
    }
  }

  /// The number in a field of exactly its size.
  @inline(__always)
  static func number<Number: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, as type: Number.Type = Number.self
  ) throws(PostgresError) -> Number {
    guard bytes.count == MemoryLayout<Number>.size else {
      throw wrongLength(bytes.count, MemoryLayout<Number>.size)
    }
    return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
  }

  /// The text in a field.
  @inline(__always)
  static func text(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span))
    } catch {
      throw PostgresError("The server sent a text that is not UTF-8.")
    }
  }

  /// The numbers of a field of the type `bigint[]` of at most one dimension.
  static func integers(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) -> [Int64?] {
    let damaged = PostgresError("The server sent an array that is no one-dimensional array of bigint.")
    func word(_ position: Int) throws(PostgresError) -> Int32 {
      guard bytes.count - position >= 4 else { throw damaged }
      return Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
    }
    let dimensions = try word(0)
    guard try word(8) == 20 else { throw damaged }
    if dimensions == 0 && bytes.count == 12 { return [] }
    let count = Int(try word(12))
    guard dimensions == 1, count >= 0, bytes.count >= 20, count <= (bytes.count - 20) / 4 else {
      throw damaged
    }
    var numbers: [Int64?] = []
    numbers.reserveCapacity(count)
    var position = 20
    for _ in 0..<count {
      let length = try word(position)
      position += 4
      if length == -1 {
        numbers.append(nil)
      } else {
        guard length == 8, bytes.count - position >= 8 else { throw damaged }
        numbers.append(Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)))
        position += 8
      }
    }
    guard position == bytes.count else { throw damaged }
    return numbers
  }

  @inline(never)
  static func wrongLength(_ found: Int, _ expected: Int) -> PostgresError {
    PostgresError("The server sent a field of \(found) bytes where its type has \(expected).")
  }
}

extension ServerType {
  /// The number of the type in PostgreSQL's catalogue.
  var objectIdentifier: UInt32 {
    switch self {
    case .bigint: 20
    case .boolean: 16
    case .real: 700
    case .double: 701
    case .text: 25
    case .bytea, .objectId: 17
    case .timestamp: 1184
    case .uuid: 2950
    case .numeric: 1700
    case .jsonb: 3802
    }
  }

  /// The number of the type of its arrays.
  var arrayIdentifier: UInt32 {
    switch self {
    case .bigint: 1016
    case .boolean: 1000
    case .real: 1021
    case .double: 1022
    case .text: 1009
    case .bytea, .objectId: 1001
    case .timestamp: 1185
    case .uuid: 2951
    case .numeric: 1231
    case .jsonb: 3807
    }
  }
}
