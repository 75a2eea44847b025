/// Appends numbers (little-endian) and strings (with a 4-byte length) to a byte array.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes a number over what is there.
  mutating func replace<Number: FixedWidthInteger>(at offset: Int, with number: Number) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }
  }

  mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { appendSized(UnsafeRawBufferPointer($0)) }
  }

  mutating func appendSized(_ buffer: UnsafeRawBufferPointer) {
    append(UInt32(buffer.count))
    bytes.append(contentsOf: buffer)
  }

  /// A number in as few bytes as it needs, seven bits each.
  mutating func appendVariable(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads what `ByteWriter` wrote; every read is nil when the bytes end too soon.
struct ByteReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  var remaining: Int { rest.count }

  mutating func read<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    guard let bytes = readBytes(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(as: Number.self))
  }

  mutating func readBytes(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= rest.count else { return nil }
    let found = UnsafeRawBufferPointer(start: rest.baseAddress, count: count)
    rest = UnsafeRawBufferPointer(start: rest.baseAddress.map { $0 + count }, count: rest.count - count)
    return found
  }

  mutating func readSized() -> UnsafeRawBufferPointer? {
    read(UInt32.self).flatMap { readBytes(Int($0)) }
  }

  mutating func readString() -> String? {
    readSized().map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func readVariable() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = read(UInt8.self) {
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
      if shift > 63 { return nil }
    }
    return nil
  }
}
