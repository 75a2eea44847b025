import Storage

/// Embedded objects that hold collections, or objects of their own class, as one value of the server: a dictionary of their
/// properties, in which lists and sets are lists, maps and embedded objects dictionaries.
///
/// The type of each value is that of its property. A value of an SQL program that does not fit is unreadable.
struct EmbeddedDocument {
  let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  private func columns(of table: Int) -> [(number: Int, column: Column)] {
    snapshot.catalogue.tables[table].columns.enumerated().filter { !$0.element.isRemoved }
      .map { (number: $0.offset, column: $0.element) }
  }

  // MARK: From the file

  /// Returns an embedded object as a value. What is nested deeper than the server takes it is unreadable there, too: it cannot be sent.
  func value(table: Int, row: Int, depth: Int = 1) -> Value {
    if depth > ServerMixed.deepest { return .unreadable("it is nested too deeply") }
    return dictionary(
      columns(of: table).map { number, column in
        (column.name, content(number, column, table: table, row: row, depth: depth + 1))
      })
  }

  /// Returns an element of a collection of embedded objects as the server has it.
  func value(_ element: Value) -> Value {
    guard case .link(let table, let row) = element else { return element }
    return value(table: table, row: row)
  }

  private func content(_ number: Int, _ column: Column, table: Int, row: Int, depth: Int) -> Value {
    let rows = snapshot.table(table)
    func part(_ value: Value) -> Value {
      guard case .link(let target, let row) = value else { return value }
      return self.value(table: target, row: row, depth: depth)
    }
    switch column.collection {
    case .none: return part(rows.value(number, row))
    case .list: return .list(rows.elements(number, row).map(part))
    case .set: return .list(sorted(rows.elements(number, row)))
    case .map:
      return dictionary(
        rows.elements(number, row).enumerated().map { (rows.key(number, row, at: $0), part($1)) })
    }
  }

  private func dictionary(_ entries: [(key: String, value: Value)]) -> Value {
    .dictionary(
      entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { Value.DictionaryEntry(key: $0.key, value: $0.value) })
  }

  private func sorted(_ elements: [Value]) -> [Value] { elements.sorted { IndexKey($0) < IndexKey($1) } }

  // MARK: From the server

  /// Returns a value of the server as the file would have it: with all properties of the class, and no others; nil if it does not
  /// fit the class.
  func typed(_ value: Value, table: Int) -> Value? {
    guard case .dictionary(let entries) = value, value.unreadableReason == nil, value.linkedObject == nil
    else { return nil }
    var found: [(key: String, value: Value)] = []
    for (_, column) in columns(of: table) {
      let entry = entries.first { $0.key.isExactly(column.name) }
      guard let typed = typed(entry?.value, column) else { return nil }
      found.append((column.name, typed))
    }
    return dictionary(found)
  }

  /// Returns a value of the server as the file would have it, or what stands in the place of one that cannot be read.
  func readable(_ value: Value, table: Int) -> Value {
    typed(value, table: table) ?? .unreadable(Self.unreadableReason(value))
  }

  /// Why a value of the server that does not fit the class cannot be read.
  static func unreadableReason(_ value: Value) -> String {
    value.unreadableReason ?? "a value in it has another type than the property"
  }

  private func typed(_ value: Value?, _ column: Column) -> Value? {
    switch (column.collection, value) {
    case (.none, let value?): return element(value, column)
    case (.none, nil):
      return column.isNullable || column.type == .link ? .null : Value.zero(of: column.type)
    case (.map, nil): return .dictionary([])
    case (_, nil): return .list([])
    case (.map, .dictionary(let entries)?):
      var typed: [(key: String, value: Value)] = []
      for entry in entries {
        guard let value = element(entry.value, column) else { return nil }
        typed.append((entry.key, value))
      }
      return dictionary(typed)
    case (.list, .list(let elements)?), (.set, .list(let elements)?):
      let typed = elements.compactMap { element($0, column) }
      if typed.count != elements.count { return nil }
      return .list(
        column.collection == .list ? typed : sorted(Array(Set(typed.map { ExactValue($0) }).map(\.value))))
    default: return nil
    }
  }

  private func element(_ value: Value, _ column: Column) -> Value? {
    if value.isNull {
      let isAllowed = column.isNullable || column.type == .link && column.collection != .list
      return isAllowed ? value : nil
    }
    if column.type == .link { return typed(value, table: column.target) }
    return MixedType(value).map { $0 == MixedType(column.type) } == true ? value : nil
  }

