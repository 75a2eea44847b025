import RealmSwift
import Storage

/// How an object is written whose primary key exists already.
enum UpdatePolicy: String, CaseIterable, Sendable {
  case error, modified, all

  static let option = CommandOption(
    "--update", .choice(["error", "modified", "all"]),
    "for objects whose primary key exists: refuse them (error, the default), write the values that differ, or write all values"
  )
}

/// A value that does not fit, with a message that names class and property.
struct ValueFault: Error {
  let message: String
  /// Whether it would fit if other objects were there.
  let isDueToObjects: Bool

  init(_ message: String, isDueToObjects: Bool = false) {
    self.message = message
    self.isDueToObjects = isDueToObjects
  }
}

/// Writes objects from values of JSON, within an open write transaction.
final class ObjectWriter {
  enum Outcome {
    case added, updated, unchanged
  }

  let snapshot: Snapshot
  let policy: UpdatePolicy
  /// How the user can change an object that exists already.
  let adviceToUpdate: String
  /// How the user can leave out members that are no properties; an empty text when that is not possible.
  private let adviceOnUnknown: String
  /// Whether members that are no properties are left out.
  private let ignoresUnknown: Bool
  /// The members that were left out: their number, and where the first one is.
  private(set) var ignored: (count: Int, first: String) = (0, "")
  /// Unit of numbers in properties of type date; nil refuses numbers there.
  let numericDates: NumericDates?
  private var bindings: [Int: ClassBinding] = [:]
  /// Bindings for embedded objects that no object in progress uses: objects of one class may lie within each other.
  private var embeddedBindings: [Int: [ClassBinding]] = [:]
  /// What links to objects that were not there yet.
  private var waiting: [Waiting] = []
  /// Whether everything is there that is to come.
  var isComplete = false
  /// Where the present object comes from, for messages that come later.
  var place = SourcePlace()
  /// Rows by the numbers that objects without primary keys have in their sources, by class.
  var sourceRows: [Int: [Int: Int]] = [:]

  /// How many objects surround the one that is being written.
  var depth = 0

  private struct Waiting {
    let place: SourcePlace
    let table: Int
    let row: Int
    let column: Int
    let value: JSONValue
  }

  /// The target of a link does not exist yet.
  struct Unresolved: Error {
    let message: String
  }

  init(
    _ snapshot: Snapshot, _ policy: UpdatePolicy, ignoresUnknown: Bool = false,
    numericDates: NumericDates? = nil, adviceToUpdate: String = "--update modified or all changes it",
    adviceOnUnknown: String = ""
  ) {
    self.snapshot = snapshot
    self.adviceOnUnknown = adviceOnUnknown
    self.adviceToUpdate = adviceToUpdate
    self.policy = policy
    self.ignoresUnknown = ignoresUnknown
    self.numericDates = numericDates
  }

  func binding(_ table: Int) -> ClassBinding {
    if let known = bindings[table] { return known }
    let binding = ClassBinding(ClassReader(snapshot, table))
    bindings[table] = binding
    return binding
  }

  // MARK: Objects

  /// Writes an object of a class that is not embedded.
  ///
  /// - Throws: `ValueFault`.
  @discardableResult
  func write(_ members: [JSONValue.Member], to table: Int) throws -> (row: Int, outcome: Outcome) {
    let binding = binding(table)
    if let key = binding.key { return try write(members, binding, key) }
    let row = try newRow(members.first { $0.name == "$row" }?.value, binding)
    _ = try fill(row, members, binding, isNew: true)
    return (row, .added)
  }

  /// A row for an object without a primary key.
  func newRow(_ number: JSONValue?, _ binding: ClassBinding) throws -> Int {
    let row = snapshot.table(binding.number).insertRow()
    guard let number, binding.mayBeLinkedTo else { return row }
    let source: Int
    switch number {
    case .int(let found): source = Int(found)
    case .field(let text) where Int(text) != nil: source = Int(text)!
    default: throw ValueFault("$row is \(number.shown), and not a number")
    }
    if sourceRows[binding.number, default: [:]].updateValue(row, forKey: source) != nil {
      throw ValueFault("there are two objects of class '\(binding.name)' with $row \(source)")
    }
    return row
  }

