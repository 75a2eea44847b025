import RealmSwift
import Storage

extension ObjectWriter {
  /// Looks for all objects that values refer to before those are written that lie within the values: what is tried again
  /// later must not have written anything.
  func checkReferences(in values: [JSONValue], _ binding: ClassBinding, _ column: Column) throws {
    let isMixed = column.type == .mixed
    guard isMixed || column.type == .link, !isComplete,
      values.contains(where: { Self.hasNestedObject($0, isMixed: isMixed) })
    else { return }
    let link = { "\(binding.name).\(column.name)" }
    func check(_ value: JSONValue, _ table: Int) throws {
      if value != .null && !Self.isNestedObject(value) { _ = try target(value, table, link) }
    }
    for value in values {
      if !isMixed {
        try check(value, column.target)
        continue
      }
      _ = try ValueReading.mixed(value, in: "property '\(column.name)' of class '\(binding.name)'") {
        className, key in
        if let table = snapshot.catalogue.table(named: className) { try check(key, table) }
        return .null
      }
    }
  }

  private static func isNestedObject(_ value: JSONValue) -> Bool {
    value.members != nil && sourceRow(value, hasKey: true) == nil
  }

  private static func hasNestedObject(_ value: JSONValue, isMixed: Bool) -> Bool {
    if !isMixed { return isNestedObject(value) }
    switch value {
    case .array(let elements): return elements.contains { hasNestedObject($0, isMixed: true) }
    case .object(let members):
      if value["$class"] != nil, let key = value["$key"] { return isNestedObject(key) }
      return members.contains { hasNestedObject($0.value, isMixed: true) }
    default: return false
    }
  }

  /// The row of the object that a key names.
  func target(_ value: JSONValue, _ table: Int, _ link: () -> String) throws -> Int {
    let binding = binding(table)
    if let source = Self.sourceRow(value, hasKey: binding.key != nil) {
      if let row = sourceRows[table]?[source] { return row }
      throw Unresolved(
        message: "'\(link())' links to $row \(source) of class '\(binding.name)', which there is none of")
    }
    if let members = value.members {
      try enter()
      defer { depth -= 1 }
      return try write(members, to: table).row
    }
    guard let key = binding.key else {
      throw ValueFault(
        "'\(link())' is \(value.shown): objects of class '\(binding.name)' have no primary key, so they are named by {\"$row\": …}"
      )
    }
    let values = try ValueReading.key(value, key.columns.map { binding.columns[$0] }, of: binding.name)
    if let row = key.row(values, in: snapshot) { return row }
    throw Unresolved(
      message:
        "'\(link())' links to the \(binding.name) \(shown(value, values)), which is neither in the file nor in the sources"
    )
  }

  /// The number in `{"$row": 7}`, or of a field `#7`.
  private static func sourceRow(_ value: JSONValue, hasKey: Bool) -> Int? {
    switch value {
    case .object: if case .int(let number)? = value["$row"] { Int(number) } else { nil }
    case .field(let text) where !hasKey && text.hasPrefix("#"): Int(text.dropFirst())
    default: nil
    }
  }
}
