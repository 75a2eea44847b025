import RealmSwift
import Storage

/// What the page takes for the present value of a property or an element: the cell as the server gave it.
struct ExpectedValue {
  let snapshot: Snapshot
  let value: JSONValue

  /// Whether a collection still has as many elements.
  private func matches(count: Int) -> Bool { value["count"] == .int(Int64(count)) }

  /// Whether a value is the expected one. Labels of links are not compared: they belong to other objects.
  func matches(_ present: Value, _ column: Column) -> Bool {
    column.type == .mixed ? matches(mixed: present) : Self.matches(present, value, snapshot)
  }

  private func matches(mixed present: Value) -> Bool {
    switch present {
    case .null: return value == .null
    case .list(let elements): return value["type"]?.text == "list" && matches(count: elements.count)
    case .dictionary(let entries):
      return value["type"]?.text == "dictionary" && matches(count: entries.count)
    default:
      guard let type = value["type"]?.text, let content = value["value"] else { return false }
      return present.type.map({ TypeNames.name($0) }) == type
        && Self.matches(present, content, snapshot)
    }
  }

  private static func matches(_ present: Value, _ expected: JSONValue, _ snapshot: Snapshot) -> Bool {
    switch present {
    case .null: return expected == .null
    case .bool(let flag): return expected == .bool(flag)
    case .int(let number): return expected == .int(number) || expected.text == "\(number)"
    case .float(let number): return same(Double(number), expected) { Float($0).map { Double($0) } }
    case .double(let number): return same(number, expected) { Double($0) }
    case .string(let text): return same(text, expected)
    case .data(let bytes):
      return expected["bytes"] == .int(Int64(bytes.count))
        && expected["hash"]?.text == ContentHash.text(of: bytes)
    case .link(let table, let row):
      return expected["class"]?.text == snapshot.catalogue.tables[table].name
        && expected["row"] == .int(Int64(row))
    case .list, .dictionary: return false
    default:
      let text = ValueText.text(present, snapshot)
      if case .typed(_, let given) = expected { return given == text }
      return expected.text == text
    }
  }

  private static func same(_ number: Double, _ expected: JSONValue, _ parse: (String) -> Double?) -> Bool {
    let given: Double?
    switch expected {
    case .int(let number): given = parse("\(number)")
    case .number(let text), .string(let text): given = parse(text)
    default: given = nil
    }
    guard let given else { return false }
    return given == number || given.isNaN && number.isNaN
  }

  /// Compares with a whole text, or with the beginning, length and checksum of a long one.
  private static func same(_ text: String, _ expected: JSONValue) -> Bool {
    if let whole = expected.text { return whole.isExactly(text) }
    return expected["hash"]?.text == ContentHash.text(of: text.utf8)
      && expected["length"] == .int(Int64(text.unicodeScalars.count))
  }
}
