import RealmSwift
import Storage

/// A property of the written objects that is one value, appended to the bytes of a line without a text of its own.
///
/// Rare forms are left to `PropertyPath`.
struct PlainCell {
  private let column: Int
  private let type: ValueType
  private let table: Table
  /// Whether the bytes are those of a terminal, which takes some characters for commands.
  private let isTerminal: Bool

  /// Nil for a property that is a collection, a link, of any type, or of a linked object.
  init?(_ path: PropertyPath, _ reader: ClassReader, isTerminal: Bool) {
    guard path.isDirect, let number = path.number, let column = path.column, column.collection == .none,
      [.int, .bool, .double, .date, .string].contains(column.type)
    else { return nil }
    self.column = number
    self.isTerminal = isTerminal
    type = column.type
    table = reader.table
  }

  /// Appends a value as a field of CSV. Returns false, and appends nothing, when it needs more than its bytes.
  func appendField(_ row: Int, to bytes: inout [UInt8]) -> Bool {
    if table.isNull(column, row) { return true }
    if type == .string {
      return table.withBytes(column, row) { text in
        guard isPlainField(text) else { return false }
        bytes.append(contentsOf: text)
        return true
      }
    }
    if type == .date {
      DateText.append(table.double(column, row), to: &bytes)
      return true
    }
    return appendNumber(row, to: &bytes)
  }

  /// Appends a value as JSON. Returns false, and appends nothing, when it needs more than its bytes.
  func appendJSON(_ row: Int, to bytes: inout [UInt8]) -> Bool {
    if table.isNull(column, row) {
      bytes.append(contentsOf: "null".utf8)
      return true
    }
    switch type {
    case .string:
      return table.withBytes(column, row) { text in
        guard Self.isPlainText(text) else { return false }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
        return true
      }
    case .date:
      bytes.append(UInt8(ascii: "\""))
      DateText.append(table.double(column, row), to: &bytes)
      bytes.append(UInt8(ascii: "\""))
      return true
    default: return appendNumber(row, to: &bytes)
    }
  }

  private func appendNumber(_ row: Int, to bytes: inout [UInt8]) -> Bool {
    switch type {
    case .int: NumberText.append(table.integer(column, row), to: &bytes)
    case .bool: bytes.append(contentsOf: table.bool(column, row) ? "true".utf8 : "false".utf8)
    default:
      let number = table.double(column, row)
      // What is not finite is a text in JSON.
      guard number.isFinite else { return false }
      NumberText.append(number, to: &bytes)
    }
    return true
  }

  /// Whether a text needs neither quotes, nor anything that protects a spreadsheet or a terminal from it.
  private func isPlainField(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first, let last = text.last, last != UInt8(ascii: " ") else { return false }
    switch first {
    case UInt8(ascii: " "), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"):
      return false
    default: break
    }
    var bits: UInt8 = 0
    for byte in text {
      if byte < 32 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x7F { return false }
      bits |= byte
    }
    return bits < 0x80 || !isTerminal
  }

  /// Whether a text of JSON has nothing that is to be escaped.
  private static func isPlainText(_ text: UnsafeRawBufferPointer) -> Bool {
    for byte in text
    where byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
      || byte == 0xC2
    {
      // Behind 0xC2 there may be a control character.
      return false
    }
    return true
  }
}

/// Appends numbers in the form of Swift's descriptions, without allocating a text.
enum NumberText {
  static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.appendDigits(number.magnitude)
  }

  /// Appends the shortest decimal that is this number, which has to be finite.
  static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.magnitude < 1e9, number.magnitude >= 1e-3 || number == 0 && number.sign == .plus else {
      return bytes.append(contentsOf: number.description.utf8)
    }
    // A decimal of up to 15 digits is the only one of so few that rounds to its double.
    for (digits, scale) in [(1, 10.0), (2, 100.0), (4, 10_000.0)] {
      let scaled = (number.magnitude * scale).rounded()
      guard scaled / scale == number.magnitude else { continue }
      if number < 0 { bytes.append(UInt8(ascii: "-")) }
      return append(UInt64(scaled), decimals: digits, to: &bytes)
    }
    bytes.append(contentsOf: number.description.utf8)
  }

  /// Appends a number that is given without its decimal point, and leaves out zeros at its end.
  private static func append(_ scaled: UInt64, decimals: Int, to bytes: inout [UInt8]) {
    var power: UInt64 = 1
    for _ in 0..<decimals { power *= 10 }
    var (fraction, digits) = (scaled % power, decimals)
    while digits > 1 && fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    bytes.appendDigits(scaled / power)
    bytes.append(UInt8(ascii: "."))
    bytes.appendDigits(fraction, atLeast: digits)
  }
}
