/// What becomes of one source file.
struct FileModernizer {
  /// The base classes of the library, from which a class derives directly or through others.
  static let bases: Set = ["Object", "EmbeddedObject", "AsymmetricObject"]

  let source: SwiftSource
  private(set) var edits: [SourceEdit] = []
  private(set) var notes: [(byte: Int, text: String)] = []
  private(set) var unwrapped: Set<String> = []

  /// - Parameter superclasses: The superclass of each class of all files.
  init(_ source: SwiftSource, superclasses: [String: String]) {
    self.source = source
    for declaration in ClassDeclaration.all(in: source) where Self.isModel(declaration.name, superclasses) {
      let modernizer = ClassModernizer(source, declaration)
      edits += modernizer.edits
      notes += modernizer.notes
      unwrapped.formUnion(modernizer.unwrapped)
    }
    modernizeEnumerations()
  }

  private static func isModel(_ name: String, _ superclasses: [String: String]) -> Bool {
    var name = name
    // As many steps as there are classes, in case that they form a circle.
    for _ in 0...superclasses.count {
      guard let next = superclasses[name] else { return false }
      if bases.contains(next) { return true }
      name = next
    }
    return false
  }

  private mutating func modernizeEnumerations() {
    for position in source.tokens.indices {
      if source.isToken(position, "@"), source.isToken(position + 1, "objc"),
        let start = MemberStart(at: position, in: source, end: source.tokens.count),
        source.isToken(start.keyword, "enum"), let attribute = start.attribute("objc")
      {
        edits.append(source.removing(attribute.tokens))
      }
      if source.isToken(position, "enum") || source.isToken(position, "extension") {
        modernizeConformance(after: position)
      }
    }
  }

  /// Replaces the old protocol of enums in the head of a declaration, or removes it where the new one is there.
  private mutating func modernizeConformance(after keyword: Int) {
    var head: [Int] = []
    for position in keyword..<source.tokens.count where source.isSignificant(position) {
      if source.isToken(position, "{") { break }
      head.append(position)
    }
    guard let place = head.firstIndex(where: { source.isToken($0, "RealmEnum") }), place > 0,
      source.isToken(head[place - 1], ":") || source.isToken(head[place - 1], ",")
    else { return }
    if !head.contains(where: { source.isToken($0, "PersistableEnum") }) {
      edits.append(SourceEdit(range: source.tokens[head[place]].range, text: "PersistableEnum"))
    } else if source.isToken(head[place - 1], ",") {
      edits.append(SourceEdit(range: source.byteRange(head[place - 1]..<head[place] + 1), text: ""))
    } else {
      edits.append(source.removing(head[place]..<head[place + 1] + 1))
    }
  }

  /// Notes what still needs the Objective-C runtime, and reads and writes of what was an optional in a box.
  ///
  /// - Parameter unwrapped: The properties of all files that were `RealmOptional` or `RealmProperty`.
  mutating func noteRest(unwrapped: Set<String>) {
    let noted = Set(notes.map { source.line(of: $0.byte) })
    for position in source.tokens.indices {
      guard let text = rest(at: position, unwrapped) else { continue }
      let byte = source.tokens[position].range.lowerBound
      if edits.contains(where: { $0.range.contains(byte) }) { continue }
      // The note on a property that is left says enough of its attribute.
      if source.isToken(position, "@"), noted.contains(source.line(of: byte)) { continue }
      notes.append((byte, text))
    }
    notes.sort { $0.byte < $1.byte }
  }

  /// Returns each note once with the number of its line, as it is after the given edits.
  func notesByLine(after edits: [SourceEdit]) -> [(line: Int, text: String)] {
    var result: [(line: Int, text: String)] = []
    for note in notes {
      let before = edits.filter { $0.range.upperBound <= note.byte }
      let prefix = SourceEdit.applying(before, to: source.bytes[..<note.byte])
      let line = 1 + prefix.count { $0 == UInt8(ascii: "\n") }
      if !result.contains(where: { $0 == (line, note.text) }) { result.append((line, note.text)) }
    }
    return result
  }

  private func rest(at position: Int, _ unwrapped: Set<String>) -> String? {
    if source.isToken(position, "@") {
      let name = position + 1 < source.tokens.count ? source.text(position + 1) : ""
      return ["objc", "objcMembers"].contains(name)
        ? "@\(name) needs the Objective-C runtime, which Linux does not have" : nil
    }
    if source.isToken(position, "#"), source.isToken(position + 1, "selector") {
      return "#selector needs the Objective-C runtime, which Linux does not have"
    }
    if source.isToken(position, "#"), source.isToken(position + 1, "keyPath") {
      return "#keyPath needs the Objective-C runtime: write the name as a string, or a key path"
    }
    if source.isToken(position, "RealmOptional") || source.isToken(position, "RealmProperty") {
      return "\(source.text(position)) is not there: use an optional"
    }
    if source.isToken(position, "value"), position >= 2, source.isToken(position - 1, "."),
      unwrapped.contains(source.text(position - 2))
    {
      return "'\(source.text(position - 2))' is an optional now: leave out '.value'"
    }
    return nil
  }
}
