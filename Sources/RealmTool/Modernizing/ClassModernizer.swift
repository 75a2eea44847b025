/// Rewrites the declarations of one model class in the style of `@Persisted`.
struct ClassModernizer {
  let source: SwiftSource
  let declaration: ClassDeclaration
  private(set) var edits: [SourceEdit] = []
  /// What a person must do, with the byte that it is about.
  private(set) var notes: [(byte: Int, text: String)] = []
  /// The properties that were `RealmOptional` or `RealmProperty`.
  var unwrapped: Set<String> = []

  private var properties: [PropertyDeclaration] = []
  private var functions: [NamingFunction] = []
  private(set) var primaryKey: String?
  private(set) var indexed: Set<String> = []
  private(set) var ignored: Set<String> = []

  init(_ source: SwiftSource, _ declaration: ClassDeclaration) {
    self.source = source
    self.declaration = declaration
    readMembers()
    takeNames()
    removeClassAttributes()
    for property in properties { modernize(property) }
  }

  mutating func note(_ position: Int, _ text: String) {
    notes.append((source.tokens[position].range.lowerBound, text))
  }

  mutating func add(_ edit: SourceEdit) { edits.append(edit) }

  private mutating func readMembers() {
    var position = declaration.body.lowerBound
    let end = declaration.body.upperBound
    var conditions = 0
    while position < end {
      if source.isToken(position, "#") {
        if source.isToken(position + 1, "if") { conditions += 1 }
        if source.isToken(position + 1, "endif") { conditions -= 1 }
      }
      guard let start = MemberStart(at: position, in: source, end: end) else {
        position = source.skipping(position)
        continue
      }
      position = start.keyword + 1
      if source.isToken(start.keyword, "var") || source.isToken(start.keyword, "let") {
        guard let property = PropertyDeclaration(start, in: source, limit: end) else { continue }
        if start.modifiers["static"] == nil && start.modifiers["class"] == nil { properties.append(property) }
        position = property.end
      } else if let function = NamingFunction(start, in: source, limit: end) {
        if conditions == 0 {
          functions.append(function)
        } else {
          note(
            function.tokens.lowerBound,
            "\(function.role.rawValue)() is within #if: declare the properties by hand and remove it")
        }
        position = function.tokens.upperBound
      }
    }
  }

  /// The names of the variables that are rewritten or persisted already: those of the others stay in the functions.
  private var declaredNames: Set<String> {
    Set(
      properties.filter { reasonToLeave($0) == nil }.flatMap { property in
        property.variables.map { source.text($0.name) }
      })
  }

  private mutating func takeNames() {
    let declared = declaredNames
    for function in functions {
      let role = "\(function.role.rawValue)()"
      guard let names = function.names else {
        note(
          function.tokens.lowerBound,
          "\(role) does not return literals: declare the properties by hand and remove it")
        continue
      }
      if let missing = names.first(where: { !declared.contains($0) }), function.role != .ignoredProperties {
        note(
          function.tokens.lowerBound,
          "\(role) names '\(missing)', which \(declaration.name) does not declare, or which is left to you")
        continue
      }
      switch function.role {
      case .primaryKey: primaryKey = names.first
      case .indexedProperties: indexed.formUnion(names)
      case .ignoredProperties: ignored.formUnion(names)
      }
      add(source.removingLines(function.tokens))
    }
  }

  private mutating func removeClassAttributes() {
    guard let start = startOfClass() else { return }
    for attribute in start.attributes where attribute.name == "objcMembers" || attribute.name == "objc" {
      if let arguments = attribute.arguments, !source.isToken(arguments + 1, declaration.name) {
        let name = source.text(source.byteRange(arguments..<source.skipping(arguments)))
        note(
          attribute.tokens.lowerBound,
          "@objc\(name) named the class for Objective-C: check the name of its table")
      }
      add(source.removing(attribute.tokens))
    }
  }

  /// The beginning of the declaration: the first place from which attributes and modifiers lead to its keyword.
  private func startOfClass() -> MemberStart? {
    var first: MemberStart?
    var position = declaration.keyword
    while position >= 0, declaration.keyword - position < 60 {
      if source.isSignificant(position),
        let start = MemberStart(at: position, in: source, end: declaration.body.lowerBound)
      {
        if start.keyword == declaration.keyword { first = start }
      } else if source.isToken(position, "{") || source.isToken(position, "}")
        || source.isToken(position, ";")
      {
        break
      }
      position -= 1
    }
    return first
  }
}
