// How each kind of property is rewritten.
extension ClassModernizer {
  mutating func modernize(_ property: PropertyDeclaration) {
    let names = property.variables.map { source.text($0.name) }
    if names.contains(where: ignored.contains) { return removeObjectiveC(property) }
    if property.start.attribute("Persisted") != nil { return addToPersisted(property) }
    if let old = OldProperty(property, in: source) { return replace(property, old) }
    guard let dynamic = property.start.modifiers["dynamic"] else {
      if property.start.attribute("objc") != nil, property.variables.contains(where: { $0.accessors != nil })
      {
        removeObjectiveC(property)
      }
      return
    }
    if property.variables.contains(where: { $0.accessors != nil }) {
      if isComputed(property) { return removeObjectiveC(property) }
      return note(
        dynamic, "'\(names[0])' has observers, which managed objects do not call: declare it by hand")
    }
    if property.start.modifiers["lazy"] != nil {
      return note(dynamic, "'\(names[0])' is lazy, which no stored property of a model can be")
    }
    removeObjectiveC(property)
    persist(property, names)
  }

  private func isComputed(_ property: PropertyDeclaration) -> Bool {
    guard let brace = property.variables[0].accessors, let closing = source.closings[brace] else {
      return false
    }
    let first = source.significant(from: brace + 1, to: closing)
    return property.variables[0].value == nil && !source.isToken(first, "didSet")
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
