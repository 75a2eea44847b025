/// The line and the headers of a request, as the client sent them.
struct StudioHead: Sendable {
  let method: String
  /// The target of the request, not decoded: path and query string.
  let target: String
  /// Names and values in the order in which they came.
  let headers: [(name: String, value: String)]

  /// Returns the values of all headers of a name, which is given in lower case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The path, not decoded.
  var path: Substring { target.prefix { $0 != "?" } }

  /// The text after the question mark, not decoded; nil when there is none.
  var queryText: Substring? {
    target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
  }

  /// The size of the body when the client said it; nil for a body in chunks.
  var declaredSize: Int? {
    if !values("transfer-encoding").isEmpty { return nil }
    return values("content-length").first.map { Int($0) ?? .max } ?? 0
  }
}

/// The decoding of a request's target.
enum PercentDecoding {
  /// Returns the text that a part of a path stands for; nil when it is malformed.
  static func text(_ part: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+"), plusIsSpace {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, let decoded = Hexadecimal.bytes(Array(rest.prefix(2))) else { return nil }
        rest = rest.dropFirst(2)
        bytes += decoded
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the values of a query string by name; nil when it is malformed.
  static func query(_ text: some StringProtocol) -> [String: String]? {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.text(parts[0], plusIsSpace: true),
        let value = Self.text(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
      else { return nil }
      values[name] = value
    }
    return values
  }
}
