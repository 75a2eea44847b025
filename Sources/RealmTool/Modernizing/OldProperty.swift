/// What a stored collection, optional box or `LinkingObjects` of the old style is as a persisted property.
struct OldProperty: Sendable {
  /// The type of the persisted property.
  let type: String
  /// The name of the linking property.
  private(set) var origin: String?
  /// The text of the initial value.
  private(set) var value: String?
  let isOptionalBox: Bool

  private static let collections: Set = ["List", "MutableSet", "Map"]
  private static let boxes: Set = ["RealmOptional", "RealmProperty"]

  /// Returns nil for any other property, and for those whose type neither the declaration nor the value names.
  init?(_ property: PropertyDeclaration, in source: SwiftSource) {
    guard property.variables.count == 1 else { return nil }
    let variable = property.variables[0]
    if variable.accessors != nil || property.start.modifiers["lazy"] != nil { return nil }
    guard let call = variable.value,
      let bracket = call.last.flatMap({ last in
        call.first { source.closings[$0] == last && source.isToken($0, "(") }
      })
    else { return nil }
    let arguments = bracket + 1..<call.upperBound - 1
    let called = call.lowerBound..<bracket
    guard var name = Self.typeName(called, in: source) else { return nil }
    if name == "LinkingObjects" {
      guard let (type, origin) = Self.linking(arguments, in: source) else { return nil }
      self.type = "LinkingObjects<\(type)>"
      self.origin = origin
      isOptionalBox = false
      return
    }
    let typeTokens = source.angleText(called) == nil ? variable.type : called
    guard let typeTokens, let element = source.angleText(typeTokens) else { return nil }
    name = Self.typeName(typeTokens, in: source) ?? name
    if Self.collections.contains(name) {
      guard source.significant(from: arguments.lowerBound, to: arguments.upperBound) == arguments.upperBound
      else {
        return nil
      }
      type = "\(name)<\(element)>"
      isOptionalBox = false
    } else if Self.boxes.contains(name) {
      type = name == "RealmOptional" ? element + "?" : element
      isOptionalBox = true
      let first = source.significant(from: arguments.lowerBound, to: arguments.upperBound)
      if first < arguments.upperBound {
        let text = source.text(source.byteRange(first..<arguments.upperBound))
        value = text.hasPrefix("value:") ? String(text.dropFirst(6)).trimmingSpaces() : text
      }
    } else {
      return nil
    }
  }

  /// Whether a variable's type, or the type that its value calls, is a collection, a box or `LinkingObjects`.
  static func isCollection(_ variable: PropertyDeclaration.Variable, in source: SwiftSource) -> Bool {
    [variable.type, variable.value].contains { tokens in
      guard let tokens, !tokens.isEmpty, let name = typeName(tokens, in: source) else { return false }
      return collections.contains(name) || boxes.contains(name) || name == "LinkingObjects"
    }
  }

  /// The name of a type without its module and generic arguments.
  private static func typeName(_ tokens: Range<Int>, in source: SwiftSource) -> String? {
    var name: String?
    for position in tokens where source.isSignificant(position) {
      if source.tokens[position].kind == .word {
        name = source.text(position)
      } else if source.text(position) != "." {
        break
      }
    }
    return name
  }

  /// Reads `fromType: Person.self, property: "dogs"`.
  private static func linking(
    _ arguments: Range<Int>, in source: SwiftSource
  ) -> (type: String, origin: String)? {
    let significant = arguments.filter { source.isSignificant($0) }
    guard let comma = significant.first(where: { source.isToken($0, ",") }),
      let type = significant.first(where: { source.isToken($0, "fromType") }), let last = significant.last
    else { return nil }
    let typeTokens = significant.filter { $0 > type + 1 && $0 < comma }
    var name = typeTokens.map { source.text($0) }.joined()
    guard name.hasSuffix(".self") else { return nil }
    name.removeLast(5)
    if source.tokens[last].kind == .literal {
      return NamingFunction.plainString(source.text(last)).map { (name, $0) }
    }
    // `#keyPath(Person.dogs)`
    guard source.isToken(last, ")"), significant.contains(where: { source.isToken($0, "keyPath") }) else {
      return nil
    }
    return source.significant(before: last).map { (name, source.text($0)) }
  }
}

extension SwiftSource {
  /// Returns the text between the outermost angle brackets of a type, nil for a type without any.
  func angleText(_ type: Range<Int>) -> String? {
    guard let open = type.first(where: { isToken($0, "<") }) else { return nil }
    var depth = 0
    for position in open..<type.upperBound {
      depth += angleBrackets(at: position)
      // The bracket may be in one token with the sign of an optional.
      if depth == 0 {
        let text = text(tokens[open].range.upperBound..<tokens[position].range.upperBound)
        return text.lastIndex(of: ">").map { String(text[..<$0]) }
      }
    }
    return nil
  }
}
