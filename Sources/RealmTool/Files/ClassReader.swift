import Storage

/// A class of an open file, as one version has it.
struct ClassReader {
  let snapshot: Snapshot
  let number: Int

  init(_ snapshot: Snapshot, _ number: Int) {
    self.snapshot = snapshot
    self.number = number
  }

  static func all(in snapshot: Snapshot) -> [ClassReader] {
    snapshot.catalogue.tables.indices.filter { !snapshot.catalogue.tables[$0].isRemoved }
      .map { ClassReader(snapshot, $0) }.sorted { $0.name < $1.name }
  }

  /// - Parameter path: As messages name the file.
  /// - Throws: `UsageError` when there is no such class.
  static func named(_ name: String, in snapshot: Snapshot, path: String) throws -> ClassReader {
    if let number = snapshot.catalogue.table(named: name) { return ClassReader(snapshot, number) }
    let names = all(in: snapshot).map(\.name)
    throw UsageError(
      "'\(path)' has no class '\(name)'." + Spelling.suggestion(for: name, among: names)
        + (names.isEmpty ? " It has no classes at all." : " It has \(RealmFile.listed(names))."))
  }

  var description: TableDescription { snapshot.catalogue.tables[number] }
  var name: String { description.name }
  var isEmbedded: Bool { description.isEmbedded }
  var table: Table { snapshot.table(number) }
  var count: Int { snapshot.liveCount(table: number) }
  /// For each object there is no need to make the key.
  var hasKey: Bool { description.primaryKey != nil || description.compositeKey != nil }
  /// Nil for classes without one, whose objects are named by the numbers of their rows.
  var key: PrimaryKey? { PrimaryKey(description, table: number) }

  /// The numbers of the columns that are there.
  var columns: [Int] {
    description.columns.indices.filter {
      !description.columns[$0].isRemoved && !description.columns[$0].name.isEmpty
    }
  }

  func column(_ number: Int) -> Column { description.columns[number] }

  /// - Throws: `UsageError` when there is no such property.
  func column(named name: String) throws -> Int {
    if let number = description.column(named: name) { return number }
    let names = columns.map { column($0).name }
    throw UsageError(
      "class '\(self.name)' has no property '\(name)'." + Spelling.suggestion(for: name, among: names)
        + " It has \(RealmFile.listed(names)).")
  }

  /// Calls the body with each row. Decrypted memory may be released before each call.
  func forEachRow(_ body: (Int) throws -> Void) rethrows {
    for row in 0..<table.rowLimit where table.isAlive(row) {
      pause(at: row)
      try body(row)
    }
  }

  /// Called now and then where nothing of the file is in use: see `Snapshot.letGoOfDecrypted`.
  func pause(at row: Int) {
    if row & 15 == 0 { snapshot.letGoOfDecrypted() }
  }

  /// The row that a key as text names: the primary key, an array in JSON where that has several properties, or `#` and the
  /// number of the row. Of a class whose keys are strings, one that looks like a row's number comes first.
  ///
  /// - Throws: `UsageError` when the text is no such key.
  func row(key text: String) throws -> Int? {
    let key = key
    if let key, !key.isComposite, column(key.columns[0]).type == .string,
      let row = key.row([.string(text)], in: snapshot)
    {
      return row
    }
    if text.hasPrefix("#"), let row = Int(text.dropFirst()) { return table.isAlive(row) ? row : nil }
    guard let key else {
      throw UsageError(
        "class '\(name)' has no primary key: name the object by its row number, as in '#7', which query prints as the property #row."
      )
    }
    if !key.isComposite { return key.row([try ValueText(column(key.columns[0])).value(text)], in: snapshot) }
    do {
      return key.row(
        try ValueReading.key(.field(text), key.columns.map { column($0) }, of: name), in: snapshot)
    } catch let fault as ValueFault {
      throw UsageError(fault.message + ".")
    }
  }

  /// How messages and links name an object: as `row(key:)` finds it.
  func label(_ row: Int) -> String {
    guard let key else { return "#\(row)" }
    if key.isComposite { return JSONText(snapshot).key(key.values(table, row)) }
    return ValueText.text(table.value(key.columns[0], row), snapshot)
  }
}
