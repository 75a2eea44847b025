import Storage

extension ValueCondition {
  /// The ranges of an index in which are all values that satisfy the condition, without overlaps, and whether all
  /// values in them do. nil when an index is of no use.
  func indexBounds(_ type: ValueType) -> (ranges: [IndexRange], isExact: Bool)? {
    switch self {
    case .compare(let comparison, let value):
      return IndexRange(comparison, value).map { ([$0], true) }
    case .between(let lower, let upper):
      guard !lower.isNull, !upper.isNull, let from = IndexRange(.greaterOrEqual, lower),
        let to = IndexRange(.lessOrEqual, upper)
      else { return nil }
      return ([from.intersection(to)], true)
    case .isIn(let values):
      let keys = Set(values.values.lazy.compactMap { IndexKey(equalTo: $0) })
      return (keys.sorted().map { .equal(to: $0) }, true)
    case .text(let text):
      guard text.options.isEmpty, let pattern = text.pattern else { return nil }
      switch text.operation {
      case .equal: return ([.equal(to: .bytes(pattern))], true)
      case .beginsWith: return pattern.isEmpty ? nil : ([.prefix(pattern)], true)
      case .like:
        let beginning = pattern.prefix { !Self.hasMeaningInLike($0) }
        return beginning.isEmpty ? nil : ([.prefix(Array(beginning))], false)
      case .notEqual, .endsWith, .contains, .fullText: return nil
      }
    case .isInFolded, .negated: return nil
    }
  }

  private static func hasMeaningInLike(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }
}

extension IndexKey {
  /// The key of the values that equal a constant; nil for NaN, which none equals, though it has a key of its own, and for
  /// decimals: these are in no index, and equal none of the integers that they are compared with.
  init?(equalTo constant: Value) {
    if constant.isNaN { return nil }
    if case .decimal128 = constant { return nil }
    self.init(constant)
  }
}

extension IndexRange {
  /// The keys of the values that compare so with a constant. nil for what no range tells.
  init?(_ comparison: RelationalOperator, _ constant: Value) {
    guard let key = IndexKey(equalTo: constant) else { return nil }
    switch (comparison, constant) {
    case (.equal, _), (.lessOrEqual, .null), (.greaterOrEqual, .null): self = .equal(to: key)
    case (_, .null), (.notEqual, _): return nil
    case (.less, _): self.init(after: constant.keyBeforeAll, upTo: key)
    case (.lessOrEqual, _): self.init(after: constant.keyBeforeAll, through: key)
    case (.greater, _): self.init(after: key, through: nil)
    case (.greaterOrEqual, _): self.init(from: key, through: nil)
    }
  }

  func intersection(_ other: IndexRange) -> IndexRange {
    var result = self
    if let lower = other.lower {
      if result.lower.map({ $0 < lower }) ?? true {
        result.lower = lower
        result.includesLower = other.includesLower
      } else if result.lower == lower {
        result.includesLower = result.includesLower && other.includesLower
      }
    }
    if let upper = other.upper {
      if result.upper.map({ upper < $0 }) ?? true {
        result.upper = upper
        result.includesUpper = other.includesUpper
      } else if result.upper == upper {
        result.includesUpper = result.includesUpper && other.includesUpper
      }
    }
    return result
  }
}

extension Value {
  fileprivate var isNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number), .date(let number): number.isNaN
    default: false
    }
  }

  /// The greatest key that comes before those of all values which are less or greater than something: null, and for
  /// floating-point numbers NaN.
  fileprivate var keyBeforeAll: IndexKey {
    switch self {
    case .float, .double, .date: IndexKey(Double.nan)
    default: .null
    }
  }
}
