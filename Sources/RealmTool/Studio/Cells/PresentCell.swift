import RealmSwift
import Storage

/// What a property or an element holds, as the page shows it.
struct PresentCell {
  let snapshot: Snapshot

  /// The cell of a property.
  func cell(_ place: CellPlace) -> [UInt8] {
    var (writer, bytes): (CellWriter, [UInt8]) = (CellWriter(snapshot), [])
    let table = snapshot.table(place.object.classNumber)
    writer.append(place.object.row, place.column, snapshot.column(place), table, to: &bytes)
    return bytes
  }

  /// The cell of a value of a property, or of an element of a collection.
  func cell(_ value: Value, _ column: Column) -> [UInt8] {
    var (writer, bytes): (CellWriter, [UInt8]) = (CellWriter(snapshot), [])
    writer.append(value, column.type, to: &bytes)
    return bytes
  }
}

extension Value {
  /// The type that the cell of a mixed value names; nil for null and for collections.
  var singleType: ValueType? {
    switch self {
    case .null, .list, .dictionary: nil
    case .int: .int
    case .bool: .bool
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .decimal128: .decimal128
    case .link: .link
    }
  }
}
