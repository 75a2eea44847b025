import Storage

/// What names of a file are called in Swift: themselves, keywords in backticks, and anything else as letters, digits and
/// underscores.
struct SwiftNames {
  private var identifiers: [ExactText: String] = [:]
  /// Those that are called something else, in the order in which they were given.
  private(set) var renamed: [(identifier: String, name: String)] = []

  init(_ names: [String]) {
    var taken = Set(names.filter(Self.isPlain))
    for name in names {
      if Self.isPlain(name) {
        identifiers[ExactText(name)] = Self.keywords.contains(name) ? "`\(name)`" : name
        continue
      }
      var identifier = Self.sanitised(name)
      while !taken.insert(identifier).inserted { identifier += "_" }
      identifiers[ExactText(name)] = identifier
      renamed.append((identifier, name))
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

  /// Those that mean something else even in backticks.
  private static let neverNames: Set<String> = ["self", "Self", "init", "Type", "Protocol", "$0"]

  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
