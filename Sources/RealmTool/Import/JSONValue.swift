import RealmSwift
import Storage

/// A value as a source has it, before a property gives it its type.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// Any other number, as it stands there.
  case number(String)
  case string(String)
  /// A field of a CSV file, whose type nothing tells.
  case field(String)
  /// A value whose type the source names, as extended JSON does, in the text of such values.
  case typed(ValueType, String)
  case array([JSONValue])
  case object([Member])

  struct Member: Hashable, Sendable {
    let name: String
    let value: JSONValue
  }

  /// How messages show it.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .number(let text): text
    case .string(let text), .field(let text), .typed(_, let text): "'\(text.shortened)'"
    case .array(let elements): "an array of \(elements.count)"
    case .object: "an object"
    }
  }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isExactly(name) }?.value
  }

  /// Whether a number has neither decimals nor an exponent.
  static func isWhole(_ number: String) -> Bool {
    number.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: "-") }
  }

  /// Of a string, nil for anything else.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The members of an object, nil for anything else.
  var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }
}
