import QueryEngine
import RealmSwift
import Storage

/// The text of a query line: predicate syntax, in which `object("Person", 7)` stands for an object by its class and row.
struct StudioFilter {
  let text: String
  /// The text with placeholders where it has objects.
  let format: String
  private let objects: [Object]

  private struct Object {
    let className: String
    let row: Int
    /// Place in the text, in Unicode scalars.
    let place: Range<Int>
  }

  /// - Throws: `StudioFault` with status 422 for placeholders, for which a query line has no values.
  init(_ text: String) throws(StudioFault) {
    self.text = text
    let scalars = Array(text.unicodeScalars)
    var (format, objects): (String.UnicodeScalarView, [Object]) = (.init(), [])
    var position = 0
    while position < scalars.count {
      let scalar = scalars[position]
      if "'\"`".unicodeScalars.contains(scalar) {
        let end = Self.endOfQuoted(scalars, from: position)
        format.append(contentsOf: scalars[position..<end])
        position = end
      } else if scalar == "%" {
        throw Self.fault(
          "A query line has no values for placeholders such as %@.", text, position..<position + 2)
      } else if scalar == "o", Self.isWordStart(scalars, position),
        let object = Self.object(scalars, from: position)
      {
        objects.append(object)
        format.append(contentsOf: "%@".unicodeScalars)
        position = object.place.upperBound
      } else {
        format.append(scalar)
        position += 1
      }
    }
    self.format = String(format)
    self.objects = objects
  }

  var isEmpty: Bool { text.unicodeScalars.allSatisfy { $0.properties.isWhitespace } }

  // MARK: Objects

  private static func endOfQuoted(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    var position = start + 1
    while position < scalars.count {
      if scalars[position] == scalars[start] { return position + 1 }
      position += scalars[position] == "\\" ? 2 : 1
    }
    return scalars.count
  }

  private static func isWordStart(_ scalars: [Unicode.Scalar], _ position: Int) -> Bool {
    if position == 0 { return true }
    let former = scalars[position - 1]
    return !(former.isPartOfWord || ".#@$".unicodeScalars.contains(former))
  }

  /// The object that the text names at a position.
  private static func object(_ scalars: [Unicode.Scalar], from start: Int) -> Object? {
    var rest = scalars[start...]
    func skip(_ word: String) -> Bool {
      while rest.first?.properties.isWhitespace ?? false { rest = rest.dropFirst() }
      guard rest.starts(with: word.unicodeScalars) else { return false }
      rest = rest.dropFirst(word.unicodeScalars.count)
      return true
    }
    guard skip("object"), skip("("), skip("\"") else { return nil }
    let end = endOfQuoted(scalars, from: rest.startIndex - 1)
    let name = unescaped(scalars[rest.startIndex..<max(rest.startIndex, end - 1)])
    rest = scalars[end...]
    guard skip(",") else { return nil }
    _ = skip("")
    let digits = rest.prefix { $0.isASCII && $0.properties.numericType != nil }
    rest = rest.dropFirst(digits.count)
    guard let row = Int(String(String.UnicodeScalarView(digits))), skip(")") else { return nil }
    return Object(className: name, row: row, place: start..<rest.startIndex)
  }

  private static func unescaped(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in scalars {
      if !isEscaped && scalar == "\\" {
        isEscaped = true
        continue
      }
      isEscaped = false
      text.append(scalar)
    }
    return String(text)
  }

