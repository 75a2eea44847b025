import RealmSwift
import Storage

extension Paste {
  /// Number of rows that a preview shows.
  private static let rowLimit = 100
  private static let textLimit = 200

  /// What pasting would do. It is tried in a transaction that is cancelled, so that rows can link to earlier ones, and so that
  /// the rules of the file count: `problem` is the first one that pasting would break.
  func preview(_ realm: NumberedRealm, _ lock: WriteRequest, undoLimit: Int) throws -> [UInt8] {
    var bytes = Array("{\"format\":\"\(text.format.rawValue)\",\"header\":\(text.titles != nil)".utf8)
    bytes.append(",\"columns\":")
    bytes.appendArray(columns.enumerated()) { entry, bytes in
      let (position, column) = entry
      bytes.append("{\"title\":")
      bytes.appendJSON(text.titles.map { $0[position] } ?? "\(position + 1)")
      bytes.append(",\"property\":\(column.map { "\($0)" } ?? "null")}")
    }
    bytes.append(",\"target\":\"\(target)\",\"count\":\(text.rows.count),\"rows\":[")
    let (errors, problem) = try realm.trial(lock) {
      try appendRows(BatchWriter(realm, undoLimit: undoLimit), to: &bytes)
    }
    bytes.append("],\"errors\":\(errors),\"problem\":")
    if let problem {
      bytes.append("{\"row\":\(problem.row.map { "\($0)" } ?? "null"),\"message\":")
      bytes.appendJSON(problem.message)
      bytes.append("}}")
    } else {
      bytes.append("null}")
    }
    return bytes
  }

  /// The first row that the file would refuse, and why; the row is nil when several are the reason together.
  private typealias Problem = (row: Int?, message: String)

  /// Appends the first rows. Returns the number of wrong values in all rows.
  private func appendRows(
    _ writer: BatchWriter, to bytes: inout [UInt8]
  ) throws -> (errors: Int, problem: Problem?) {
    var writer = writer
    var errors = 0
    var problem: Problem?
    for (index, row) in text.rows.enumerated() {
      let padded = row + Array(repeating: nil, count: max(0, columns.count - row.count))
      let before = errors
      let cells = zip(padded, columns).map { cell($0, $1, &errors) }
      if index < Self.rowLimit {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "["))
        bytes += cells.joined(separator: [UInt8(ascii: ",")])
        bytes.append(UInt8(ascii: "]"))
      }
      if errors > before || problem != nil { continue }
      do {
        try writeRow(index, &writer)
      } catch {
        problem = (index, StudioFault(error).message)
      }
    }
    if problem == nil, let broken = Writer(snapshot).brokenRule { problem = (nil, broken.message) }
    return (errors, problem)
  }

  private func cell(_ value: JSONValue?, _ column: Int?, _ errors: inout Int) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      guard let content = try content(value, column), let column else {
        if let value, value != .null { bytes.appendJSON(shown(value)) } else { bytes.append("null") }
        return bytes
      }
      switch content {
      case .value(let stored):
        var cells = CellWriter(snapshot)
        return cells.cell(stored, snapshot.catalogue.tables[table].columns[column])
      case .elements(let elements): return Array("{\"count\":\(elements.count)}".utf8)
      case .entries(let entries): return Array("{\"count\":\(entries.count)}".utf8)
      case .object: bytes.appendJSON(value.map { shown($0) } ?? "")
      }
    } catch {
      errors += 1
      bytes.append("{\"error\":")
      bytes.appendJSON((error as? CellFault)?.message ?? StudioFault(error).message)
      bytes.append(",\"text\":")
      bytes.appendJSON(value.map { shown($0) } ?? "")
      bytes.append("}")
    }
    return bytes
  }

  private func shown(_ value: JSONValue) -> String {
    let text: String
    switch value {
    case .field(let field), .string(let field): text = field
    default:
      var bytes: [UInt8] = []
      bytes.append(json: value)
      text = String(decoding: bytes, as: UTF8.self)
    }
    return String(text.prefix(Self.textLimit))
  }
}
