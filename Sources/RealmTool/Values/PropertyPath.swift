import Storage

/// A property, or one of an object that is linked to, as in `country.name`.
struct PropertyPath {
  let title: String
  private let links: [Int]
  /// The class that has the last property.
  let owner: ClassReader
  /// Nil for the number of the row, which is called `#row`.
  let number: Int?

  /// - Throws: `UsageError` that names what does not exist.
  init(_ text: String, of reader: ClassReader) throws {
    title = text
    var owner = reader
    var links: [Int] = []
    // Names may have dots in them.
    let isName = text.contains(".") && reader.description.column(named: text) != nil
    let names =
      isName ? [text] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for name in names.dropLast() {
      let number = try owner.column(named: name)
      let column = owner.column(number)
      guard column.type == .link, column.collection == .none else {
        throw UsageError(
          "'\(text)' goes through '\(owner.name).\(name)', which is \(TypeNames.name(column)) and not a link to one object."
        )
      }
      links.append(number)
      owner = ClassReader(owner.snapshot, column.target)
    }
    self.links = links
    self.owner = owner
    number = names.last == "#row" ? nil : try owner.column(named: names.last ?? "")
  }

  /// A property of the class itself.
  init(_ number: Int, of reader: ClassReader) {
    title = reader.column(number).name
    links = []
    owner = reader
    self.number = number
  }

  /// Whether the written object itself has the property.
  var isDirect: Bool { links.isEmpty }

  var column: Column? { number.map { owner.column($0) } }

  /// The row that has the property; nil when a link on the way is null.
  func row(from row: Int, in reader: ClassReader) -> Int? {
    var row = row
    var table = reader.table
    for link in links {
      guard let next = table.link(link, row) else { return nil }
      let target = table.snapshot.catalogue.tables[table.number].columns[link].target
      table = table.snapshot.table(target)
      row = next
    }
    return row
  }

  /// Whether values are numbers, which stand on the right of a table's column.
  var isNumeric: Bool {
    guard let column else { return true }
    return column.collection == .none && [.int, .float, .double, .decimal128].contains(column.type)
  }

  /// As JSON.
  func append(_ row: Int, _ reader: ClassReader, _ text: JSONText, to bytes: inout [UInt8]) throws {
    guard let row = self.row(from: row, in: reader) else {
      bytes += "null".utf8
      return
    }
    guard let number else {
      bytes += String(row).utf8
      return
    }
    try text.append(row, number, owner.column(number), owner.table, to: &bytes)
  }

  /// Returns the text of a field of CSV, which is different for different values; nil for null.
  func field(_ row: Int, _ reader: ClassReader) throws -> String? {
    guard let column, let number, column.type == .mixed, column.collection == .none,
      let row = self.row(from: row, in: reader)
    else { return try text(row, reader) }
    let value = owner.table.value(number, row)
    if value.isNull { return nil }
    // Text that could be taken for something else is in quotes.
    if case .string(let text) = value, (try? JSONParser.parse(text)) == nil { return text }
    return String(decoding: JSONText(owner.snapshot).mixed(value), as: UTF8.self)
  }

  /// As the text of a cell; nil for null.
  func text(_ row: Int, _ reader: ClassReader) throws -> String? {
    guard let row = self.row(from: row, in: reader) else { return nil }
    guard let number, let column else { return String(row) }
    if column.collection == .none {
      let value = owner.table.value(number, row)
      if value.isNull { return nil }
      if case .link(let target, let row) = value, ClassReader(owner.snapshot, target).isEmbedded {
        let target = ClassReader(owner.snapshot, target)
        var bytes: [UInt8] = []
        try JSONText(owner.snapshot).append(row, of: target, columns: target.columns, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }
      return ValueText.text(value, owner.snapshot)
    }
    var bytes: [UInt8] = []
    try JSONText(owner.snapshot).append(row, number, column, owner.table, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