  /// An object as it is written in a query line.
  static func text(of row: Int, _ className: String) -> String {
    "object(\(quoted(className, "\"")), \(row))"
  }

  /// A name or text within quotes.
  static func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
    var quoted = String.UnicodeScalarView([quote])
    for scalar in text.unicodeScalars {
      if scalar == quote || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append(quote)
    return String(quoted)
  }

  /// A property as it is written in a query line.
  static func property(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 || $0 == 95 }
      && !(48...57 ~= name.utf8.first ?? 48) && !keywords.contains(name.uppercased())
    return isPlain ? name : quoted(name, "`")
  }

  /// Words of predicate syntax, which as names of properties need backticks.
  static let keywords: Set<String> = [
    "ALL", "AND", "ANY", "BEGINSWITH", "BETWEEN", "CONTAINS", "ENDSWITH", "FALSE", "FALSEPREDICATE", "IN",
    "LIKE",
    "MATCHES", "NIL", "NO", "NONE", "NOT", "NULL", "OBJECT", "OR", "SELF", "SOME", "SUBQUERY", "TEXT", "TRUE",
    "TRUEPREDICATE", "YES",
  ]

  // MARK: Meaning

  /// Returns what the placeholders stand for.
  ///
  /// - Throws: `StudioFault` with status 422 for an object that does not exist.
  private func arguments(in snapshot: Snapshot) throws(StudioFault) -> [Argument] {
    var arguments: [Argument] = []
    for object in objects {
      guard let reader = ClassReader.exact(object.className, in: snapshot) else {
        throw Self.fault("The file has no class '\(object.className)'.", text, object.place)
      }
      guard reader.table.isAlive(object.row) else {
        throw Self.fault(
          "Class '\(object.className)' has no object in row \(object.row).", text, object.place)
      }
      arguments.append(.object(table: reader.number, row: object.row))
    }
    return arguments
  }

  /// The objects of the text for `NumberedCollection.filter`.
  ///
  /// - Throws: `StudioFault` with status 422 for an object that does not exist.
  func numberedArguments(in snapshot: Snapshot) throws(StudioFault) -> [NumberedArgument] {
    try arguments(in: snapshot).map { argument in
      guard case .object(let table, let row) = argument else { return .value(.null) }
      return .value(.object(NumberedObject(classNumber: table, row: row)))
    }
  }

  /// Returns the condition for a class.
  ///
  /// - Throws: `StudioFault` with status 422, and the place of the mistake.
  func predicate(_ reader: ClassReader) throws(StudioFault) -> Predicate {
    let arguments = try arguments(in: reader.snapshot)
    do {
      let expression = try PredicateExpression(format: format, arguments: arguments)
      return try resolve(
        expression, table: reader.number, catalogue: reader.snapshot.catalogue, texts: .onCommandLine)
    } catch let error as PredicateError {
      throw Self.fault(
        PredicateAdvice(reader, text).explaining(error.message, error.missingProperty), text, place(of: error)
      )
    } catch {
      throw Self.fault("\(error)", text, 0..<text.unicodeScalars.count)
    }
  }

  // MARK: Places

  /// The place of a mistake in the text, in Unicode scalars.
  private func place(of error: PredicateError) -> Range<Int> {
    let scalars = Array(text.unicodeScalars)
    if let position = error.position { return token(scalars, at: original(position)) }
    if let name = error.missingProperty?.name, let place = Self.place(of: name, in: scalars) { return place }
    return 0..<scalars.count
  }

  /// The position in the text of a position in the format.
  private func original(_ position: Int) -> Int {
    var shift = 0
    for object in objects {
      if position + shift < object.place.lowerBound { break }
      if position + shift < object.place.lowerBound + 2 { return object.place.lowerBound }
      shift += object.place.count - 2
    }
    return position + shift
  }

  /// The word or sign at a position; the last one at the end.
  private func token(_ scalars: [Unicode.Scalar], at position: Int) -> Range<Int> {
    guard var start = scalars.indices.last(where: { !scalars[$0].properties.isWhitespace }) else {
      return 0..<0
    }
    let isAtEnd = position > start
    if !isAtEnd { start = position }
    guard scalars[start].isPartOfWord else { return start..<start + 1 }
    while isAtEnd && start > 0 && scalars[start - 1].isPartOfWord { start -= 1 }
    var end = start
    while end < scalars.count && scalars[end].isPartOfWord { end += 1 }
    return start..<end
  }

  private static func place(of name: String, in scalars: [Unicode.Scalar]) -> Range<Int>? {
    let wanted = Array(name.unicodeScalars)
    guard !wanted.isEmpty, scalars.count >= wanted.count else { return nil }
    return (0...scalars.count - wanted.count).lazy.map { $0..<$0 + wanted.count }.first { place in
      scalars[place].elementsEqual(wanted)
        && (place.lowerBound == 0 || !scalars[place.lowerBound - 1].isPartOfWord)
        && (place.upperBound == scalars.count || !scalars[place.upperBound].isPartOfWord)
    }
  }

  /// The refusal of what the user has typed.
  ///
  /// - Parameter place: Of the mistake in the text, in Unicode scalars; the page gets it in units of UTF-16.
  static func fault(_ message: String, _ text: String, _ place: Range<Int>) -> StudioFault {
    let scalars = text.unicodeScalars
    func units(_ position: Int) -> Int { scalars.prefix(position).reduce(0) { $0 + UTF16.width($1) } }
    return StudioFault(
      422, message, details: "\"from\":\(units(place.lowerBound)),\"to\":\(units(place.upperBound))")
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, digit or underscore.
  var isPartOfWord: Bool { self == "_" || properties.isAlphabetic || properties.numericType != nil }
}
