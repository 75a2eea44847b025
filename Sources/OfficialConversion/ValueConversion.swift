import OfficialFiles
import Storage

/// Turns values of an official file into those of ours.
struct ValueConversion {
  private let schema: ConvertedSchema
  /// By the numbers of the new tables.
  private let rows: [RowNumbers]
  /// Nil for tables that are not embedded.
  private(set) var parents: [Parents?]
  var report = ConversionReport()

  /// Seconds from 1970 to 2001.
  private static let referenceDate: Int64 = 978_307_200

  init(_ schema: ConvertedSchema, _ rows: [RowNumbers]) {
    self.schema = schema
    self.rows = rows
    parents = zip(schema.tables, rows).map { $0.isEmbedded ? Parents(count: $1.count) : nil }
  }

  func rowCount(_ table: Int) -> Int { rows[table].count }

  /// A value of a column, or an element of a collection; a link that leads nowhere is null.
  mutating func value(_ value: OfficialValue) throws -> Value {
    switch value {
    case .null: return .null
    case .int(let number): return .int(number)
    case .bool(let flag): return .bool(flag)
    case .float(let number): return .float(number)
    case .double(let number): return .double(number)
    case .string(let bytes): return .string(bytes.string)
    case .data(let bytes): return .data(bytes.array)
    case .date(let seconds, let nanoseconds):
      let (distance, overflow) = seconds.subtractingReportingOverflow(Self.referenceDate)
      let whole = overflow ? Double(seconds) - Double(Self.referenceDate) : Double(distance)
      return .date(whole + Double(nanoseconds) / 1_000_000_000)
    // As they lie in memory, the low half first.
    case .decimal(let high, let low):
      return .decimal128(Fixed16(high: low.byteSwapped, low: high.byteSwapped))
    case .objectId(let bytes): return bytes.withBytes { .objectId(Fixed12($0.baseAddress!)) }
    case .uuid(let bytes): return bytes.withBytes { .uuid(Fixed16($0.baseAddress!)) }
    case .link(let table, let key): return link(table, key)
    case .collection(let collection): return try nested(collection)
    }
  }

  private mutating func link(_ table: Int, _ key: Int64) -> Value {
    guard let number = schema.number(of: table), let row = rows[number].row(key),
      // An embedded object has one parent: a second link to it is dropped.
      parents[number] == nil || parents[number]!.claim(row)
    else {
      report.brokenLinks += 1
      return .null
    }
    return .link(table: number, row: row)
  }

  /// A list or dictionary in a mixed value. They have up to 100 levels.
  private mutating func nested(_ collection: OfficialCollection) throws -> Value {
    if collection.type == .dictionary {
      var entries: [Value.DictionaryEntry] = []
      try collection.forEachEntry { key, value in
        entries.append(Value.DictionaryEntry(key: key.string, value: try self.value(value)))
      }
      entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return .dictionary(entries.withoutRepeatedKeys)
    }
    var elements: [Value] = []
    try collection.forEachElement { elements.append(try self.value($0)) }
    return .list(elements)
  }
}

extension [Value.DictionaryEntry] {
  /// Keys that were no Unicode may have become equal.
  fileprivate var withoutRepeatedKeys: Self {
    var result: Self = []
    for entry in self where result.last?.key.utf8.elementsEqual(entry.key.utf8) != true {
      result.append(entry)
    }
    return result
  }
}
