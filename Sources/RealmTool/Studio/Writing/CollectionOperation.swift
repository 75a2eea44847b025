import RealmSwift
import Storage

/// An operation on a list, set or map, or on a list or dictionary inside a mixed value.
struct CollectionOperation {
  /// Number of elements that a list or dictionary may have which becomes part of another one by itself.
  private static let nestedLimit = 1_000

  private let operation: Operation
  private let place: CellPlace
  private let writer: BatchWriter
  private let column: Column
  private let collection: NumberedCollection
  /// Whether the collection is the property's own one.
  private let isStored: Bool

  init(_ operation: Operation, _ place: CellPlace, _ writer: BatchWriter) throws {
    self.operation = operation
    self.place = place
    self.writer = writer
    column = writer.snapshot.column(place)
    let path = try operation.path()
    isStored = column.collection != .none && path.isEmpty
    var found =
      column.collection != .none
      ? try writer.realm.collection(place.object, place.column)
      : try writer.realm.nestedCollection(place.object, place.column)
    for part in path {
      let element: NumberedElement? =
        switch part {
        case .position(let position): try found.element(at: position)
        case .key(let key): try found.value(forKey: writer.memory.bytes(key.utf8))
        }
      guard case .nested(let inner)? = element else {
        throw ValueFault("\(writer.name(place)) has no list or dictionary at the path.")
      }
      found = inner
    }
    collection = found
  }

  func perform() throws {
    switch operation.kind {
    case .insert: try insert(try operation.value(), at: try operation.number("at"))
    case .replace: try replace(at: try operation.number("at"), with: try operation.value())
    case .remove: try remove(at: try operation.number("at"))
    case .move:
      let source = try operation.number("from")
      try checkExpected(at: source)
      try collection.move(from: source, to: try operation.number("to"))
    case .put: try put(try operation.value(), try operation.key())
    case .removeKey:
      let key = try operation.key()
      try checkExpected(key)
      if let present = try present(key) { writer.note(replaced: present) }
      if try !collection.removeValue(forKey: bytes(key)) {
        throw ValueFault("\(writer.name(place)) has no key '\(key.shortened)'.")
      }
    case .add: _ = try collection.insertIntoSet(numbered(try value(operation.value())))
    case .discard:
      if try !collection.removeFromSet(numbered(try value(operation.value()))) {
        throw BatchWriter.Skipped(current: Array("null".utf8))
      }
    case .set, .create, .delete, .embed: break
    }
  }

  private func value(_ given: JSONValue) throws -> Value {
    try writer.value(given, place.object.classNumber, place.column)
  }

  private func numbered(_ value: Value) -> NumberedValue { writer.memory.numbered(value) }

  private func bytes(_ key: String) -> UnsafeRawBufferPointer { writer.memory.bytes(key.utf8) }

  private var table: Table { writer.snapshot.table(place.object.classNumber) }

  // MARK: Expected values

  private func checkExpected(at position: Int) throws {
    guard operation.expected != nil else { return }
    let isThere = try position >= 0 && position < collection.count()
    try checkExpected(isThere ? shallow(try collection.element(at: position)) : nil)
  }

  private func checkExpected(_ key: String) throws {
    guard operation.expected != nil else { return }
    try checkExpected(try present(key))
  }

  /// - Parameter present: Nil when there is no such element. An expected null matches that, too.
  private func checkExpected(_ present: Value?) throws {
    guard let expected = operation.expected else { return }
    let isMissing = present == nil && operation.kind != .put && operation.kind != .removeKey
    if !isMissing,
      ExpectedValue(snapshot: writer.snapshot, value: expected).matches(present ?? .null, column)
    {
      return
    }
    var cells = CellWriter(writer.snapshot)
    throw BatchWriter.Skipped(current: cells.cell(present ?? .null, column))
  }

  private func present(_ key: String) throws -> Value? {
    try collection.value(forKey: bytes(key)).map { try shallow($0) }
  }

  /// An element; of a list or dictionary only the number of its elements.
  private func shallow(_ element: NumberedElement) throws -> Value {
    switch element {
    case .value(let value): return value
    case .nested(let nested):
      let count = try nested.count()
      return nested.kind == .map
        ? .dictionary(Array(repeating: .init(key: "", value: .null), count: count))
        : .list(Array(repeating: .null, count: count))
    }
  }

  // MARK: Changes

  private func insert(_ given: JSONValue, at position: Int) throws {
    let value = try value(given)
    try collection.insert(numbered(value), at: position)
    if value.isNested { try fill(value, at: position) }
  }

  private func replace(at position: Int, with given: JSONValue) throws {
    try checkExpected(at: position)
    let value = try value(given)
    try noteReplaced(at: position)
    try collection.replace(at: position, with: numbered(value))
    if value.isNested { try fill(value, at: position) }
  }

  private func remove(at position: Int) throws {
    try checkExpected(at: position)
    try noteReplaced(at: position)
    try collection.remove(at: position)
  }

  private func noteReplaced(at position: Int) throws {
    if column.type == .link { writer.note(replaced: try shallow(try collection.element(at: position))) }
  }

  private func put(_ given: JSONValue, _ key: String) throws {
    try checkExpected(key)
    let value = try value(given)
    if let present = try present(key) { writer.note(replaced: present) }
    try collection.setValue(numbered(value), forKey: bytes(key))
    guard value.isNested else { return }
    if isStored {
      table.setMapValue(place.column, place.object.row, key: key, value)
    } else if case .nested(let nested)? = try collection.value(forKey: bytes(key)) {
      try fill(nested, checked(value))
    }
  }

  /// Gives a new empty list or dictionary its elements.
  private func fill(_ value: Value, at position: Int) throws {
    if isStored {
      table.replaceElement(place.column, place.object.row, at: position, value)
    } else if case .nested(let nested) = try collection.element(at: position) {
      try fill(nested, checked(value))
    }
  }

  private func checked(_ value: Value) throws -> Value {
    if value.approximateSize / 32 > Self.nestedLimit {
      throw ValueFault(
        "\(writer.name(place)): a list or dictionary with more than \(Self.nestedLimit) elements is set with the whole property."
      )
    }
    return value
  }

  private func fill(_ collection: NumberedCollection, _ value: Value) throws {
    switch value {
    case .list(let elements):
      for (position, element) in elements.enumerated() {
        try collection.append(numbered(element))
        if element.isNested, case .nested(let nested) = try collection.element(at: position) {
          try fill(nested, element)
        }
      }
    case .dictionary(let entries):
      for entry in entries {
        try collection.setValue(numbered(entry.value), forKey: bytes(entry.key))
        if entry.value.isNested, case .nested(let nested)? = try collection.value(forKey: bytes(entry.key)) {
          try fill(nested, entry.value)
        }
      }
    default: break
    }
  }
}
