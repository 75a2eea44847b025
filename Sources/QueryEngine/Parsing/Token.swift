/// A piece of a format string.
struct Token: Equatable {
  enum Kind: Equatable {
    /// A name, also one that is a keyword; escaped ones were written with `#` and are never keywords.
    case name(String, isEscaped: Bool)
    /// `@count` and so on, without the sign.
    case operation(String)
    /// `$name`, without the sign.
    case variable(String)
    case integer(Int64)
    case real(Double)
    /// A number that neither of the two holds exactly.
    case number(NumberLiteral)
    case string(String)
    /// A placeholder, without the percent sign.
    case placeholder(String)
    case symbol(String)
    case end
  }

  var kind: Kind
  /// Where it begins, in Unicode scalars from the start of the text.
  var position: Int

  func isSymbol(_ text: String) -> Bool { kind == .symbol(text) }

  /// The name in capitals when it can be a keyword.
  var keyword: String? {
    if case .name(let name, false) = kind { return name.uppercased() }
    return nil
  }
}
