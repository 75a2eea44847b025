import Foundation
import RealmSwift
import Storage

/// Values that the page sends, as stored ones.
struct PageValue {
  /// Maximum size of a string or data, in bytes.
  static let sizeLimit = 16 << 20
  /// Maximum depth of lists and dictionaries within each other, which is that of programs.
  private static let deepest = ValueReading.deepest

  let snapshot: Snapshot
  let table: Int
  let number: Int
  /// The row of an object that the page names; the batch knows the objects that it has created.
  var row: (_ className: String, _ row: Int) -> Int = { $1 }

  private var column: Column { snapshot.catalogue.tables[table].columns[number] }
  private var className: String { snapshot.catalogue.tables[table].name }
  private var name: String { "Property '\(column.name)' of class '\(className)'" }

  /// Returns the value for the property, or for an element of the collection that it is.
  ///
  /// - Throws: `ValueFault` that names class, property and value, and says what is valid.
  func stored(_ value: JSONValue) throws -> Value {
    let stored: Value
    switch column.type {
    case .link: stored = try link(value, to: column.target)
    case .mixed: stored = try mixed(value, depth: 0)
    default: stored = try plain(value, column)
    }
    try checkSize(stored)
    return stored
  }

  private func checkSize(_ value: Value) throws {
    let size = value.approximateSize
    if size > Self.sizeLimit + 64 {
      throw ValueFault("\(name) gets a value of \(size) bytes: the limit is \(Self.sizeLimit) bytes.")
    }
  }

  // MARK: Plain values

  private func plain(_ value: JSONValue, _ column: Column) throws -> Value {
    if value == .null { return .null }
    var given = value
    if column.type == .data, let base64 = value["base64"]?.text { given = .string(base64) }
    // What the user types is text, whatever its type will be.
    if case .string(let text) = given, column.type != .string { given = .field(text) }
    do {
      return try ValueReading.value(given, column, of: className)
    } catch let fault as ValueFault {
      let first = fault.message.prefix(1).uppercased()
      throw ValueFault("\(first)\(fault.message.dropFirst()). \(Self.hint(column.type))")
    }
  }

  /// Returns a sentence that shows a value of a type.
  static func hint(_ type: ValueType) -> String {
    switch type {
    case .int: "An integer has up to 19 digits, as in -42."
    case .bool: "A Boolean is true or false."
    case .string: "A string is a text."
    case .data: "Data is written in base64."
    case .date: "A date looks like 2024-05-17T08:30:00Z."
    case .float, .double: "A number looks like 12.5, and may be nan, inf or -inf."
    case .decimal128: "A decimal has up to 34 digits, as in 12.50."
    case .objectId: "An object id has 24 hexadecimal digits."
    case .uuid: "A UUID looks like 4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3b."
    case .link: "A link names class and row of an object."
    case .mixed: "A value of any type names its type, as in {\"type\": \"int\", \"value\": \"5\"}."
    }
  }

  // MARK: Links

  private func link(_ value: JSONValue, to target: Int) throws -> Value {
    if value == .null { return .null }
    let targetName = snapshot.catalogue.tables[target].name
    guard let named = value["class"]?.text, case .int(let given)? = value["row"] else {
      throw ValueFault(
        "\(name) links to objects of class '\(targetName)': \(value.shown) is not valid. \(Self.hint(.link))")
    }
    let linked = try object(named, Int(given))
    if linked.classNumber != target {
      throw ValueFault("\(name) links to objects of class '\(targetName)', and not of '\(named)'.")
    }
    return .link(table: linked.classNumber, row: linked.row)
  }

  /// The object that the page names.
  private func object(_ className: String, _ given: Int) throws -> NumberedObject {
    guard let table = snapshot.catalogue.table(named: className) else {
      throw ValueFault("\(name) cannot link to class '\(className)', which the file does not have.")
    }
    let object = NumberedObject(classNumber: table, row: row(className, given))
    guard snapshot.isAlive(object) else {
      throw ValueFault(
        "\(name) cannot link to the \(className) in row \(given), which does not exist.", isDueToObjects: true
      )
    }
    if snapshot.catalogue.tables[table].isEmbedded {
      throw ValueFault("\(name) cannot link to an embedded object of class '\(className)'.")
    }
    return object
  }

  // MARK: Mixed values

  private func mixed(_ value: JSONValue, depth: Int) throws -> Value {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .string(let text): return .string(text)
    case .number(let text):
      guard let number = ValueText.value(text, of: .double) else { throw invalidMixed(value) }
      return number
    case .field(let text): return .string(text)
    case .typed(let type, let text):
      guard let stored = ValueText.value(text, of: type) else { throw invalidMixed(value) }
      return stored
    case .array: throw invalidMixed(value)
    case .object:
      guard let type = value["type"]?.text, let content = value["value"] else {
        if let named = value["class"]?.text, case .int(let row)? = value["row"] {
          let object = try object(named, Int(row))
          return .link(table: object.classNumber, row: object.row)
        }
        throw invalidMixed(value)
      }
      return try mixed(type, content, depth)
    }
  }

  private func mixed(_ type: String, _ content: JSONValue, _ depth: Int) throws -> Value {
    switch (type, content) {
    case ("null", _): return .null
    case ("list", .array(let elements)):
      try checkDepth(depth)
      return .list(try elements.map { try mixed($0, depth: depth + 1) })
    case ("dictionary", .object(let members)):
      try checkDepth(depth)
      let entries = try members.map { member -> Value.DictionaryEntry in
        try checkKey(member.name)
        return Value.DictionaryEntry(key: member.name, value: try mixed(member.value, depth: depth + 1))
      }
      return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    case ("object", _), ("link", _):
      guard let named = content["class"]?.text, case .int(let row)? = content["row"] else {
        throw invalidMixed(content)
      }
      let object = try object(named, Int(row))
      return .link(table: object.classNumber, row: object.row)
    default:
      guard let known = TypeNames.type(named: type), known != .mixed, known != .link, content != .null else {
        throw ValueFault("\(name) cannot hold a value of type '\(type.shortened)'. \(Self.hint(.mixed))")
      }
      return try plain(content, Column(name: column.name, type: known))
    }
  }

  private func checkDepth(_ depth: Int) throws {
    if depth == Self.deepest {
      throw ValueFault("\(name) holds lists and dictionaries at most \(Self.deepest) deep within each other.")
    }
  }

  private func checkKey(_ key: String) throws {
    if key.utf8.contains(UInt8(ascii: ".")) || key.utf8.first == UInt8(ascii: "$") {
      throw ValueFault(
        "\(name): the key '\(key.shortened)' of a dictionary must not contain '.' or start with '$'.")
    }
  }

  private func invalidMixed(_ value: JSONValue) -> ValueFault {
    ValueFault("\(name) is of type mixed: \(value.shown) is not valid. \(Self.hint(.mixed))")
  }
}
