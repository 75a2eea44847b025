import CDecimal128
import Storage

/// Keys of any kind: decimals and mixed values, which may be equal though their bytes differ, and what links lead to.
struct ValueKeys: KeyNumbering {
  private let reader: RowReader
  private let key: GroupKey
  private var known: [ComparedValue: UInt32] = [:]
  /// What is at the end of a link is looked up once for each target.
  private var targets: [Int: UInt32] = [:]
  private(set) var values: ContiguousArray<Value> = []

  init(_ table: Table, _ key: GroupKey) {
    reader = RowReader(table)
    self.key = key
  }

  mutating func number(_ rows: ChunkRows, into numbers: UnsafeMutablePointer<UInt32>) {
    guard let link = key.source.links.first else {
      return rows.forEachRow { index, position in numbers[index] = number(row: rows.row(position)) }
    }
    rows.forEachRow { index, position in
      let row = rows.row(position)
      let target = reader.table.link(link.column, row) ?? -1
      if let known = targets[target] {
        numbers[index] = known
      } else {
        numbers[index] = number(row: row)
        targets[target] = numbers[index]
      }
    }
  }

  private mutating func number(row: Int) -> UInt32 {
    var value = reader.value(of: key.source, row: row)
    if let part = key.part, case .date(let seconds) = value { value = .date(part.period(of: seconds).start) }
    if let number = known[ComparedValue(value)] { return number }
    let number = UInt32(values.count)
    known[ComparedValue(value)] = number
    values.append(value)
    return number
  }
}

/// A value that equals those which compare as equal, numbers of other types among them. A float and a decimal that compare
/// as equal only by the float's text are different keys.
private struct ComparedValue: Hashable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  static func == (first: Self, second: Self) -> Bool {
    switch (first.value, second.value) {
    // These have no order among themselves.
    case (.list, _), (.dictionary, _): first.value == second.value
    default: Value.order(first.value, second.value) == 0
    }
  }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .int(let number): hasher.combine(Double(number))
    case .float(let number): hasher.combine(Self.canonical(Double(number)))
    case .double(let number): hasher.combine(Self.canonical(number))
    case .decimal128(let fixed): hasher.combine(Self.canonical(BID_UINT128(fixed).doubleValue))
    // By code points, as texts compare.
    case .string(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .list(let elements): hasher.combine(elements.count)
    case .dictionary(let entries): hasher.combine(entries.count)
    default: hasher.combine(value)
    }
  }

  private static func canonical(_ number: Double) -> Double { number.isNaN ? .nan : number }
}
