import RealmSwift
import Storage

/// How links to objects of a class are written.
struct LinkForm {
  /// Source of the label of an object.
  private enum Label {
    case key(PrimaryKey)
    case text(Int)
    case row
  }

  /// Everything before the row.
  let beginning: [UInt8]
  let isEmbedded: Bool
  private let label: Label
  private let table: Table
  private let snapshot: Snapshot

  private static let characterLimit = 60

  init(_ reader: ClassReader) {
    var bytes: [UInt8] = []
    bytes.append("{\"class\":")
    bytes.appendJSON(reader.name)
    bytes.append(",\"row\":")
    beginning = bytes
    isEmbedded = reader.isEmbedded
    table = reader.table
    snapshot = reader.snapshot
    let text = reader.columns.first {
      reader.column($0).type == .string && reader.column($0).collection == .none
    }
    label = reader.key.map { .key($0) } ?? text.map { .text($0) } ?? .row
  }

  func appendLabel(_ row: Int, to bytes: inout [UInt8]) {
    let column: Int
    switch label {
    case .key(let key) where key.isComposite:
      return append(JSONText(snapshot).key(key.values(table, row)), to: &bytes)
    case .key(let key): column = key.columns[0]
    case .text(let number): column = number
    case .row: return append("#\(row)", to: &bytes)
    }
    if table.isNull(column, row) { return append("#\(row)", to: &bytes) }
    let type = snapshot.catalogue.tables[table.number].columns[column].type
    if type == .string { return table.withBytes(column, row) { Self.append(beginningOf: $0, to: &bytes) } }
    append(ValueText.text(table.value(column, row), snapshot), to: &bytes)
  }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { Self.append(beginningOf: UnsafeRawBufferPointer($0), to: &bytes) }
  }

  private static func append(beginningOf text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    let end = TextLength.prefix(characterLimit, of: text) ?? text.count
    bytes.appendJSON(utf8: UnsafeRawBufferPointer(rebasing: text[..<end]))
  }
}
