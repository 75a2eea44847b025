package import Storage

/// Keys as texts: those of PostgreSQL's own output functions, and the hexadecimal digits of an ObjectId.
package enum KeyText {
  /// Returns the text of a key, as the outcome of a push has it.
  package static func text(of key: Value) -> String {
    switch key {
    case .int(let number): return String(number)
    case .string(let text): return text
    case .objectId(let id):
      var bytes = [UInt8](repeating: 0, count: 12)
      bytes.withUnsafeMutableBytes { id.store(to: $0.baseAddress!) }
      return hexadecimal(bytes)
    case .uuid(let id):
      var bytes = [UInt8](repeating: 0, count: 16)
      bytes.withUnsafeMutableBytes { id.store(to: $0.baseAddress!) }
      return hexadecimal(bytes)
    default: preconditionFailure("not a primary key: \(key)")
    }
  }

  /// Returns the text of a key as PostgreSQL shows it: with the hyphens of a UUID.
  static func shown(_ key: Value) -> String {
    if case .uuid = key { dashed(text(of: key)) } else { text(of: key) }
  }

  /// Reads the text of a key; nil if it is not one of the type.
  package static func key(_ text: String, _ type: ServerType) -> Value? {
    switch type {
    case .bigint: return Int64(text).map { .int($0) }
    case .text: return .string(text)
    case .objectId:
      guard let bytes = bytes(text.utf8), bytes.count == 12 else { return nil }
      return bytes.withUnsafeBytes { .objectId(Fixed12($0.baseAddress!)) }
    case .uuid:
      guard let bytes = bytes(text.utf8.filter { $0 != UInt8(ascii: "-") }[...]), bytes.count == 16 else {
        return nil
      }
      return bytes.withUnsafeBytes { .uuid(Fixed16($0.baseAddress!)) }
    default: return nil
    }
  }

  /// Whether PostgreSQL can store a key.
  static func isSendable(_ key: Value) -> Bool {
    if case .string(let text) = key { !text.utf8.contains(0) } else { true }
  }

  /// Returns a literal of SQL for a key of a type.
  package static func literal(_ key: Value, _ type: ServerType) -> String {
    let prefix = type == .objectId ? "\\x" : ""
    return "\(SQLText.literal(prefix + text(of: key)))::\(type.name)"
  }

  /// Returns keys as literals, with commas between them.
  static func literals(_ keys: [Value], _ type: ServerType) -> String {
    keys.map { literal($0, type) }.joined(separator: ", ")
  }

  /// Returns a key as a number, or as the text that `key` reads.
  static func scalar(_ key: Value) -> Value {
    switch key {
    case .int, .string: key
    case .uuid: .string(dashed(text(of: key)))
    default: .string(text(of: key))
    }
  }

  /// Returns the hexadecimal digits of a UUID with the hyphens that they usually have.
  static func dashed(_ digits: String) -> String {
    var parts: [Substring] = []
    var rest = Substring(digits)
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
    let values = digits.map { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard values.count % 2 == 0, !values.contains(nil) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0]! << 4 | values[$0 + 1]! }
  }
}