  /// Writes the members. Returns whether anything became different.
  func fill(
    _ row: Int, _ members: [JSONValue.Member], _ binding: ClassBinding, isNew: Bool
  ) throws -> Bool {
    var isChanged = false
    binding.beginObject()
    for (position, member) in members.enumerated() {
      guard let column = binding.column(member.name, at: position) else {
        try refuse(member.name, binding)
        continue
      }
      binding.note(column)
      if binding.isKey(column) { continue }
      if try set(row, column, member.value, binding, isNew: isNew) { isChanged = true }
    }
    if isNew { try fillMissing(row, binding) }
    return isChanged
  }

  /// Leaves out a member that is no property, or refuses it.
  ///
  /// - Throws: `ValueFault`, unless such members are to be left out.
  func refuse(_ name: String, _ binding: ClassBinding) throws {
    if name == "$row" { return }
    if ignoresUnknown {
      if ignored.count == 0 { ignored.first = "'\(name.shortened)' for class '\(binding.name)' in \(place)" }
      ignored.count += 1
      return
    }
    // Swift takes texts for equal that Unicode does.
    let isLookalike = binding.names.contains(name)
    throw ValueFault(
      "class '\(binding.name)' has no property '\(name)'"
        + (isLookalike
          ? ", but one that looks the same, of other characters of Unicode"
          : Spelling.suggestion(for: name, among: binding.names, after: ",")) + adviceOnUnknown)
  }

  /// Writes the properties that a new object was not given.
  func fillMissing(_ row: Int, _ binding: ClassBinding) throws {
    try binding.forEachMissing { column in
      let description = binding.columns[column]
      guard description.collection == .none, description.type != .link, !binding.isKey(column) else {
        return
      }
      guard description.isNullable else {
        throw ValueFault(
          "property '\(description.name)' of class '\(binding.name)' is missing, and cannot be null")
      }
      // What is in an index has to be there.
      if description.hasValueIndex || description.isFullText {
        snapshot.table(binding.number).setNull(column, row)
      }
    }
  }

  /// Writes one property. Returns whether it became different.
  @discardableResult
  func set(
    _ row: Int, _ column: Int, _ value: JSONValue, of table: Int
  ) throws -> Bool {
    try set(row, column, value, binding(table), isNew: false)
  }

  func set(
    _ row: Int, _ column: Int, _ value: JSONValue, _ binding: ClassBinding, isNew: Bool
  ) throws -> Bool {
    do {
      return try setNow(row, column, value, binding, isNew: isNew)
    } catch let error as Unresolved {
      if isComplete { throw ValueFault(error.message, isDueToObjects: true) }
      waiting.append(Waiting(place: place, table: binding.number, row: row, column: column, value: value))
      // What is in an index has to be there.
      if isNew && binding.columns[column].hasValueIndex {
        snapshot.table(binding.number).setNull(column, row)
      }
      return true
    }
  }

  private func setNow(
    _ row: Int, _ column: Int, _ value: JSONValue, _ binding: ClassBinding, isNew: Bool
  ) throws -> Bool {
    let description = binding.columns[column]
    if description.collection != .none {
      return try setCollection(row, column, value, binding, isNew: isNew)
    }
    let table = snapshot.table(binding.number)
    if description.type == .link && bindings(isEmbedded: description.target) {
      if isNew && value == .null { return false }
      let target = value == .null ? nil : try embedded(value, description, binding)
      table.setLink(column, row, target)
      return true
    }
    if description.type == .mixed { try checkReferences(in: [value], binding, description) }
    let stored = try element(value, binding, column)
    if !isNew && policy != .all && table.value(column, row).isExactly(stored) { return false }
    // A link that was never written is null.
    if isNew && stored.isNull && description.type == .link { return false }
    table.setValue(column, row, stored)
    return true
  }

  private func bindings(isEmbedded table: Int) -> Bool { snapshot.catalogue.tables[table].isEmbedded }

  private func embedded(_ value: JSONValue, _ column: Column, _ binding: ClassBinding) throws -> Int {
    let value = try ValueReading.structured(value, column, binding)
    guard let members = value.members else {
      throw ValueFault(
        "property '\(column.name)' of class '\(binding.name)' is an embedded object: \(value.shown) is not valid"
      )
    }
    try enter()
    defer { depth -= 1 }
    let row = snapshot.table(column.target).insertRow()
    let target =
      embeddedBindings[column.target]?.popLast() ?? ClassBinding(ClassReader(snapshot, column.target))
    _ = try fill(row, members, target, isNew: true)
    embeddedBindings[column.target, default: []].append(target)
    return row
  }

  /// Goes into an object that lies within another one.
  ///
  /// - Throws: `ValueFault` when that is deeper than it could be written again.
  func enter() throws {
    if depth == JSONText.deepest {
      throw ValueFault("objects lie more than \(JSONText.deepest) deep within each other")
    }
    depth += 1
  }

