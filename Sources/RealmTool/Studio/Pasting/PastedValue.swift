import RealmSwift
import Storage

/// Values of a pasted text as contents of properties.
struct PastedValue {
  private static let deepest = 100

  let snapshot: Snapshot
  let table: Int
  let number: Int
  /// Number of objects that surround the value.
  var depth = 0

  private var column: Column { snapshot.catalogue.tables[table].columns[number] }
  private var className: String { snapshot.catalogue.tables[table].name }
  private var isEmbedded: Bool { column.type == .link && snapshot.catalogue.tables[column.target].isEmbedded }

  /// Returns the content of the property.
  ///
  /// - Throws: `ValueFault` that says what is wrong.
  func content(_ value: JSONValue) throws -> NewContent {
    if column.collection == .none { return try element(value) }
    switch (try structured(value), column.collection) {
    case (.null, .map): return .entries([])
    case (.null, _): return .elements([])
    case (.array(let elements), .list), (.array(let elements), .set):
      return .elements(try elements.map { try element($0) })
    case (.object(let members), .map):
      return .entries(try members.map { ($0.name, try element($0.value)) })
    default: throw wrong(value, "An example is \(column.collection == .map ? "{\"a\": 1}" : "[1, 2]").")
    }
  }

  /// A field of a text has collections and objects as JSON.
  private func structured(_ value: JSONValue) throws -> JSONValue {
    guard case .field(let text) = value else { return value }
    if text.isEmpty { return .null }
    guard let parsed = try? JSONParser.parse(text) else {
      throw wrong(value, "In a text it is written as JSON.")
    }
    return parsed
  }

  private func wrong(_ value: JSONValue, _ hint: String) -> ValueFault {
    ValueFault(
      "Property '\(column.name)' of class '\(className)' is of type \(TypeNames.name(column)): \(value.shown) is not valid. \(hint)"
    )
  }

  private func element(_ value: JSONValue) throws -> NewContent {
    if isEmbedded { return try embedded(try structured(value), value) }
    switch column.type {
    case .link: return .value(try link(value, column.target))
    case .mixed: return .value(try mixed(value))
    default: return .value(try plain(value))
    }
  }

  private func plain(_ value: JSONValue) throws -> Value {
    switch value {
    case .null where !allowsNull:
      throw ValueFault("Property '\(column.name)' of class '\(className)' cannot be null.")
    // What spreadsheets show in other ways than the tool writes it.
    case .field(let text) where column.type != .string:
      return try page.stored(.string(text.trimmingSpaces()))
    case .field(let text): return try page.stored(.string(text))
    default: return try page.stored(value)
    }
  }

  /// Reads values as the page sends them.
  private var page: PageValue { PageValue(snapshot: snapshot, table: table, number: number) }

  private var allowsNull: Bool { column.isNullable }

  // MARK: Objects

  private func embedded(_ value: JSONValue, _ given: JSONValue) throws -> NewContent {
    if value == .null { return .value(.null) }
    guard let members = value.members else { throw wrong(given, "It is an object.") }
    if depth == Self.deepest { throw wrong(given, "Objects are too deep within each other.") }
    let target = ClassReader(snapshot, column.target)
    return .object(
      try members.map { member in
        guard let number = target.description.column(named: member.name) else {
          throw ValueFault("Class '\(target.name)' has no property '\(member.name.shortened)'.")
        }
        var inner = PastedValue(snapshot: snapshot, table: target.number, number: number)
        inner.depth = depth + 1
        return (number, try inner.content(member.value))
      })
  }

  /// The object with a primary key, or in a row where objects have none.
  private func link(_ value: JSONValue, _ target: Int) throws -> Value {
    let reader = ClassReader(snapshot, target)
    let row: Int?
    do {
      switch value {
      case .null: return .null
      case .field(let text): row = try reader.row(key: text.trimmingSpaces())
      case .object:
        if value["class"] != nil { return try page.stored(value) }
        guard case .int(let number)? = value["$row"] else { throw wrong(value, PageValue.hint(.link)) }
        row = reader.table.isAlive(Int(number)) ? Int(number) : nil
      default:
        guard let key = reader.key else { throw wrong(value, PageValue.hint(.link)) }
        let values = try ValueReading.key(value, key.columns.map { reader.column($0) }, of: reader.name)
        row = key.row(values, in: snapshot)
      }
    } catch let error as UsageError {
      throw ValueFault(error.message)
    }
    guard let row else {
      throw ValueFault("There is no \(reader.name) \(value.shown).", isDueToObjects: true)
    }
    return .link(table: target, row: row)
  }

  /// Values of any type are written as `realm export` writes them.
  private func mixed(_ value: JSONValue) throws -> Value {
    try ValueReading.mixed(value, in: "property '\(column.name)' of class '\(className)'") { name, key in
      guard let target = snapshot.catalogue.table(named: name), !snapshot.catalogue.tables[target].isEmbedded
      else {
        throw ValueFault("The file has no class '\(name.shortened)' to link to.")
      }
      return try link(key, target)
    }
  }
}
