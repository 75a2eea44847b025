// How each kind of property is rewritten.
extension ClassModernizer {
  mutating func modernize(_ property: PropertyDeclaration) {
    let names = property.variables.map { source.text($0.name) }
    if names.contains(where: ignored.contains) { return removeObjectiveC(property) }
    if property.start.attribute("Persisted") != nil { return addToPersisted(property) }
    if let old = OldProperty(property, in: source) { return replace(property, old) }
    if isComputed(property) { return removeObjectiveC(property) }
    if let reason = reasonToLeave(property) {
      return note(property.start.modifiers["dynamic"] ?? property.start.position, "'\(names[0])' \(reason)")
    }
    guard property.start.modifiers["dynamic"] != nil else { return }
    removeObjectiveC(property)
    persist(property, names)
  }

  /// Why a property that was stored is not rewritten, as the end of a sentence; nil for one that is, or was never stored.
  func reasonToLeave(_ property: PropertyDeclaration) -> String? {
    if property.start.attribute("Persisted") != nil || OldProperty(property, in: source) != nil { return nil }
    let isCollection = property.variables.contains { OldProperty.isCollection($0, in: source) }
    guard property.start.modifiers["dynamic"] != nil || isCollection, !isComputed(property) else {
      return nil
    }
    if property.variables.contains(where: { $0.accessors != nil }) {
      return "has observers, which managed objects do not call: declare it by hand"
    }
    if property.start.modifiers["lazy"] != nil {
      return "is lazy, which no stored property of a model can be"
    }
    if isCollection { return "is declared in a form that is not rewritten: declare it by hand" }
    return hasCommentsBetween(property)
      ? "has comments between the variables of its declaration: declare each by itself" : nil
  }

  /// Whether comments are between the variables of a declaration, which would be lost.
  private func hasCommentsBetween(_ property: PropertyDeclaration) -> Bool {
    zip(property.variables, property.variables.dropFirst()).contains { first, second in
      (first.name..<second.name).contains { source.tokens[$0].kind == .comment }
    }
  }

  private func isComputed(_ property: PropertyDeclaration) -> Bool {
    guard property.variables[0].value == nil, let brace = property.variables[0].accessors,
      let closing = source.closings[brace]
    else {
      return false
    }
    let first = source.significant(from: brace + 1, to: closing)
    return !source.isToken(first, "didSet")
      && !source.isToken(first, "willSet")
  }

  private mutating func removeObjectiveC(_ property: PropertyDeclaration) {
    if let attribute = property.start.attribute("objc") { add(source.removing(attribute.tokens)) }
    if let dynamic = property.start.modifiers["dynamic"] { add(source.removing(dynamic..<dynamic + 1)) }
  }

  private func attribute(_ name: String) -> String {
    if name == primaryKey { return "@Persisted(primaryKey: true)" }
    return indexed.contains(name) ? "@Persisted(indexed: true)" : "@Persisted"
  }

  /// Puts the attribute before the declaration; several variables get a declaration each.
  private mutating func persist(_ property: PropertyDeclaration, _ names: [String]) {
    let begin = source.tokens[property.start.position].range.lowerBound
    add(SourceEdit(range: begin..<begin, text: attribute(names[0]) + " "))
    guard names.count > 1 else { return }
    let lineEnd = source.bytes.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    let modifiers = property.start.modifiers.filter { $0.key != "dynamic" }.sorted { $0.value < $1.value }
      .map { position -> String in
        let end =
          source.isToken(position.value + 1, "(") ? source.skipping(position.value + 1) : position.value + 1
        return source.text(source.byteRange(position.value..<end)) + " "
      }
      .joined()
    for index in 1..<names.count {
      let name = property.variables[index].name
      guard let comma = source.significant(before: name) else { continue }
      let gap = source.tokens[comma].range.lowerBound..<source.tokens[name].range.lowerBound
      let text = "\(lineEnd)\(indentation(at: begin))\(attribute(names[index])) \(modifiers)var "
      add(SourceEdit(range: gap, text: text))
    }
  }

  private func indentation(at byte: Int) -> String {
    let line = source.bytes[..<byte].reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed()
    return String(
      decoding: line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }, as: UTF8.self)
  }

  /// Adds what the functions said to an attribute that is there already.
  private mutating func addToPersisted(_ property: PropertyDeclaration) {
    let name = source.text(property.variables[0].name)
    guard let persisted = property.start.attribute("Persisted") else { return }
    let argument = name == primaryKey ? "primaryKey" : indexed.contains(name) ? "indexed" : nil
    guard let argument else { return }
    guard let bracket = persisted.arguments else {
      let end = source.byteRange(persisted.tokens).upperBound
      return add(SourceEdit(range: end..<end, text: "(\(argument): true)"))
    }
    if source.text(source.byteRange(persisted.tokens)).contains(argument) { return }
    let begin = source.tokens[bracket].range.upperBound
    add(SourceEdit(range: begin..<begin, text: "\(argument): true, "))
  }

  private mutating func replace(_ property: PropertyDeclaration, _ old: OldProperty) {
    let name = source.text(property.variables[0].name)
    removeObjectiveC(property)
    if old.isOptionalBox { unwrapped.insert(name) }
    let attribute = old.origin.map { "@Persisted(originProperty: \"\($0)\")" } ?? attribute(name)
    let begin = source.tokens[property.start.position].range.lowerBound
    add(SourceEdit(range: begin..<begin, text: attribute + " "))
    let keyword = source.tokens[property.start.keyword].range
    if source.isToken(property.start.keyword, "let") { add(SourceEdit(range: keyword, text: "var")) }
    let rest =
      source.tokens[property.variables[0].name].range
      .upperBound..<source.tokens[property.end - 1].range.upperBound
    let value = old.value.map { " = \($0)" } ?? ""
    add(SourceEdit(range: rest, text: ": \(old.type)\(value)"))
  }
}
