/// A declaration of one variable or several.
struct PropertyDeclaration: Sendable {
  struct Variable: Sendable {
    /// The position of the name.
    let name: Int
    /// The tokens of the type, nil where it is inferred.
    var type: Range<Int>?
    /// The tokens of the initial value.
    var value: Range<Int>?
    /// The brace of accessors or observers.
    var accessors: Int?
  }

  let start: MemberStart
  private(set) var variables: [Variable] = []
  /// The position behind the last token.
  private(set) var end: Int

  /// Returns nil for patterns such as tuples.
  init?(_ start: MemberStart, in source: SwiftSource, limit: Int) {
    self.start = start
    end = start.keyword + 1
    repeat {
      let name = source.significant(from: end, to: limit)
      guard name < limit, source.tokens[name].kind == .word else { return nil }
      var variable = Variable(name: name)
      end = name + 1
      var next = source.significant(from: end, to: limit)
      if source.isToken(next, ":") {
        variable.type = Self.expression(after: next, in: source, limit: limit, stops: ["=", "{"])
        end = variable.type!.upperBound
        next = source.significant(from: end, to: limit)
      }
      if source.isToken(next, "=") {
        variable.value = Self.expression(after: next, in: source, limit: limit, stops: [])
        end = variable.value!.upperBound
        next = source.significant(from: end, to: limit)
      }
      if source.isToken(next, "{") {
        variable.accessors = next
        end = source.skipping(next)
        next = source.significant(from: end, to: limit)
      }
      variables.append(variable)
      guard source.isToken(next, ",") else { return }
      end = next + 1
    } while end < limit
  }

  /// The significant tokens of a type or value: to a comma, the end of the statement, or observers.
  private static func expression(
    after sign: Int, in source: SwiftSource, limit: Int, stops: Set<String>
  ) -> Range<Int> {
    let begin = source.significant(from: sign + 1, to: limit)
    var end = begin
    var position = begin
    var depth = 0
    while position < limit {
      let token = source.tokens[position]
      if token.kind == .space || token.kind == .comment {
        if endsStatement(at: position, in: source, limit: limit) { break }
        position += 1
        continue
      }
      depth += isGeneric(position, depth, in: source) ? source.angleBrackets(at: position) : 0
      if depth <= 0 {
        if source.isToken(position, ",") || source.isToken(position, ";") { break }
        if stops.contains(where: { source.isToken(position, $0) }) { break }
        if source.isToken(position, "{") && position > begin && hasObservers(position, in: source) { break }
      }
      position = source.skipping(position)
      end = position
    }
    return begin..<end
  }

  /// Whether a symbol can be the angle bracket of a generic type: one that stands directly behind a name, or ends such a one.
  private static func isGeneric(_ position: Int, _ depth: Int, in source: SwiftSource) -> Bool {
    depth > 0 || (position > 0 && source.tokens[position - 1].kind == .word)
  }

  private static func endsStatement(at position: Int, in source: SwiftSource, limit: Int) -> Bool {
    guard source.tokens[position].kind == .space, source.text(position).contains(where: \.isNewline) else {
      return false
    }
    let next = source.significant(from: position, to: limit)
    if next == limit { return true }
    if source.tokens[next].kind == .symbol { return false }
    if source.isToken(next, "{") { return !hasObservers(next, in: source) }
    guard let last = source.significant(before: position), source.tokens[last].kind == .symbol else {
      return true
    }
    return ["?", "!", ">"].contains(source.text(last).last)
  }

  private static func hasObservers(_ brace: Int, in source: SwiftSource) -> Bool {
    let first = source.significant(from: brace + 1, to: source.closings[brace] ?? brace + 1)
    return ["didSet", "willSet", "get", "set"].contains { source.isToken(first, $0) }
  }
}
