// What messages call rows and values.
extension Snapshot {
  /// What messages call a row: by its primary key, or else by its number.
  func name(_ table: Int, _ row: Int, _ key: Value?) -> String {
    "'\(catalogue.tables[table].name)' " + (key.map { "with the primary key \($0.text)" } ?? "number \(row)")
  }
}

extension Value {
  /// A value in messages.
  var text: String {
    switch self {
    case .int(let number): "\(number)"
    case .string(let text): "'\(text)'"
    case .null: "nil"
    case .objectId(let id): Self.digits(id.high, 16) + Self.digits(UInt64(id.low), 8)
    case .uuid(let id): Self.digits(id.high, 16) + Self.digits(id.low, 16)
    default: "\(self)"
    }
  }

  private static func digits(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
