import Storage

/// The identifiers that names of a file have in Swift: themselves, keywords in backticks, and anything else as letters,
/// digits and underscores. Names that Swift or the library have already get underscores at their ends.
struct SwiftNames {
  enum Kind {
    case classes
    /// The properties of one class. For each the property wrapper adds one with an underscore before the name.
    case properties
  }

  private var identifiers: [ExactText: String] = [:]
  /// The names whose identifiers are others, in the order in which they were given, without backticks.
  private(set) var renamed: [(identifier: String, name: String)] = []

  init(_ names: [String], _ kind: Kind) {
    var taken = kind == .classes ? ReservedNames.types : ReservedNames.members
    func isFree(_ identifier: String) -> Bool {
      !taken.contains(identifier) && !(kind == .properties && taken.contains("_" + identifier))
    }
    var chosen: [ExactText: String] = [:]
    // So that of `id` and `_id` the former keeps its name, and names that are identifiers do.
    let plain = names.filter(Self.isPlain)
    let ordered =
      plain.filter { !$0.hasPrefix("_") } + plain.filter { $0.hasPrefix("_") }
      + names.filter { !Self.isPlain($0) }
    for name in ordered {
      var identifier = Self.isPlain(name) ? name : Self.sanitised(name)
      while !isFree(identifier) { identifier += "_" }
      taken.insert(identifier)
      if kind == .properties { taken.insert("_" + identifier) }
      chosen[ExactText(name)] = identifier
    }
    for name in names {
      let identifier = chosen[ExactText(name)]!
      identifiers[ExactText(name)] = Self.keywords.contains(identifier) ? "`\(identifier)`" : identifier
      if !identifier.isExactly(name) { renamed.append((identifier, name)) }
    }
  }

  func identifier(_ name: String) -> String { identifiers[ExactText(name)] ?? Self.sanitised(name) }
  func isRenamed(_ name: String) -> Bool { renamed.contains { $0.name.isExactly(name) } }

  /// A text as the source of a program has it.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case let scalar where VisibleText.isControl(scalar):
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  // MARK: What Swift allows

  /// Whether a name can stand in Swift, with backticks at most.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_", !neverNames.contains(name) else { return false }
    return isHead(first) && name.unicodeScalars.allSatisfy { isHead($0) || isBody($0) }
  }

  private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private static func isBody(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isXIDContinue }

  private static func sanitised(_ name: String) -> String {
    var identifier = ""
    for scalar in name.unicodeScalars {
      if isHead(scalar) || isBody(scalar) {
        identifier.unicodeScalars.append(scalar)
      } else {
        identifier += "_"
      }
    }
    if !isPlain(identifier) { identifier = "_" + identifier }
    return isPlain(identifier) ? identifier : "_" + identifier
  }

  /// The words that have another meaning even in backticks.
  private static let neverNames: Set<String> = ["self", "Self", "init", "Type", "Protocol", "$0"]

  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    // These mean something else before a type only.
    "any", "borrowing", "consuming", "each", "isolated", "sending", "some",
  ]
}
