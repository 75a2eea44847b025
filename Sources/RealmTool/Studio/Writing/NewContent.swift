import RealmSwift
import Storage

/// What a property of a new object gets.
indirect enum NewContent: Sendable {
  case value(Value)
  /// The elements of a list or set.
  case elements([NewContent])
  /// The entries of a map.
  case entries([(key: String, content: NewContent)])
  /// A new embedded object with some of its properties.
  case object([(column: Int, content: NewContent)])
}

extension BatchWriter {
  /// Creates an object with some of its properties; the others have their defaults. A primary key that exists is refused.
  mutating func create(
    _ number: Int, _ contents: [(column: Int, content: NewContent)]
  ) throws -> NumberedObject {
    var columns: [Int32] = []
    var values: [NumberedValue] = []
    for (column, content) in contents {
      guard case .value(let value) = content else { continue }
      columns.append(Int32(column))
      values.append(memory.numbered(value))
    }
    let object = try columns.withUnsafeBufferPointer { columns in
      try values.withUnsafeBufferPointer { values in
        try realm.create(number, .error, NumberedValues(columns: columns, values: values)).object
      }
    }
    note(created: object)
    for (column, content) in contents {
      switch content {
      case .value(let value) where !value.isNested: break
      default: try fill(CellPlace(object, column), content)
      }
    }
    return object
  }

  /// Sets properties of a new object.
  func fill(_ object: NumberedObject, _ contents: [(column: Int, content: NewContent)]) throws {
    for (column, content) in contents { try fill(CellPlace(object, column), content) }
  }

  private func fill(_ place: CellPlace, _ content: NewContent) throws {
    let (object, table) = (place.object, snapshot.table(place.object.classNumber))
    switch content {
    case .value(let value):
      try realm.set(object, place.column, memory.numbered(value))
      if value.isNested { table.setMixed(place.column, object.row, value) }
    case .object(let contents): try fill(realm.setEmbedded(object, place.column), contents)
    case .elements(let elements):
      let collection = try realm.collection(object, place.column)
      for (position, element) in elements.enumerated() {
        try append(element, to: collection, place, position)
      }
    case .entries(let entries):
      let map = try realm.collection(object, place.column)
      for (key, content) in entries {
        let bytes = memory.bytes(key.utf8)
        switch content {
        case .value(let value):
          try map.setValue(memory.numbered(value), forKey: bytes)
          if value.isNested { table.setMapValue(place.column, object.row, key: key, value) }
        case .object(let contents): try fill(map.setEmbedded(forKey: bytes), contents)
        case .elements, .entries: throw ValueFault("\(name(place)) holds no collections.")
        }
      }
    }
  }

  private func append(
    _ element: NewContent, to collection: NumberedCollection, _ place: CellPlace, _ position: Int
  ) throws {
    switch element {
    case .value(let value) where collection.kind == .set:
      _ = try collection.insertIntoSet(memory.numbered(value))
    case .value(let value):
      try collection.append(memory.numbered(value))
      if value.isNested {
        snapshot.table(place.object.classNumber)
          .replaceElement(place.column, place.object.row, at: position, value)
      }
    case .object(let contents): try fill(collection.insertEmbedded(at: position), contents)
    case .elements, .entries: throw ValueFault("\(name(place)) holds no collections.")
    }
  }

  // MARK: What the page sends

  /// The properties that an operation gives a new object of a class.
  func contents(_ operation: Operation, _ table: Int) throws -> [(column: Int, content: NewContent)] {
    try operation.values().map { property, value in
      do {
        let column = try checked(property, table)
        let content = try content(value, table, column)
        try checkAccepts(content, table, column)
        return (column, content)
      } catch {
        throw StudioFault(error, operation, property: property)
      }
    }
  }

  /// Throws for a single value that the property does not accept, so that the message can name the property.
  private func checkAccepts(_ content: NewContent, _ table: Int, _ number: Int) throws {
    let column = snapshot.catalogue.tables[table].columns[number]
    guard case .value(let value) = content, column.collection == .none else { return }
    // Null stands for a number that the file gives.
    if column.isSequence && value.isNull { return }
    try realm.checkAccepts(memory.numbered(value), table, number)
  }

  private func content(_ given: JSONValue, _ table: Int, _ number: Int) throws -> NewContent {
    let column = snapshot.catalogue.tables[table].columns[number]
    switch (column.collection, given) {
    case (.none, _): return try element(given, table, number)
    case (.list, .array(let elements)), (.set, .array(let elements)):
      return .elements(try elements.map { try element($0, table, number) })
    case (.map, .object(let members)):
      return .entries(try members.map { ($0.name, try element($0.value, table, number)) })
    default:
      let place = CellPlace(NumberedObject(classNumber: table, row: 0), number)
      throw ValueFault("\(name(place)) is a collection: \(given.shown) is not valid.")
    }
  }

  /// - Parameter given: For an embedded object `{"values": [[property, value], …]}`.
  private func element(_ given: JSONValue, _ table: Int, _ number: Int) throws -> NewContent {
    let column = snapshot.catalogue.tables[table].columns[number]
    guard column.type == .link, snapshot.catalogue.tables[column.target].isEmbedded,
      case .array(let pairs)? = given["values"]
    else { return .value(try value(given, table, number)) }
    return .object(
      try pairs.map { pair in
        guard case .array(let parts) = pair, parts.count == 2, case .int(let property) = parts[0] else {
          throw ValueFault("The values of an embedded object are pairs of property and value.")
        }
        let known = try checked(Int(property), column.target)
        return (known, try content(parts[1], column.target, known))
      })
  }
}
