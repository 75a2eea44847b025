import RealmSwift
import Storage

/// A view's objects as points of a plane.
struct ViewPoints {
  /// Where the coordinates are.
  enum Source: Sendable {
    /// In two properties.
    case properties(x: Int, y: Int)
    /// In an embedded or linked object with a list `coordinates` of longitude and latitude.
    case point(Int)
  }

  private let scan: RowScan
  private let source: Source
  /// The table and column of the coordinates of linked objects.
  private let coordinates: (table: Table, column: Int)?

  /// - Throws: `StudioFault` with status 404 or 422 for properties that have no coordinates.
  init(_ scan: RowScan, _ source: Source) throws(StudioFault) {
    self.scan = scan
    self.source = source
    switch source {
    case .properties(let x, let y):
      for number in [x, y] {
        let column = try scan.reader.requestedColumn(number)
        guard column.collection == .none, [.int, .float, .double, .decimal128, .date].contains(column.type)
        else {
          throw StudioFault(422, "'\(scan.reader.name).\(column.name)' is neither a number nor a date.")
        }
      }
      coordinates = nil
    case .point(let number):
      let column = try scan.reader.requestedColumn(number)
      guard column.collection == .none, column.type == .link,
        case let target = ClassReader(scan.reader.snapshot, column.target),
        let list = target.description.column(named: "coordinates"),
        target.column(list).collection == .list, target.column(list).type == .double
      else {
        throw StudioFault(422, "'\(scan.reader.name).\(column.name)' has no list of coordinates.")
      }
      coordinates = (target.table, list)
    }
  }

  private func point(_ row: Int) -> (x: Double, y: Double)? {
    let table = scan.reader.table
    let point: (x: Double, y: Double)
    switch source {
    case .properties(let x, let y):
      guard let first = number(x, row), let second = number(y, row) else { return nil }
      point = (first, second)
    case .point(let number):
      guard let coordinates, let target = table.link(number, row),
        coordinates.table.count(coordinates.column, target) >= 2,
        case .double(let x) = coordinates.table.element(coordinates.column, target, at: 0),
        case .double(let y) = coordinates.table.element(coordinates.column, target, at: 1)
      else { return nil }
      point = (x, y)
    }
    return point.x.isFinite && point.y.isFinite ? point : nil
  }

  private func number(_ column: Int, _ row: Int) -> Double? {
    switch scan.reader.table.value(column, row) {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    // Seconds since 1970, as in JavaScript.
    case .date(let seconds): seconds + 978_307_200
    case .decimal128(let number): Double(DecimalText.text(Decimal128(stored: number)))
    default: nil
    }
  }

  /// At most `limit` points, evenly thinned.
  func json(limit: Int) -> [UInt8] {
    var total = 0
    scan.forEachRow { if point($0) != nil { total += 1 } }
    let limit = max(limit, 0)
    var bytes: [UInt8] = []
    bytes.append("{\"points\":[")
    var (position, written) = (0, 0)
    scan.forEachRow { row in
      guard let point = point(row) else { return }
      defer { position += 1 }
      // The next one of `limit` equal parts begins here.
      guard total <= limit || position * limit / total >= written, written < limit else { return }
      bytes.append(written > 0 ? ",[" : "[")
      written += 1
      NumberText.append(point.x, to: &bytes)
      bytes.append(",")
      NumberText.append(point.y, to: &bytes)
      bytes.append(",\(row)]")
    }
    bytes.append("],\"total\":\(total)}")
    return bytes
  }
}
