import RealmSwift
import Storage

/// Objects of a class as the rows of an answer.
struct RowWindow {
  private let reader: ClassReader
  private let columns: [(number: Int, column: Column?)]

  /// - Parameter columns: The numbers of the properties; nil for all. Those that were removed are null.
  /// - Throws: `StudioFault` with status 404 for a number that no property ever had, and 400 for more numbers than there are
  ///   properties.
  init(reader: ClassReader, columns: [Int]?) throws(StudioFault) {
    self.reader = reader
    let known = reader.description.columns
    if let columns, columns.count > known.count {
      throw StudioFault(400, "'columns' has more numbers than class '\(reader.name)' has properties.")
    }
    var chosen: [(number: Int, column: Column?)] = []
    for number in columns ?? reader.columns {
      guard known.indices.contains(number) else {
        throw StudioFault(404, "Class '\(reader.name)' has no property with the number \(number).")
      }
      chosen.append((number, known[number].isRemoved ? nil : known[number]))
    }
    self.columns = chosen
  }

  /// - Parameter count: The number of objects of the whole view.
  func answer(count: Int, _ rows: some Collection<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + rows.count * (columns.count + 1) * 16)
    bytes.append("{\"version\":\(reader.snapshot.version),\"count\":\(count),\"rows\":[")
    var writer = CellWriter(reader.snapshot)
    let table = reader.table
    for (index, row) in rows.enumerated() {
      reader.pause(at: index)
      bytes.append(index > 0 ? ",[" : "[")
      bytes.append(decimal: Int(row))
      // A slow view's rows may have been deleted since they were found.
      let isAlive = table.isAlive(Int(row))
      for (number, column) in columns {
        bytes.append(",")
        if let column, isAlive {
          writer.append(Int(row), number, column, table, to: &bytes)
        } else {
          bytes.append("null")
        }
      }
      bytes.append("]")
    }
    bytes.append("]}")
    return bytes
  }
}
