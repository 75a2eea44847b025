import RealmSwift
import Storage

/// A pasted text with the properties that its columns become.
struct Paste {
  struct CellFault: Error {
    let message: String
  }

  let request: PasteRequest
  let snapshot: Snapshot
  let table: Int
  let text: PastedText
  /// The objects whose values are replaced, one for each row of the text; nil when each row becomes a new object.
  let objects: [NumberedObject]?
  /// The properties of the columns; nil for those that are left out.
  private(set) var columns: [Int?] = []

  /// - Throws: `StudioFault`.
  init(_ request: PasteRequest, _ text: PastedText, _ place: PasteTarget, in snapshot: Snapshot) throws {
    let (className, rows) = (place.className, place.rows)
    guard let table = snapshot.catalogue.table(named: className) else {
      throw StudioFault(422, "The file has no class '\(className.shortened)'.")
    }
    (self.request, self.snapshot, self.table) = (request, snapshot, table)
    let names = Set(
      snapshot.columns(table).map { snapshot.catalogue.tables[table].columns[$0].name.lowercased() })
    var text = text
    text.takeTitles { titles in
      if let hasTitles = request.hasTitles { return hasTitles }
      return rows == nil && titles.contains { names.contains($0.trimmingSpaces().lowercased()) }
    }
    self.text = text
    if let rows {
      if rows.count < text.rows.count {
        throw StudioFault(
          422,
          "The text has \(Numbers.count(text.rows.count, "row")), and there are only \(rows.count) to paste it on."
        )
      }
      objects = rows.prefix(text.rows.count).map { NumberedObject(classNumber: table, row: $0) }
    } else {
      objects = nil
      if snapshot.catalogue.tables[table].isEmbedded {
        throw StudioFault(
          422, "Objects of class '\(className)' are embedded: they are created in their owners.")
      }
    }
    columns = try matchedColumns()
    try checkColumns()
  }

  // MARK: Columns

  private func matchedColumns() throws -> [Int?] {
    if let columns = request.columns {
      if columns.count != text.width {
        throw StudioFault(400, "'columns' has \(columns.count) elements for \(text.width) columns.")
      }
      return columns
    }
    if let titles = text.titles { return titles.map { property(named: $0) } }
    var properties = snapshot.columns(table)[...]
    if let first = request.property {
      properties = properties.drop { $0 != first }
      if properties.count < text.width {
        throw StudioFault(
          422,
          "The text has \(Numbers.count(text.width, "column")), and there are only \(properties.count) to paste it on."
        )
      }
    }
    return (0..<text.width).map { $0 < properties.count ? properties[properties.startIndex + $0] : nil }
  }

  private func property(named title: String) -> Int? {
    let description = snapshot.catalogue.tables[table]
    if let exact = description.column(named: title) { return exact }
    let similar = snapshot.columns(table).filter {
      description.columns[$0].name.lowercased() == title.lowercased()
    }
    return similar.count == 1 ? similar[0] : nil
  }

  private func checkColumns() throws {
    let known = Set(snapshot.columns(table))
    var seen: Set<Int> = []
    for case let column? in columns {
      if !known.contains(column) {
        throw StudioFault(
          422, "Class '\(snapshot.catalogue.tables[table].name)' has no property with the number \(column).")
      }
      if !seen.insert(column).inserted {
        throw StudioFault(
          422,
          "Two columns are pasted on property '\(snapshot.catalogue.tables[table].columns[column].name)'.",
          details: "\"property\":\(column)")
      }
    }
  }

  // MARK: Values

  /// What a cell of the text becomes; nil for one that is left out.
  ///
  /// - Throws: `CellFault`.
  func content(_ value: JSONValue?, _ column: Int?) throws -> NewContent? {
    guard let column, var value else { return nil }
    let kind = snapshot.catalogue.tables[table].columns[column]
    let isText = text.format == .tsv || text.format == .csv
    if isText && value == .null {
      // An empty field.
      if objects == nil { return nil }
      if kind.type == .string && !kind.isNullable { value = .field("") }
    }
    do {
      if objects != nil { try checkReplaced(kind) }
      return try PastedValue(snapshot: snapshot, table: table, number: column).content(value)
    } catch {
      throw CellFault(message: StudioFault(error).message)
    }
  }

  private func checkReplaced(_ kind: Column) throws {
    let isEmbedded = kind.type == .link && snapshot.catalogue.tables[kind.target].isEmbedded
    if kind.collection != .none || isEmbedded {
      throw ValueFault(
        "Property '\(kind.name)' is \(isEmbedded ? "embedded" : "a collection"), which is not pasted on objects that exist."
      )
    }
    if kind.isPrimaryKey {
      throw ValueFault("Property '\(kind.name)' is the primary key, which never changes.")
    }
  }

  /// A checksum of the values that are replaced, by which a change after the preview is noticed.
  var target: String {
    var bytes: [UInt8] = []
    var cells = CellWriter(snapshot)
    for object in objects ?? [] {
      guard snapshot.isAlive(object) else {
        bytes.append(0)
        continue
      }
      for case let column? in columns { bytes += cells.cell(CellPlace(object, column)) + [0] }
    }
    return ContentHash.text(of: bytes)
  }

  // MARK: Writing

  /// Performs the paste in an open write transaction.
  ///
  /// - Throws: `StudioFault` that names row, as `operation`, and property.
  func write(_ writer: inout BatchWriter) throws {
    for index in text.rows.indices { try writeRow(index, &writer) }
  }

  /// Writes one row of the text.
  func writeRow(_ index: Int, _ writer: inout BatchWriter) throws {
    var contents: [(column: Int, content: NewContent)] = []
    for (position, value) in text.rows[index].enumerated() where position < columns.count {
      guard let column = columns[position] else { continue }
      do {
        if let content = try content(value, column) { contents.append((column, content)) }
      } catch let fault as CellFault {
        throw StudioFault(
          422, fault.message, details: "\"operation\":\(index),\"property\":\(column),\"column\":\(position)")
      }
    }
    do {
      try write(contents, index, &writer)
    } catch {
      let fault = StudioFault(error)
      throw StudioFault(fault.status, fault.message, details: "\"operation\":\(index)")
    }
  }

  private func write(
    _ contents: [(column: Int, content: NewContent)], _ index: Int, _ writer: inout BatchWriter
  ) throws {
    guard let objects else {
      _ = try writer.create(table, contents)
      return
    }
    if !snapshot.isAlive(objects[index]) {
      throw StudioFault(409, "An object has been deleted since the page showed it. Nothing was written.")
    }
    for case (let column, .value(let value)) in contents {
      try writer.set(CellPlace(objects[index], column), value)
    }
  }
}