  // MARK: Collections

  private func setCollection(
    _ row: Int, _ column: Int, _ given: JSONValue, _ binding: ClassBinding, isNew: Bool
  ) throws -> Bool {
    let description = binding.columns[column]
    let value = try ValueReading.structured(given, description, binding)
    let isEmbedded = description.type == .link && bindings(isEmbedded: description.target)
    func wrong(_ what: String) -> ValueFault {
      ValueFault(
        "property '\(description.name)' of class '\(binding.name)' is a \(TypeNames.name(description)): \(what)"
      )
    }
    var keys: [String] = []
    var values: [JSONValue]
    switch (value, description.collection) {
    case (.array(let elements), .list), (.array(let elements), .set): values = elements
    case (.object(let members), .map):
      keys = members.map(\.name)
      for key in keys where key.contains(".") || key.hasPrefix("$") {
        throw wrong("the key '\(key)' has a dot in it, or begins with $")
      }
      values = members.map(\.value)
    case (.null, _): values = []
    default: throw wrong("\(given.shown) is not valid")
    }
    if !isEmbedded { try checkReferences(in: values, binding, description) }
    let elements = try values.map { value -> Value in
      if isEmbedded && value != .null {
        return .link(table: description.target, row: try embedded(value, description, binding))
      }
      let element = try element(value, binding, column)
      if element.isNull,
        !(description.isNullable || description.type == .mixed) || description.type == .link && keys.isEmpty
      {
        throw wrong("null is not allowed in it")
      }
      return element
    }
    let table = snapshot.table(binding.number)
    if !isNew && policy != .all && !isEmbedded, isSame(table, row, column, description, keys, elements) {
      return false
    }
    if !isNew || table.count(column, row) > 0 { table.removeAllElements(column, row) }
    switch description.collection {
    case .map: for (key, element) in zip(keys, elements) { table.setMapValue(column, row, key: key, element) }
    case .set: table.insertIntoSet(column, row, elements)
    default: table.insertElements(column, row, at: 0, elements)
    }
    return true
  }

  private func isSame(
    _ table: Table, _ row: Int, _ column: Int, _ description: Column, _ keys: [String], _ elements: [Value]
  ) -> Bool {
    let present = table.elements(column, row)
    switch description.collection {
    case .set: return Set(present.map { ExactValue($0) }) == Set(elements.map { ExactValue($0) })
    case .map:
      let presentKeys = present.indices.map { table.key(column, row, at: $0) }
      func entries(_ keys: [String], _ values: [Value]) -> [ExactText: ExactValue] {
        Dictionary(zip(keys.map { ExactText($0) }, values.map { ExactValue($0) })) { $1 }
      }
      return entries(presentKeys, present) == entries(keys, elements)
    default: return present.areExactly(elements)
    }
  }

  // MARK: Values

  private func scalar(_ value: JSONValue, _ binding: ClassBinding, _ column: Int) throws -> Value {
    try ValueReading.value(value, binding.columns[column], of: binding.name, numericDates)
  }

  /// An element of a collection, or the value of a property that is none, links included.
  private func element(_ value: JSONValue, _ binding: ClassBinding, _ column: Int) throws -> Value {
    let description = binding.columns[column]
    switch description.type {
    case .link:
      if value == .null { return .null }
      return .link(
        table: description.target,
        row: try target(value, description.target) { "\(binding.name).\(description.name)" })
    case .mixed: return try mixed(value, binding, description)
    default: return try scalar(value, binding, column)
    }
  }

  private func mixed(_ value: JSONValue, _ binding: ClassBinding, _ column: Column) throws -> Value {
    try ValueReading.mixed(value, in: "property '\(column.name)' of class '\(binding.name)'") {
      className, key in
      guard let table = snapshot.catalogue.table(named: className), !bindings(isEmbedded: table) else {
        throw ValueFault(
          "'\(binding.name).\(column.name)' links to class '\(className)', which does not exist")
      }
      return .link(table: table, row: try target(key, table) { "\(binding.name).\(column.name)" })
    }
  }

  /// Writes the links to objects that came later than what links to them.
  ///
  /// - Throws: `ValueFault` when one never came, with `place` saying where the link is.
  func finish() throws {
    isComplete = true
    for waiting in waiting {
      place = waiting.place
      _ = try set(waiting.row, waiting.column, waiting.value, binding(waiting.table), isNew: false)
    }
    waiting = []
  }
}
