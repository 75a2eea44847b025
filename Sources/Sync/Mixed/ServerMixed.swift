package import Storage

/// Mixed values as PostgreSQL holds them: a `jsonb` such as `{"t": "int", "v": 5}`, with the type beside the value.
///
/// Numbers and flags are those of JSON, and everything else is a string: what JSON numbers cannot express (`"NaN"`,
/// `"Infinity"`, `"-0.0"`), decimals, dates (`"2026-11-26T11:10:00Z"`), data (`"\\x00ff"`), ObjectIds and UUIDs. Lists and
/// dictionaries hold such objects. A link is `{"t": "link", "v": 7, "class": "Dog"}`, with the key of its target.
package enum ServerMixed {
  /// Maximum number of bytes of the text. PostgreSQL's limit of 256 MB is one of its own format, which takes up to 2.4 times
  /// as much.
  static let longest = 100_000_000
  /// Maximum number of lists and dictionaries inside each other, as in a realm.
  static let deepest = 1_000

  private enum Task {
    case value(Value)
    case text(String)
    case key(String)
  }

  /// Returns the text of a value, in UTF-8: the one that PostgreSQL gives back, so that both can be compared by their hashes.
  ///
  /// - Throws: `UnsendableValue` for what PostgreSQL or another realm would refuse.
  package static func bytes(of value: Value) throws(UnsendableValue) -> [UInt8] {
    var bytes: [UInt8] = []
    var tasks = [Task.value(value)]
    while let task = tasks.popLast() {
      switch task {
      case .text(let text): bytes += text.utf8
      case .key(let key):
        try append(quoted: key, to: &bytes)
        bytes += ": ".utf8
      case .value(let value): try append(value, to: &bytes, &tasks)
      }
      if bytes.count > longest { throw UnsendableValue(.mixedTooLong) }
    }
    return bytes
  }

  private static func append(
    _ value: Value, to bytes: inout [UInt8], _ tasks: inout [Task]
  ) throws(UnsendableValue) {
    func begin(_ type: MixedType) { bytes += "{\"t\": \"\(type.rawValue)\", \"v\": ".utf8 }
    switch value {
    case .null: bytes += "null".utf8
    case .list(let elements):
      begin(.list)
      bytes.append(UInt8(ascii: "["))
      tasks.append(.text("]}"))
      for (number, element) in elements.enumerated().reversed() {
        tasks.append(.value(element))
        if number > 0 { tasks.append(.text(", ")) }
      }
    case .dictionary(let entries):
      if let linked = value.linkedObject {
        begin(.link)
        try append(scalar: KeyText.scalar(linked.key), to: &bytes)
        bytes += ", \"class\": ".utf8
        try append(quoted: linked.className, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return
      }
      if value.unreadableReason != nil { throw UnsendableValue(.wrongType) }
      begin(.dictionary)
      bytes.append(UInt8(ascii: "{"))
      tasks.append(.text("}}"))
      for (number, entry) in entries.sorted(by: isBefore).enumerated().reversed() {
        tasks += [.value(entry.value), .key(entry.key)]
        if number > 0 { tasks.append(.text(", ")) }
      }
    default:
      guard let type = MixedType(value) else { throw UnsendableValue(.localLink) }
      begin(type)
      try append(scalar: value, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(scalar value: Value, to bytes: inout [UInt8]) throws(UnsendableValue) {
    switch value {
    case .int(let number): bytes += String(number).utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .float(let number): append(number, to: &bytes)
    case .double(let number): append(number, to: &bytes)
    case .string(let text): try append(quoted: text, to: &bytes)
    case .data(let data): try append(quoted: "\\x" + KeyText.hexadecimal(data), to: &bytes)
    case .date(let seconds):
      try append(quoted: ServerDate.text(try ServerDate.microseconds(seconds)), to: &bytes)
    case .objectId: try append(quoted: KeyText.text(of: value), to: &bytes)
    case .uuid: try append(quoted: KeyText.dashed(KeyText.text(of: value)), to: &bytes)
    case .decimal128(let decimal):
      let text = decimal.decimalText
      try append(quoted: text.hasPrefix("+") ? String(text.dropFirst()) : text, to: &bytes)
    case .null, .link, .list, .dictionary: throw UnsendableValue(.wrongType)
    }
  }

  /// `jsonb` has no negative zero, no infinities, and no number that is none.
  private static func append(
    _ number: some BinaryFloatingPoint & LosslessStringConvertible, to bytes: inout [UInt8]
  ) {
    let text =
      if number.isNaN {
        "\"NaN\""
      } else if number.isInfinite {
        number < 0 ? "\"-Infinity\"" : "\"Infinity\""
      } else if number == 0 && number.sign == .minus {
        "\"-0.0\""
      } else {
        withoutExponent(number.description)
      }
    bytes += text.utf8
  }

  /// The order in which PostgreSQL keeps keys.
  private static func isBefore(_ first: Value.DictionaryEntry, _ second: Value.DictionaryEntry) -> Bool {
    let (one, other) = (first.key.utf8, second.key.utf8)
    return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
  }

  /// Returns a decimal number with all its digits.
  private static func withoutExponent(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    let digits = mantissa.joined()
    let point = mantissa[0].count + exponent
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }

  private static func append(quoted text: String, to bytes: inout [UInt8]) throws(UnsendableValue) {
    if text.utf8.count > longest { throw UnsendableValue(.mixedTooLong) }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case 0: throw UnsendableValue(.nullCharacter)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 8: bytes += "\\b".utf8
      case 9: bytes += "\\t".utf8
      case 10: bytes += "\\n".utf8
      case 12: bytes += "\\f".utf8
      case 13: bytes += "\\r".utf8
      case 1..<32:
        let digits = String(byte, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// The types of mixed values, as they are named on the server.
enum MixedType: String {
  case int, bool, float, double, string, data, date, objectId, uuid, decimal128, link, list, dictionary

  /// Returns nil for null, and for a row of the file.
  init?(_ value: Value) {
    switch value {
    case .null, .link: return nil
    case .int: self = .int
    case .bool: self = .bool
    case .float: self = .float
    case .double: self = .double
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .objectId: self = .objectId
    case .uuid: self = .uuid
    case .decimal128: self = .decimal128
    case .list: self = .list
    case .dictionary: self = .dictionary
    }
  }
}
