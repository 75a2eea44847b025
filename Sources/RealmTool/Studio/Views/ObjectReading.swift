import RealmSwift
import Storage

/// One object as an answer.
struct ObjectReading {
  let reader: ClassReader
  let row: Int

  /// - Throws: `StudioFault` with status 404 when there is no such object.
  init(_ className: String, _ row: Int, in snapshot: Snapshot) throws(StudioFault) {
    let reader = try ClassReader.requested(className, in: snapshot)
    guard reader.table.isAlive(row) else {
      throw StudioFault(404, "Class '\(className)' has no object in row \(row): it was deleted.")
    }
    self.reader = reader
    self.row = row
  }

  var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append("{\"version\":\(reader.snapshot.version),\"class\":")
    bytes.appendJSON(reader.name)
    bytes.append(",\"row\":\(row),\"label\":")
    var writer = CellWriter(reader.snapshot, .whole)
    writer.append(labelOf: row, of: reader.number, to: &bytes)
    bytes.append(",\"cells\":")
    let table = reader.table
    bytes.appendArray(reader.columns) { number, bytes in
      bytes.append("[\(number),")
      writer.append(row, number, reader.column(number), table, to: &bytes)
      bytes.append("]")
    }
    bytes.append(",\"embeddedIn\":")
    if let owner {
      writer.append(linkTo: owner.row, of: owner.classNumber, to: &bytes)
    } else {
      bytes.append("null")
    }
    bytes.append("}")
    return bytes
  }

  /// The object that an embedded object is in.
  private var owner: NumberedObject? {
    if !reader.isEmbedded { return nil }
    let object = NumberedObject(classNumber: reader.number, row: row)
    return LinkColumns(reader.snapshot).incoming(to: object).first?.object
  }
}
