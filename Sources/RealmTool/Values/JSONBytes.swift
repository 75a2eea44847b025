import Storage

// Documents in JSON are made by appending, without a value for each of their parts.
extension [UInt8] {
  /// Appends text as it is.
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  mutating func append(decimal number: Int) { NumberText.append(Int64(number), to: &self) }

  /// Appends a text in quotes.
  mutating func appendJSON(_ text: String) {
    var text = text
    text.withUTF8 { appendJSON(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a text in quotes, or `null`.
  mutating func appendJSON(orNull text: String?) {
    if let text { appendJSON(text) } else { append("null") }
  }

  /// Appends a number; those that JSON does not have as text.
  mutating func appendJSON(_ number: Double, _ text: String) {
    if number.isFinite { append(text) } else { appendJSON(text) }
  }

  /// Appends UTF-8 as a text in quotes. Control characters that a terminal would obey are escaped, too.
  mutating func appendJSON(utf8 text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var start = 0
    for position in 0..<text.count {
      let byte = text[position]
      // U+0080 to U+009F take two bytes.
      let isSecondOfControl = byte & 0xE0 == 0x80 && position > 0 && text[position - 1] == 0xC2
      let isPlain = byte >= 32 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
      if isPlain && !isSecondOfControl { continue }
      append(
        contentsOf: UnsafeRawBufferPointer(
          rebasing: text[start..<(isSecondOfControl ? position - 1 : position)]))
      start = position + 1
      appendEscaped(byte)
    }
    append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    default:
      append("u00")
      appendHexadecimal(byte)
    }
  }

  /// Appends an array of what the body writes for each element.
  mutating func appendArray<Elements: Sequence>(
    _ elements: Elements, _ body: (Elements.Element, inout [UInt8]) throws -> Void
  ) rethrows {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      try body(element, &self)
    }
    append(UInt8(ascii: "]"))
  }

  mutating func append(numbers: [Int]) { appendArray(numbers) { $1.append(decimal: $0) } }

  /// Appends a value that was read from JSON.
  mutating func append(json value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append("\(flag)")
    case .int(let number): NumberText.append(number, to: &self)
    case .number(let text): append(text)
    case .string(let text), .field(let text), .typed(_, let text): appendJSON(text)
    case .array(let elements): appendArray(elements) { $1.append(json: $0) }
    case .object(let members):
      append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { append(",") }
        appendJSON(member.name)
        append(":")
        append(json: member.value)
      }
      append("}")
    }
  }
}
