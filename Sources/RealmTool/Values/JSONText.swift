import Foundation
import RealmSwift
import Storage

/// Objects of a version as JSON.
///
/// Links are the keys of their objects, arrays where keys have several properties; those to objects without a primary key are
/// `{"$row": 7}`, which such objects have as a member `$row`. Embedded objects lie within their parents. In properties of any type, what JSON has no form for has a
/// member that names it, as in `{"$date": "2024-05-17T08:30:00Z"}`.
struct JSONText {
  /// Embedded objects deeper within each other are refused: they could as well form a circle, which has no end.
  static let deepest = 500
  let snapshot: Snapshot
  /// Whether elements of sets, which have no order, are sorted by their texts.
  private let sortsSets: Bool
  /// How many embedded objects surround what is written.
  private let depth: Int

  init(_ snapshot: Snapshot, sortsSets: Bool = false) { self.init(snapshot, sortsSets, depth: 0) }

  private init(_ snapshot: Snapshot, _ sortsSets: Bool, depth: Int) {
    self.snapshot = snapshot
    self.sortsSets = sortsSets
    self.depth = depth
  }

  /// An object of a class, with some of its columns.
  ///
  /// - Throws: `ToolError` when embedded objects lie too deep within each other.
  func append(_ row: Int, of reader: ClassReader, columns: [Int], to bytes: inout [UInt8]) throws {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    if !reader.hasKey && !reader.isEmbedded {
      appendMember("$row", isFirst: &isFirst, to: &bytes)
      bytes += String(row).utf8
    }
    let description = reader.description
    for number in columns {
      appendMember(description.columns[number].name, isFirst: &isFirst, to: &bytes)
      try append(row, number, description.columns[number], reader.table, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func appendMember(_ name: String, isFirst: inout Bool, to bytes: inout [UInt8]) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.appendJSON(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// What a property of an object has.
  func append(_ row: Int, _ number: Int, _ column: Column, _ table: Table, to bytes: inout [UInt8]) throws {
    switch column.collection {
    case .none: try append(table.value(number, row), column, to: &bytes)
    case .set where sortsSets:
      let texts = try table.elements(number, row).map { element in
        var text: [UInt8] = []
        try append(element, column, to: &text)
        return text
      }
      bytes.append(UInt8(ascii: "["))
      bytes += texts.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [UInt8(ascii: ",")])
      bytes.append(UInt8(ascii: "]"))
    case .list, .set:
      bytes.append(UInt8(ascii: "["))
      for (position, element) in table.elements(number, row).enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        try append(element, column, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .map:
      bytes.append(UInt8(ascii: "{"))
      for (position, element) in table.elements(number, row).enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSON(table.key(number, row, at: position))
        bytes.append(UInt8(ascii: ":"))
        try append(element, column, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  func append(_ value: Value, _ column: Column, to bytes: inout [UInt8]) throws {
    if column.type == .mixed { return append(mixed: value, to: &bytes) }
    guard case .link(let table, let row) = value else { return append(plain: value, to: &bytes) }
    let target = ClassReader(snapshot, table)
    if !target.isEmbedded { return append(keyOf: row, of: target, to: &bytes) }
    if depth == Self.deepest {
      throw ToolError(
        "Embedded objects of class '\(target.name)' lie more than \(Self.deepest) deep within each other.")
    }
    try JSONText(snapshot, sortsSets, depth: depth + 1)
      .append(row, of: target, columns: target.columns, to: &bytes)
  }

  /// A value of a property that is neither mixed nor a link.
  func append(plain value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .int, .bool: bytes += ValueText.text(value, snapshot).utf8
    case .float(let number): bytes.appendJSON(Double(number), "\(number)")
    case .double(let number): bytes.appendJSON(number, "\(number)")
    default: bytes.appendJSON(ValueText.text(value, snapshot))
    }
  }

  /// What links to an object have of it.
  func append(keyOf row: Int, of reader: ClassReader, to bytes: inout [UInt8]) {
    guard let key = reader.key else {
      bytes += "{\"$row\":\(row)}".utf8
      return
    }
    if key.isComposite { return append(key: key.values(reader.table, row), to: &bytes) }
    append(plain: reader.table.value(key.columns[0], row), to: &bytes)
  }

  private func append(key values: [Value], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      append(plain: value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// A primary key of several properties.
  func key(_ values: [Value]) -> String {
    var bytes: [UInt8] = []
    append(key: values, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Mixed values

  func mixed(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    append(mixed: value, to: &bytes)
    return bytes
  }

  private func append(mixed value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null, .bool, .int: bytes += (value.isNull ? "null" : ValueText.text(value, snapshot)).utf8
    case .string(let text): bytes.appendJSON(text)
    case .double(let number) where number.isFinite: bytes += "\(number)".utf8
    case .double: append(tagged: "$double", value, to: &bytes)
    case .float: append(tagged: "$float", value, to: &bytes)
    case .data: append(tagged: "$data", value, to: &bytes)
    case .date: append(tagged: "$date", value, to: &bytes)
    case .objectId: append(tagged: "$objectId", value, to: &bytes)
    case .uuid: append(tagged: "$uuid", value, to: &bytes)
    case .decimal128: append(tagged: "$decimal128", value, to: &bytes)
    case .link(let table, let row):
      let target = ClassReader(snapshot, table)
      bytes += "{\"$class\":".utf8
      bytes.appendJSON(target.name)
      bytes += ",\"$key\":".utf8
      append(keyOf: row, of: target, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        append(mixed: element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .dictionary(let entries):
      // So that a key of the user's is never taken for one of ours.
      let isAmbiguous = entries.contains { $0.key.hasPrefix("$") }
      bytes += (isAmbiguous ? "{\"$dictionary\":{" : "{").utf8
      for (position, entry) in entries.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSON(entry.key)
        bytes.append(UInt8(ascii: ":"))
        append(mixed: entry.value, to: &bytes)
      }
      bytes += (isAmbiguous ? "}}" : "}").utf8
    }
  }

  private func append(tagged tag: String, _ value: Value, to bytes: inout [UInt8]) {
    bytes += "{\"\(tag)\":".utf8
    bytes.appendJSON(ValueText.text(value, snapshot))
    bytes.append(UInt8(ascii: "}"))
  }
}
