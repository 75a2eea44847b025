/// A value that equals another one only when it is written alike: texts by their bytes, numbers by their bits.
package struct ExactValue: Hashable, Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package static func == (first: ExactValue, second: ExactValue) -> Bool {
    first.value.isExactly(second.value)
  }

  // What is written alike is equal for the values themselves, too, and has their hash; but for numbers that are none.
  package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Value {
  /// Whether both are written alike.
  package func isExactly(_ other: Value) -> Bool {
    switch (self, other) {
    case (.string(let text), .string(let other)): text.isExactly(other)
    case (.float(let number), .float(let other)): number.bitPattern == other.bitPattern
    case (.double(let number), .double(let other)), (.date(let number), .date(let other)):
      number.bitPattern == other.bitPattern
    case (.list(let values), .list(let others)): values.areExactly(others)
    case (.dictionary(let entries), .dictionary(let others)):
      entries.count == others.count
        && zip(entries, others).allSatisfy { $0.key.isExactly($1.key) && $0.value.isExactly($1.value) }
    default: self == other
    }
  }
}

extension [Value] {
  package func areExactly(_ others: [Value]) -> Bool {
    count == others.count && zip(self, others).allSatisfy { $0.isExactly($1) }
  }
}
