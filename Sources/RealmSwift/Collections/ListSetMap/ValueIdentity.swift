import Storage

/// A stored value as what makes elements and keys distinct: numbers count by their value, whatever their type, and
/// NaN is itself.
struct ValueIdentity: Hashable {
  let value: StoredValue

  init(_ value: StoredValue) { self.value = value }

  func isEqual(to other: StoredValue) -> Bool { StoredValue.order(value, other) == 0 }

  static func == (a: ValueIdentity, b: ValueIdentity) -> Bool { a.isEqual(to: b.value) }

  func hash(into hasher: inout Hasher) {
    // Equal numbers of different types are equal as doubles, too.
    let double: Double
    switch value {
    case .int(let number): double = Double(number)
    case .float(let number): double = Double(number)
    case .double(let number), .date(let number): double = number
    case .decimal128: double = Decimal128(_rlm: value)?.doubleValue ?? 0
    default: return value.hash(into: &hasher)
    }
    hasher.combine(double.isNaN ? Double.nan.bitPattern : (double == 0 ? 0 : double.bitPattern))
  }
}
