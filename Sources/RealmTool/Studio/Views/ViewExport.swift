import RealmSwift
import Storage

/// A view's objects as a document that is made piece by piece, all from one version, which is released with it.
///
/// The pieces are asked for one after the other.
final class ViewExport: @unchecked Sendable {
  private let version: StudioVersion
  private let rows: [Int]?
  private let reader: ClassReader
  private let stream = OutputStream()
  private var writer: any RecordWriter
  private var next = 0
  private var isFinished = false

  private static let pieceSize = 1 << 16

  init(_ query: StudioQuery, _ format: RecordFormat, _ version: StudioVersion) throws {
    self.version = version
    reader = try query.reader(in: version.snapshot)
    let isWhole = try StudioFilter(query.filter).isEmpty && query.sort.isEmpty
    rows = isWhole ? nil : try query.rows(reader)
    let reader = reader
    writer = format.writer(
      reader, reader.columns.map { PropertyPath($0, of: reader) }, to: stream,
      style: Style(isOn: false, escapes: false),
      width: nil, escapesFormulas: true)
  }

  /// The next piece; nil at the end.
  func piece() throws -> [UInt8]? {
    if isFinished { return nil }
    let limit = rows?.count ?? reader.table.rowLimit
    while next < limit && stream.size < Self.pieceSize {
      let row = rows?[next] ?? next
      reader.pause(at: next)
      next += 1
      if rows != nil || reader.table.isAlive(row) { try writer.write(row) }
    }
    if next == limit {
      try writer.finish()
      isFinished = true
    }
    try version.numbered.check()
    return stream.take()
  }
}
