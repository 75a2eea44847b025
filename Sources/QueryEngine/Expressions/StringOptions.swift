/// How strings are compared; the raw values are those of the public option set.
package struct StringOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int8
  package init(rawValue: Int8) { self.rawValue = rawValue }

  package static let caseInsensitive = StringOptions(rawValue: 1)
  package static let diacriticInsensitive = StringOptions(rawValue: 2)

  /// The modifier as it is written after an operator, with its brackets.
  package var text: String {
    switch self {
    case []: ""
    case .caseInsensitive: "[c]"
    case .diacriticInsensitive: "[d]"
    default: "[cd]"
    }
  }
}
