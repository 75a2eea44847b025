import Storage

/// A condition on strings or data, prepared for many values that are not null.
enum BytesTest: Sendable {
  case text(TextMatcher)
  case order(RelationalOperator, [UInt8])
  case isIn(BytesSet)
  /// The members are folded.
  case isInFolded(BytesSet, StringFolding)

  /// Whether a value is one of several constants.
  init(_ constants: ConstantSet) {
    let patterns = constants.values.compactMap { constant in
      constant.textBytes.flatMap { TextMatcher(.equal, $0, options: constants.options).pattern }
    }
    let members = BytesSet(patterns)
    self = StringFolding(constants.options).map { .isInFolded(members, $0) } ?? .isIn(members)
  }

  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .text(let matcher): matcher.matches(bytes)
    case .order(let comparison, let bound):
      bound.withUnsafeBytes { comparison.accepts(bytes.order($0)) }
    case .isIn(let members): members.contains(bytes)
    case .isInFolded(let members, let folding):
      folding.fold(bytes).map { $0.withUnsafeBytes { members.contains($0) } } ?? false
    }
  }

  /// How much the test costs a row.
  var cost: Double {
    switch self {
    case .text(let matcher):
      switch (matcher.operation, matcher.folding) {
      case (.equal, nil): 4
      case (.like, _), (_, .some): 60
      case (.fullText, _): 200
      case (_, nil): 12
      }
    case .order: 12
    case .isIn: 15
    case .isInFolded: 80
    }
  }
}
