import Storage

/// The primary key of a class that has several properties for it, in a realm.
struct CompositeKey {
  private let index: ValueIndex
  let parts: [(property: ClassProperty, column: Int)]
  private let className: String

  /// Nil for classes without such a key, and when the file does not have it.
  init?(_ schema: ClassSchema, columns: [Int], table: Table, description: TableDescription) {
    guard let key = schema.indexes.key else { return nil }
    parts = key.properties.map { (schema.properties[$0], columns[$0]) }
    guard let index = description.indexes.first(where: { $0.isAlike(key, of: schema, in: description) })
    else { return nil }
    self.index = .compound(index, ofTable: table.number)
    className = schema.className
  }

  func contains(_ property: ClassProperty) -> Bool { parts.contains { $0.property === property } }

  func row(_ values: [StoredValue], in snapshot: Snapshot) -> Int? {
    snapshot.firstRow(index, equalTo: CompoundKey(values.lazy.map { IndexKey($0) }).indexKey)
  }

  /// The row of an object in memory, if its key is there already.
  func row(of object: ObjectBase, in snapshot: Snapshot) -> Int? {
    row(parts.map { $0.property.storedScalar(object) ?? .null }, in: snapshot)
  }

  /// The key in messages.
  static func text(_ values: [Any?]) -> String {
    "(\(values.map { value in value.map { "\($0)" } ?? "(null)" }.joined(separator: ", ")))"
  }

  /// The row with a key that a program gives: a tuple or an array in the order of the properties, or a dictionary by their
  /// names. Stops the program when it is none, or a value is of a wrong type.
  func row(forKey key: Any, _ schema: ClassSchema, in snapshot: Snapshot) -> Int? {
    let values = values(key)
    let stored = zip(parts, values).map { part, value in
      guard let stored = part.property.coerceScalar(value) else {
        trap(ValueError.invalid(value, part.property, schema))
      }
      return stored
    }
    return row(stored, in: snapshot)
  }

  private func values(_ key: Any) -> [Any] {
    if let named = key as? [String: Any], Set(named.keys) == Set(parts.map(\.property.name)) {
      return parts.map { named[$0.property.name]! }
    }
    let mirror = Mirror(reflecting: key)
    let values = mirror.displayStyle == .tuple ? mirror.children.map(\.value) : key as? [Any] ?? []
    if values.count != parts.count {
      let names = parts.map { "'\($0.property.name)'" }.joined(separator: ", ")
      trap(
        "The primary key of '\(className)' consists of \(names): a tuple or a dictionary with values for them is needed, and '\(key)' is none."
      )
    }
    return values
  }
}
