import Storage

/// Appends integers, 8 bytes each, and texts, with their length before them.
struct StateWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) { append(Array(text.utf8)) }

  mutating func append(_ content: [UInt8]) {
    append(Int64(content.count))
    bytes.append(contentsOf: content)
  }

  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Appends bytes. Their number takes one byte, or nine if it does not fit into one.
  mutating func append(short content: [UInt8]) {
    if content.count >= 255 {
      append(byte: 255)
      return append(content)
    }
    append(byte: UInt8(content.count))
    bytes.append(contentsOf: content)
  }

  mutating func append<Element>(_ list: [Element], _ body: (inout StateWriter, Element) -> Void) {
    append(Int64(list.count))
    for element in list { body(&self, element) }
  }

  mutating func append(_ name: SessionState.ObjectName) {
    append(name.className)
    switch name.key.value {
    case .int(let number):
      append(Int64(0))
      append(number)
    case .string(let text):
      append(Int64(1))
      append(text)
    case .objectId(let id):
      append(Int64(2))
      append(Int64(bitPattern: id.high))
      append(Int64(id.low))
    case .uuid(let id):
      append(Int64(3))
      append(Int64(bitPattern: id.high))
      append(Int64(bitPattern: id.low))
    default: append(Int64(4))
    }
  }
}

/// Reads what `StateWriter` wrote; every read is nil when the bytes end too soon.
struct StateReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func readInteger() -> Int64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).enumerated().reduce(Int64(0)) { $0 | Int64($1.element) << (8 * Int64($1.offset)) }
  }

  mutating func readText() -> String? { readBytes().map { String(decoding: $0, as: UTF8.self) } }

  mutating func readBytes() -> [UInt8]? {
    guard let count = readInteger(), count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }

  mutating func readByte() -> UInt8? { rest.popFirst() }

  mutating func readShort() -> [UInt8]? {
    guard let count = readByte() else { return nil }
    if count == 255 { return readList { $0.readByte() } }
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }

  mutating func readList<Element>(_ body: (inout StateReader) -> Element?) -> [Element]? {
    guard let count = readInteger(), count >= 0, count <= rest.count else { return nil }
    var list: [Element] = []
    for _ in 0..<count {
      guard let element = body(&self) else { return nil }
      list.append(element)
    }
    return list
  }

  mutating func readName() -> SessionState.ObjectName? {
    guard let className = readText(), let kind = readInteger() else { return nil }
    switch kind {
    case 0: return readInteger().map { .init(className, .int($0)) }
    case 1: return readText().map { .init(className, .string($0)) }
    case 2:
      guard let high = readInteger(), let low = readInteger() else { return nil }
      return .init(
        className, .objectId(.init(high: UInt64(bitPattern: high), low: UInt32(truncatingIfNeeded: low))))
    case 3:
      guard let high = readInteger(), let low = readInteger() else { return nil }
      return .init(
        className, .uuid(.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))))
    case 4: return .init(className, .null)
    default: return nil
    }
  }
}
