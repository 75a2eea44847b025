@testable import Storage

/// What is in a converted file, in the form of the description of the official one.
struct StoredContent {
  private let snapshot: Snapshot
  /// The keys that the objects of each class had, in the order of their rows.
  private let keys: [String: [Int64]]

  init(_ snapshot: Snapshot, _ description: SampleDescription) {
    self.snapshot = snapshot
    keys = Dictionary(uniqueKeysWithValues: description.classes.map { ($0.name, $0.objects.keys.sorted()) })
  }

  func content(_ table: Table, _ column: Int, _ row: Int) -> Content {
    let collection = snapshot.catalogue.tables[table.number].columns[column].collection
    let elements = collection == .none ? [] : table.elements(column, row).map(content)
    switch collection {
    case .none: return content(table.value(column, row))
    case .list: return .list(elements)
    case .set: return .set(Set(elements))
    case .map:
      let keys = elements.indices.map { Array(table.key(column, row, at: $0).utf8) }
      return .dictionary(Dictionary(uniqueKeysWithValues: zip(keys, elements)))
    }
  }

  private func content(_ value: Value) -> Content {
    switch value {
    case .null: return .null
    case .int(let number): return .int(number)
    case .bool(let flag): return .bool(flag)
    case .float(let number): return .float(number.bitPattern)
    case .double(let number): return .double(number.bitPattern)
    case .string(let string): return .string(Array(string.utf8))
    case .data(let bytes): return .data(bytes)
    case .date(let seconds): return .double(seconds.bitPattern)
    case .objectId(let id):
      return .objectId(
        FileBuilder.bytes(id.high).reversed() + FileBuilder.bytes(UInt64(id.low))[..<4].reversed())
    case .uuid(let id):
      return .uuid(FileBuilder.bytes(id.high).reversed() + FileBuilder.bytes(id.low).reversed())
    case .decimal128(let bytes): return .decimal(high: bytes.low.byteSwapped, low: bytes.high.byteSwapped)
    case .link(let table, let row):
      let name = snapshot.catalogue.tables[table].name
      return .link(name, keys[name]![row])
    case .list(let elements): return .list(elements.map(content))
    case .dictionary(let entries):
      return .dictionary(
        Dictionary(uniqueKeysWithValues: entries.map { (Array($0.key.utf8), content($0.value)) }))
    }
  }
}

extension Content {
  /// With dates as seconds since 2001, as precise as `Date` is.
  var withDatesOfDoubles: Content {
    switch self {
    case .date(let seconds, let nanoseconds):
      let (whole, overflow) = seconds.subtractingReportingOverflow(978_307_200)
      let start = overflow ? Double(seconds) - 978_307_200 : Double(whole)
      return .double((start + Double(nanoseconds) / 1e9).bitPattern)
    case .list(let elements): return .list(elements.map(\.withDatesOfDoubles))
    case .set(let elements): return .set(Set(elements.map(\.withDatesOfDoubles)))
    case .dictionary(let entries): return .dictionary(entries.mapValues(\.withDatesOfDoubles))
    default: return self
    }
  }
}
