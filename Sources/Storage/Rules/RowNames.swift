import LibC

// What messages call rows and values.
extension Writer {
  /// What messages call a row: by its primary key, or else by its number.
  func name(_ table: Int, _ row: Int, _ key: Value?) -> String {
    "'\(snapshot.catalogue.tables[table].name)' "
      + (key.map { "with the primary key \($0.text)" } ?? "number \(row)")
  }

  /// Returns the name of a live row, without its class.
  func name(_ table: Int, _ row: Int) -> String {
    let description = snapshot.catalogue.tables[table]
    let rows = snapshot.table(table)
    if let key = description.primaryKey { return "primary key \(rows.value(key, row).text)" }
    guard let key = description.compositeKey else { return "number \(row)" }
    return
      "primary key (\(key.columns.map { rows.value($0, row).text }.joined(separator: ", "))) in row \(row)"
  }
}

extension Value {
  private static let longestText = 100

  /// A value in messages.
  var text: String {
    switch self {
    case .int(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .string(let text) where text.count > Self.longestText: "'\(text.prefix(Self.longestText))…'"
    case .string(let text): "'\(text)'"
    case .date(let seconds): Self.dateText(seconds)
    case .null: "nil"
    case .objectId(let id): Self.digits(id.high, 16) + Self.digits(UInt64(id.low), 8)
    case .uuid(let id): Self.digits(id.high, 16) + Self.digits(id.low, 16)
    default: "\(self)"
    }
  }

  /// A second of UTC; the number of seconds since 2001, as it is stored, where there is no such year.
  private static func dateText(_ seconds: Double) -> String {
    guard var second = time_t(exactly: (seconds + 978_307_200).rounded(.down)) else { return "\(seconds) s" }
    var parts = tm()
    guard gmtime_r(&second, &parts) != nil else { return "\(seconds) s" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      strftime(buffer.baseAddress!, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      return String(cString: buffer.baseAddress!)
    }
  }

  private static func digits(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
