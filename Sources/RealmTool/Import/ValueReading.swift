import RealmSwift
import Storage

/// Values of JSON, or of fields, as stored ones.
enum ValueReading {
  /// The value of a property, or of an element, that is neither a link nor mixed.
  ///
  /// - Throws: `ValueFault` that names class, property and value.
  static func value(_ value: JSONValue, _ column: Column, _ binding: ClassBinding) throws -> Value {
    if value == .null {
      if column.isNullable { return .null }
      throw ValueFault("property '\(column.name)' of class '\(binding.name)' can not be null")
    }
    guard let stored = stored(value, column.type) else {
      throw ValueFault(
        "property '\(column.name)' of class '\(binding.name)' is of type \(TypeNames.name(column.type)): \(value.shown) is none"
      )
    }
    return stored
  }

  private static func stored(_ value: JSONValue, _ type: ValueType) -> Value? {
    switch (value, type) {
    case (.int(let number), .int): return .int(number)
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .float): return .float(Float(number))
    case (.int(let number), .decimal128): return ValueText.value(String(number), of: type)
    case (.number(let text), .double), (.number(let text), .float), (.number(let text), .decimal128):
      return ValueText.value(text, of: type)
    case (.bool(let flag), .bool): return .bool(flag)
    case (.string(let text), .string), (.field(let text), .string): return .string(text)
    case (.string, .int), (.string, .bool): return nil
    case (.string(let text), _), (.field(let text), _): return ValueText.value(text, of: type)
    default: return nil
    }
  }

  /// A field that holds a collection or an object has it as JSON.
  static func structured(_ value: JSONValue, _ column: Column, _ binding: ClassBinding) throws -> JSONValue {
    guard case .field(let text) = value else { return value }
    do {
      return try JSONParser.parse(text)
    } catch let fault as JSONParser.Fault {
      throw ValueFault(
        "property '\(column.name)' of class '\(binding.name)' is a \(TypeNames.name(column)), which a field has as JSON: \(value.shown) is none, \(fault.message)"
      )
    }
  }

  // MARK: Mixed values

  /// As deep programs can write lists and dictionaries within each other.
  static let deepest = 1_000

  /// - Parameters:
  ///   - link: The value of a link to an object of a class with a key.
  ///   - depth: How many lists and dictionaries surround the value.
  static func mixed(
    _ value: JSONValue, depth: Int = 0, _ link: (String, JSONValue) throws -> Value
  ) throws -> Value {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .number(let text): return .double(Double(text)!)
    case .string(let text): return .string(text)
    case .field(let text):
      // Text that is no JSON is itself.
      guard let parsed = try? JSONParser.parse(text) else { return .string(text) }
      return try mixed(parsed, depth: depth, link)
    case .array(let elements):
      try checkNesting(depth)
      return .list(try elements.map { try mixed($0, depth: depth + 1, link) })
    case .object(let members):
      if let first = members.first, first.name.hasPrefix("$") { return try tagged(value, first, depth, link) }
      return try dictionary(members, depth, link)
    }
  }

  private static func checkNesting(_ depth: Int) throws {
    if depth == deepest {
      throw ValueFault("lists and dictionaries lie more than \(deepest) deep within each other")
    }
  }

  private static func dictionary(
    _ members: [JSONValue.Member], _ depth: Int, _ link: (String, JSONValue) throws -> Value
  ) throws -> Value {
    try checkNesting(depth)
    var entries: [String: Value] = [:]
    for member in members {
      if member.name.contains(".") || member.name.hasPrefix("$") {
        throw ValueFault("the key '\(member.name)' has a dot in it, or begins with $")
      }
      entries[member.name] = try mixed(member.value, depth: depth + 1, link)
    }
    return .dictionary(
      entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
        .init(key: $0.key, value: $0.value)
      })
  }

  private static let tags: [String: ValueType] = [
    "$date": .date, "$data": .data, "$objectId": .objectId, "$uuid": .uuid, "$decimal128": .decimal128,
    "$float": .float, "$double": .double,
  ]

  private static func tagged(
    _ value: JSONValue, _ first: JSONValue.Member, _ depth: Int, _ link: (String, JSONValue) throws -> Value
  ) throws -> Value {
    if case .string(let className)? = value["$class"], let key = value["$key"] {
      return try link(className, key)
    }
    if first.name == "$dictionary", case .object(let members) = first.value {
      return try dictionary(members, depth, link)
    }
    guard let type = tags[first.name], case .string(let text) = first.value,
      let stored = ValueText.value(text, of: type)
    else { throw ValueFault("{\"\(first.name)\": \(first.value.shown)} is no value") }
    return stored
  }
}
