import RealmSwift
import Storage

/// Values of JSON, or of fields, as stored ones.
enum ValueReading {
  /// The value of a property, or of an element, that is neither a link nor mixed.
  ///
  /// - Throws: `ValueFault` that names class, property and value.
  static func value(
    _ value: JSONValue, _ column: Column, of className: String, _ numericDates: NumericDates? = nil
  ) throws -> Value {
    if value == .null {
      if column.isNullable { return .null }
      throw ValueFault("property '\(column.name)' of class '\(className)' cannot be null")
    }
    if column.type == .date, let date = date(value, numericDates) { return .date(date) }
    guard let stored = stored(value, column.type) else {
      throw ValueFault(
        "property '\(column.name)' of class '\(className)' is of type \(TypeNames.name(column.type)): \(value.shown) is not valid\(beyond(value, column.type))"
      )
    }
    return stored
  }

  /// The values of a primary key: that of its one property, or an array of those of several.
  ///
  /// - Throws: `ValueFault`.
  static func key(_ value: JSONValue, _ columns: [Column], of className: String) throws -> [Value] {
    if columns.count == 1 { return [try self.value(value, columns[0], of: className)] }
    var array = value
    if case .field(let text) = value, let parsed = try? JSONParser.parse(text) { array = parsed }
    guard case .array(let parts) = array, parts.count == columns.count else {
      let names = columns.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ValueFault(
        "the primary key of class '\(className)' is an array in JSON with the values of \(names): \(value.shown) is not valid"
      )
    }
    return try zip(parts, columns).map { try self.value($0, $1, of: className) }
  }

  /// Returns the stored date for a number; nil when numbers are no dates.
  private static func date(_ value: JSONValue, _ numericDates: NumericDates?) -> Double? {
    guard let numericDates else { return nil }
    switch value {
    case .int(let number): return numericDates.stored(Double(number))
    case .number(let text), .field(let text):
      guard let number = Double(text), number.isFinite else { return nil }
      return numericDates.stored(number)
    default: return nil
    }
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
    case (.typed(let named, let text), _) where named == type: return ValueText.value(text, of: type)
    case (.typed(_, let text), .string): return .string(text)
    case (.typed(.double, let text), .float), (.typed(.double, let text), .decimal128):
      return ValueText.value(text, of: type)
    case (.string, .int), (.string, .bool): return nil
    case (.string(let text), _), (.field(let text), _): return ValueText.value(text, of: type)
    default: return nil
    }
  }

  /// Why a number is none of a type that has numbers.
  private static func beyond(_ value: JSONValue, _ type: ValueType) -> String {
    let text: String
    switch value {
    case .number(let number), .field(let number): text = number
    case .int(let number): text = String(number)
    default: return ""
    }
    if text.isEmpty || Double(text) == nil { return "" }
    switch type {
    case .int: return JSONValue.isWhole(text) ? ", since 64 bits do not hold it" : ""
    case .float, .double: return ", since it is too large"
    case .decimal128: return ", since it has more than 34 digits, or is too large"
    default: return ""
    }
  }

  /// A field that holds a collection or an object has it as JSON.
  static func structured(_ value: JSONValue, _ column: Column, _ binding: ClassBinding) throws -> JSONValue {
    guard case .field(let text) = value else { return value }
    do {
      return try JSONParser.parse(text)
    } catch let fault as JSONScanner.Fault {
      throw ValueFault(
        "property '\(column.name)' of class '\(binding.name)' is a \(TypeNames.name(column)), which a field has as JSON: \(value.shown) is not valid, \(fault.message)"
      )
    }
  }

  // MARK: Mixed values

  /// As deep programs can write lists and dictionaries within each other.
  static let deepest = 1_000

  /// - Parameters:
  ///   - place: How messages name the property.
  ///   - link: The value of a link to an object of a class with a key.
  static func mixed(
    _ value: JSONValue, in place: String, _ link: (String, JSONValue) throws -> Value
  ) throws -> Value {
    do {
      return try mixed(value, depth: 0, link)
    } catch let fault as NumberFault {
      throw ValueFault("\(place): \(fault.message)")
    }
  }

  /// A number that no mixed property can hold.
  private struct NumberFault: Error {
    let message: String
  }

  /// - Parameter depth: How many lists and dictionaries surround the value.
  private static func mixed(
    _ value: JSONValue, depth: Int, _ link: (String, JSONValue) throws -> Value
  ) throws -> Value {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .number(let text): return try number(text)
    case .string(let text): return .string(text)
    case .typed(let type, let text):
      guard let value = ValueText.value(text, of: type) else {
        throw NumberFault(message: "'\(text.shortened)' is not a value")
      }
      return value
    case .field(let text):
      // Text that is no JSON is itself.
      guard let parsed = try? JSONParser.parse(text) else { return .string(text) }
      return try mixed(parsed, depth: depth, link)
    case .array(let elements):
      try checkNesting(depth)
      return .list(try elements.map { try mixed($0, depth: depth + 1, link) })
    case .object(let members):
      return try tagged(value, members, depth, link) ?? dictionary(members, depth, link)
    }
  }

  /// A double, or where that would round an integer, a decimal.
  private static func number(_ text: String) throws -> Value {
    let type: ValueType = JSONValue.isWhole(text) ? .decimal128 : .double
    guard let number = ValueText.value(text, of: type) else {
      throw NumberFault(
        message: "\(text.shortened) is not a value\(beyond(.number(text), type))")
    }
    return number
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
    var entries: [(key: String, value: Value)] = []
    for member in members {
      entries.append((member.name, try mixed(member.value, depth: depth + 1, link)))
    }
    return .dictionary(
      entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
        .init(key: $0.key, value: $0.value)
      })
  }

  /// Returns the value of an object with a type tag; nil for a dictionary of the user.
  private static func tagged(
    _ value: JSONValue, _ members: [JSONValue.Member], _ depth: Int,
    _ link: (String, JSONValue) throws -> Value
  ) throws -> Value? {
    guard let first = members.first, first.name.hasPrefix("$") else { return nil }
    if case .string(let className)? = value["$class"], let key = value["$key"] {
      return try link(className, key)
    }
    if first.name == ExtendedJSON.dictionary, case .object(let members) = first.value {
      return try dictionary(members, depth, link)
    }
    // A tag whose content the parser did not accept.
    if ExtendedJSON.isTag(first.name) || first.name == "$row" {
      throw ValueFault("{\"\(first.name)\": \(first.value.shown)} is not a value")
    }
    return nil
  }
}
