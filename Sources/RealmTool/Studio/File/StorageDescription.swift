import RealmSwift
import Storage

/// Sizes of a file by class and property, and the processes that read it, as `/api/storage` describes them.
struct StorageDescription {
  private let session: StudioSession
  private let diagnostics: Realm.Diagnostics
  private let snapshot: Snapshot
  private let sizes: StoredSizes

  /// - Complexity: Touches each leaf page of the file.
  init(_ session: StudioSession, _ diagnostics: Realm.Diagnostics, _ snapshot: Snapshot) throws {
    self.session = session
    self.diagnostics = diagnostics
    self.snapshot = snapshot
    sizes = try StoredSizes(snapshot)
  }

  var json: [UInt8] {
    var bytes = Array("{\"path\":".utf8)
    bytes.appendJSON(session.path)
    bytes.append(",\"size\":\(diagnostics.fileSize),\"used\":\(diagnostics.usedSize)")
    bytes.append(",\"free\":\(diagnostics.fileSize - diagnostics.usedSize)")
    bytes.append(",\"version\":\(diagnostics.newestVersion),\"versions\":\(diagnostics.activeVersionCount)")
    bytes.append(",\"readers\":")
    bytes.appendArray(diagnostics.readers, append)
    bytes.append(",\"indexes\":\(sizes.indexes.values.reduce(0, +)),\"classes\":")
    bytes.appendArray(ClassReader.all(in: snapshot), append)
    return bytes + Array("}".utf8)
  }

  private func append(_ reader: Realm.Diagnostics.Reader, to bytes: inout [UInt8]) {
    bytes.append("{\"process\":")
    bytes.appendJSON(reader.owner)
    let age = reader.since.map { String(max(0, Int(-$0.timeIntervalSinceNow))) } ?? "null"
    bytes.append(",\"own\":\(reader.since != nil),\"version\":\(reader.version),\"age\":\(age)}")
  }

  private func append(_ reader: ClassReader, to bytes: inout [UInt8]) {
    // -1 is the live-row bitmap.
    let columns = [-1] + Array(reader.description.columns.indices)
    let total = columns.reduce(0) { $0 + values(reader, $1) + indexes(reader, $1) }
    let inIndexes = columns.reduce(0) { $0 + indexes(reader, $1) }
    bytes.append("{\"name\":")
    bytes.appendJSON(reader.name)
    bytes.append(",\"count\":\(reader.count),\"bytes\":\(total),\"indexBytes\":\(inIndexes),\"properties\":")
    bytes.appendArray(reader.columns) { number, bytes in
      bytes.append("{\"number\":\(number),\"bytes\":\(values(reader, number))")
      bytes.append(",\"indexBytes\":\(indexes(reader, number))}")
    }
    bytes.append("}")
  }

  private func values(_ reader: ClassReader, _ column: Int) -> Int {
    sizes.values[StoredSizes.Place(table: reader.number, column: column)] ?? 0
  }

  private func indexes(_ reader: ClassReader, _ column: Int) -> Int {
    sizes.indexes[StoredSizes.Place(table: reader.number, column: column)] ?? 0
  }
}