  /// Writes a value to an embedded object. What is equal stays as it is.
  ///
  /// - Parameter value: A value that `typed` has returned for the table.
  func write(_ value: Value, table: Int, row: Int) {
    guard case .dictionary(let entries) = value else { return }
    for (number, column) in columns(of: table) {
      guard let new = entries.first(where: { $0.key.isExactly(column.name) })?.value,
        !content(number, column, table: table, row: row, depth: 1).isExactly(new)
      else { continue }
      write(new, number, column, snapshot.table(table), row)
    }
  }

  private func write(_ new: Value, _ number: Int, _ column: Column, _ table: Table, _ row: Int) {
    switch (column.collection, new) {
    case (.none, .dictionary):
      if let present = table.link(number, row) {
        write(new, table: column.target, row: present)
      } else {
        table.setValue(number, row, stored(new, column))
      }
    case (.none, _): table.setValue(number, row, new)
    case (.map, .dictionary(let entries)):
      table.removeAllElements(number, row)
      for entry in entries { table.setMapValue(number, row, key: entry.key, stored(entry.value, column)) }
    case (_, .list(let elements)):
      table.removeAllElements(number, row)
      if column.collection == .list {
        table.insertElements(number, row, at: 0, elements.map { stored($0, column) })
      } else {
        for element in elements { table.insertIntoSet(number, row, element) }
      }
    default: return
    }
  }

  /// Returns a value as the column has it: a new embedded object in place of a dictionary.
  private func stored(_ value: Value, _ column: Column) -> Value {
    guard case .dictionary = value else { return value }
    return insert(value, table: column.target)
  }

  /// Returns a link to a new embedded object with a value.
  ///
  /// - Parameter value: A value that `typed` has returned for the table.
  func insert(_ value: Value, table: Int) -> Value {
    let row = snapshot.insertEmptyRow(table: table)
    write(value, table: table, row: row)
    return .link(table: table, row: row)
  }

  /// Writes a value to the embedded object that an element of a collection is. Returns whether it had another one.
  ///
  /// - Parameter value: A value that `typed` has returned for the table.
  func write(_ value: Value, to element: Value) -> Bool {
    guard case .link(let table, let row) = element, !self.value(element).isExactly(value) else {
      return false
    }
    write(value, table: table, row: row)
    return true
  }
}

extension MixedType {
  /// The type of the values of a column; nil for links and mixed values.
  fileprivate init?(_ type: ValueType) {
    guard let zero = Value.zero(of: type) else { return nil }
    self.init(zero)
  }
}

// Documents as properties of a class.
extension LocalClass {
  /// The table of the embedded objects that a property leads to as documents.
  private func documents(_ property: LocalProperty, in snapshot: Snapshot) -> Int {
    property.columns.reduce(table) { snapshot.catalogue.tables[$0].columns[$1].target }
  }

  /// Returns a value of the server as the file would have it; nil for one that cannot be read.
  func typedDocument(_ value: Value, _ property: LocalProperty, in snapshot: Snapshot) -> Value? {
    value.isNull ? value : EmbeddedDocument(snapshot).typed(value, table: documents(property, in: snapshot))
  }

  /// Why a value of the server cannot be read; nil if it can.
  func unreadableReason(_ value: Value, _ property: LocalProperty, in snapshot: Snapshot) -> String? {
    guard property.embedded?.isDocument == true else { return property.unreadableReason(value) }
    if typedDocument(value, property, in: snapshot) != nil { return nil }
    return EmbeddedDocument.unreadableReason(value)
  }

  /// Writes a value of the server. The embedded object that is there stays the same object. A value that cannot be read writes the
  /// present one again.
  func setDocument(
    _ value: Value, _ property: LocalProperty, _ holder: (table: Int, row: Int), in snapshot: Snapshot
  ) {
    let table = snapshot.table(holder.table)
    let present = table.link(property.column, holder.row)
    let target = documents(property, in: snapshot)
    guard let value = typedDocument(value, property, in: snapshot) else {
      return table.setLink(property.column, holder.row, present)
    }
    if value.isNull { return table.setLink(property.column, holder.row, nil) }
    let row = present ?? snapshot.insertEmptyRow(table: target)
    EmbeddedDocument(snapshot).write(value, table: target, row: row)
    table.setLink(property.column, holder.row, row)
  }
}
