import RealmSwift
import Storage

/// The links to an object, by the properties that have them.
struct IncomingReading {
  private let object: ObjectReading

  init(_ object: ObjectReading) { self.object = object }

  var json: [UInt8] {
    let reader = object.reader
    let snapshot = reader.snapshot
    var bytes: [UInt8] = []
    bytes.append("{\"incoming\":[")
    var isFirst = true
    for origin in ClassReader.all(in: snapshot) {
      for number in origin.columns {
        let column = origin.column(number)
        guard column.type == .mixed || column.type == .link && column.target == reader.number,
          snapshot.mayHaveBacklinks(from: origin.number, column: number)
        else { continue }
        let count =
          snapshot.backlinks(to: object.row, of: reader.number, from: origin.number, column: number).count
        if count == 0 { continue }
        if !isFirst { bytes.append(",") }
        isFirst = false
        append(origin, number, column, count, to: &bytes)
      }
    }
    bytes.append("]}")
    return bytes
  }

  private func append(
    _ origin: ClassReader, _ number: Int, _ column: Column, _ count: Int, to bytes: inout [UInt8]
  ) {
    bytes.append("{\"class\":")
    bytes.appendJSON(origin.name)
    bytes.append(",\"property\":\(number),\"name\":")
    bytes.appendJSON(column.name)
    bytes.append(",\"count\":\(count),\"filter\":")
    bytes.appendJSON(orNull: filter(origin, column))
    bytes.append("}")
  }

  /// The condition that finds the objects of a class that link to the object by a property; nil when there is none.
  private func filter(_ origin: ClassReader, _ column: Column) -> String? {
    let name = StudioFilter.property(column.name)
    let text = StudioFilter.text(of: object.row, object.reader.name)
    let filter =
      switch column.collection {
      case .none: "\(name) == \(text)"
      case .list, .set, .map: "ANY \(name) == \(text)"
      }
    // The engine may know no such comparison, as with embedded objects.
    guard let parsed = try? StudioFilter(filter), (try? parsed.predicate(origin)) != nil else { return nil }
    return filter
  }
}
