import RealmSwift

/// Finds the classes of a JSON file that is one object with an array of objects for each class, as in
/// `{"Dog": [{…}], "Person": [{…}]}`.
///
/// Keeps the names only, and stops reading at the first thing that such a file does not have.
struct ClassArrays {
  private enum State {
    case beforeFile, beforeName, afterName, beforeArray, beforeObject, inObject, afterObject, afterArray,
      afterFile
  }

  private var state = State.beforeFile
  private var found: [(name: String, part: JSONPart)] = []
  private var hasObjects = false
  /// How many objects and arrays of an object are open.
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  /// The name that is being read, in quotes.
  private var name: [UInt8] = []
  private var line = 1

  /// Returns the classes and their arrays; nil when the file has another form.
  static func find(in file: InputFile) throws -> [(name: String, part: JSONPart)]? {
    var search = ClassArrays()
    while let bytes = try file.read() {
      let offset = file.position - bytes.count
      for (place, byte) in bytes.enumerated() where !search.read(byte, at: offset + place) { return nil }
    }
    return search.state == .afterFile && search.hasObjects ? search.found : nil
  }

  /// Reads a byte. Returns false when the file is none of these.
  private mutating func read(_ byte: UInt8, at offset: Int) -> Bool {
    if byte == 10 { line += 1 }
    if isInText { return readText(byte) }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return true
    case 0xEF, 0xBB, 0xBF: return state == .beforeFile && offset < 3
    default: break
    }
    if state == .inObject {
      readInObject(byte)
      return true
    }
    let next: State? =
      switch (state, Unicode.Scalar(byte)) {
      case (.beforeFile, "{"): .beforeName
      case (.beforeName, "\""): .afterName
      case (.afterName, ":"): .beforeArray
      case (.beforeArray, "["): .beforeObject
      case (.beforeObject, "{"): .inObject
      case (.beforeObject, "]"): .afterArray
      case (.afterObject, ","): .beforeObject
      case (.afterObject, "]"): .afterArray
      case (.afterArray, ","): .beforeName
      case (.afterArray, "}"): .afterFile
      default: nil
      }
    guard let next else { return false }
    if state == .beforeArray { found.append((Self.text(name), JSONPart(offset: offset, line: line))) }
    state = next
    switch next {
    case .afterName:
      name = [byte]
      isInText = true
    case .inObject:
      hasObjects = true
      depth = 1
    default: break
    }
    return true
  }

  private mutating func readText(_ byte: UInt8) -> Bool {
    if state == .afterName { name.append(byte) }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInText = false
    }
    // No class has a longer name.
    return name.count < 1000
  }

  private mutating func readInObject(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): isInText = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { state = .afterObject }
    default: break
    }
  }

  private static func text(_ quoted: [UInt8]) -> String {
    (try? JSONParser.parse(String(decoding: quoted, as: UTF8.self)))?.text ?? ""
  }
}
