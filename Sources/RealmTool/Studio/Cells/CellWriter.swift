import RealmSwift
import Storage

/// Writes values as cells: the form in JSON in which the page gets the values of properties and elements.
struct CellWriter {
  /// How much of long texts cells have.
  enum Texts {
    /// The first 200 characters.
    case beginnings
    /// Texts of up to 1 MB as a whole.
    case whole
  }

  let snapshot: Snapshot
  private let texts: Texts
  /// How links to each class begin and what their labels are, by its number.
  private var links: [LinkForm?]

  private static let characterLimit = 200
  private static let wholeLimit = 1 << 20
  private static let startLimit = 16

  init(_ snapshot: Snapshot, _ texts: Texts = .beginnings) {
    self.snapshot = snapshot
    self.texts = texts
    links = Array(repeating: nil, count: snapshot.catalogue.tables.count)
  }

  // MARK: Single cells

  /// Returns the cell of a property.
  mutating func cell(_ place: CellPlace) -> [UInt8] {
    var bytes: [UInt8] = []
    let table = snapshot.table(place.object.classNumber)
    append(place.object.row, place.column, snapshot.column(place), table, to: &bytes)
    return bytes
  }

  /// Returns the cell of a value of a property, or of an element of a collection.
  mutating func cell(_ value: Value, _ column: Column) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, column.type, to: &bytes)
    return bytes
  }

  // MARK: Properties

  /// Appends what a property of an object has.
  mutating func append(_ row: Int, _ number: Int, _ column: Column, _ table: Table, to bytes: inout [UInt8]) {
    if column.collection != .none {
      bytes.append("{\"count\":")
      bytes.append(decimal: table.count(number, row))
      bytes.append("}")
      return
    }
    if table.isNull(number, row) { return bytes.append("null") }
    switch column.type {
    case .int: append(table.integer(number, row), to: &bytes)
    case .bool: bytes.append(table.bool(number, row) ? "true" : "false")
    case .float: append(table.float(number, row), to: &bytes)
    case .double: append(table.double(number, row), to: &bytes)
    case .date: append(date: table.double(number, row), to: &bytes)
    case .string: table.withBytes(number, row) { append(text: $0, to: &bytes) }
    case .data: table.withBytes(number, row) { append(data: $0, to: &bytes) }
    case .link: append(linkTo: Int(table.integer(number, row)), of: column.target, to: &bytes)
    case .mixed:
      // A link is looked up after the bytes were read.
      let value = table.withBytes(number, row) { mixed($0, to: &bytes) }
      if let value { append(mixed: value, to: &bytes) }
    case .objectId, .uuid, .decimal128: append(table.value(number, row), column.type, to: &bytes)
    }
  }

  /// Appends a value of a type, such as an element of a collection.
  mutating func append(_ value: Value, _ type: ValueType, to bytes: inout [UInt8]) {
    if type == .mixed { return append(mixed: value, to: &bytes) }
    switch value {
    case .null: bytes.append("null")
    case .int(let number): append(number, to: &bytes)
    case .bool(let flag): bytes.append(flag ? "true" : "false")
    case .float(let number): append(number, to: &bytes)
    case .double(let number): append(number, to: &bytes)
    case .date(let seconds): append(date: seconds, to: &bytes)
    case .string(var text): text.withUTF8 { append(text: UnsafeRawBufferPointer($0), to: &bytes) }
    case .data(let data): data.withUnsafeBytes { append(data: $0, to: &bytes) }
    case .link(let table, let row): append(linkTo: row, of: table, to: &bytes)
    case .objectId, .uuid, .decimal128: bytes.appendJSON(ValueText.text(value, snapshot))
    case .list, .dictionary: append(mixed: value, to: &bytes)
    }
  }

  // MARK: Mixed values

  /// Appends a list, dictionary or text where it is stored. Returns the value of another type, which is not appended.
  private mutating func mixed(_ stored: UnsafeRawBufferPointer, to bytes: inout [UInt8]) -> Value? {
    let view = MixedView(stored)
    guard view.isList || view.isDictionary else { return view.value }
    append(view.isList, count: view.count, to: &bytes)
    return nil
  }

  private func append(_ isList: Bool, count: Int, to bytes: inout [UInt8]) {
    bytes.append("{\"type\":")
    bytes.append(isList ? "\"list\"" : "\"dictionary\"")
    bytes.append(",\"count\":")
    bytes.append(decimal: count)
    bytes.append("}")
  }

  mutating func append(mixed value: Value, to bytes: inout [UInt8]) {
    guard let type = value.type else {
      switch value {
      case .list(let elements): append(true, count: elements.count, to: &bytes)
      case .dictionary(let entries): append(false, count: entries.count, to: &bytes)
      default: bytes.append("null")
      }
      return
    }
    bytes.append("{\"type\":\"")
    bytes.append(TypeNames.name(type))
    bytes.append("\",\"value\":")
    append(value, type, to: &bytes)
    bytes.append("}")
  }

  // MARK: Links

  /// Appends a link to an object.
  mutating func append(linkTo row: Int, of table: Int, to bytes: inout [UInt8]) {
    let form = links[table] ?? LinkForm(ClassReader(snapshot, table))
    links[table] = form
    bytes.append(contentsOf: form.beginning)
    bytes.append(decimal: row)
    bytes.append(",\"label\":")
    form.appendLabel(row, to: &bytes)
    bytes.append(form.isEmbedded ? ",\"embedded\":true}" : "}")
  }

  /// Appends what an object is called.
  mutating func append(labelOf row: Int, of table: Int, to bytes: inout [UInt8]) {
    let form = links[table] ?? LinkForm(ClassReader(snapshot, table))
    links[table] = form
    form.appendLabel(row, to: &bytes)
  }

  // MARK: Plain values

  private func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number.magnitude < 1 << 53 { return NumberText.append(number, to: &bytes) }
    // JavaScript would round it.
    bytes.append("\"")
    NumberText.append(number, to: &bytes)
    bytes.append("\"")
  }

  private func append(_ number: Double, to bytes: inout [UInt8]) {
    if number.isFinite { return NumberText.append(number, to: &bytes) }
    bytes.append(number.isNaN ? "\"nan\"" : number > 0 ? "\"inf\"" : "\"-inf\"")
  }

  private func append(_ number: Float, to bytes: inout [UInt8]) {
    if number.isFinite { return bytes.append(number.description) }
    append(Double(number), to: &bytes)
  }

  private func append(date seconds: Double, to bytes: inout [UInt8]) {
    bytes.append("\"")
    DateText.append(seconds, to: &bytes)
    bytes.append("\"")
  }

  private func append(text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    if texts == .whole && text.count <= Self.wholeLimit { return bytes.appendJSON(utf8: text) }
    guard let end = TextLength.prefix(Self.characterLimit, of: text) else {
      return bytes.appendJSON(utf8: text)
    }
    bytes.append("{\"text\":")
    bytes.appendJSON(utf8: UnsafeRawBufferPointer(rebasing: text[..<end]))
    bytes.append(",\"length\":")
    bytes.append(decimal: TextLength.of(text))
    bytes.append(",\"hash\":\"\(ContentHash.text(ContentHash.of(text)))\"}")
  }

  private func append(data: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append("{\"bytes\":")
    bytes.append(decimal: data.count)
    bytes.append(",\"start\":\"")
    for byte in data.prefix(Self.startLimit) { bytes.appendHexadecimal(byte) }
    bytes.append("\",\"hash\":\"\(ContentHash.text(ContentHash.of(data)))\"}")
  }
}
