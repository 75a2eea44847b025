import QueryEngine
import RealmSwift
import Storage

/// A view's objects by the values of a property, or by the periods of a date.
struct ViewGroups {
  /// A period of the calendar in UTC.
  enum Part: String, Sendable {
    case year, month, day, hour

    /// Returns the start of the period of a time, both in seconds since 2001-01-01.
    func start(_ seconds: Double) -> Double {
      switch self {
      case .year: DatePart.year.period(of: seconds).start
      case .month: DatePart.month.period(of: seconds).start
      case .day: DatePart.day.period(of: seconds).start
      case .hour: (seconds / 3600).rounded(.down) * 3600
      }
    }
  }

  /// What is computed for each group; the number of its objects without an operation.
  struct Aggregate: Sendable {
    let operation: AggregateOperation?
    let column: Int?

    /// - Throws: `StudioFault` with status 400 for a name that no aggregate has.
    init(_ name: String, of column: Int?) throws(StudioFault) {
      self.column = column
      switch name {
      case "count": operation = nil
      case "sum": operation = .sum
      case "average": operation = .average
      case "minimum": operation = .minimum
      case "maximum": operation = .maximum
      default: throw StudioFault(400, "There is no aggregate '\(name)'.")
      }
    }
  }

  private struct Group {
    let row: Int
    let period: Double?
    var count = 0
    var value: ValueAggregate?

    func result() -> Value { value?.reported ?? .int(Int64(count)) }
  }

  private let scan: RowScan
  private let number: Int
  private let column: Column
  private let part: Part?
  private let type: ValueType
  private var groups: [Group] = []

  static let groupLimit = 100_000

  /// - Throws: `StudioFault` with status 404 or 422 for a property that has no groups or no such aggregate.
  init(_ scan: RowScan, by number: Int, _ part: Part?, _ aggregate: Aggregate) throws {
    self.scan = scan
    self.number = number
    column = try scan.reader.requestedColumn(number)
    self.part = part
    let (name, table) = (scan.reader.name, scan.reader.table)
    guard column.collection == .none else {
      throw StudioFault(422, "'\(name).\(column.name)' is a collection: only single values have groups.")
    }
    if part != nil && column.type != .date {
      throw StudioFault(422, "'\(name).\(column.name)' is no date: it has no \(part?.rawValue ?? "part").")
    }
    type = try Self.check(aggregate, scan)
    var places: [ValueDigest?: Int] = [:]
    let keyType = column.type
    try scan.forEachRow { row in
      let isNull = table.isNull(number, row)
      let period = isNull ? nil : part.map { $0.start(table.double(number, row)) }
      let key: ValueDigest? =
        isNull ? nil : period.map { ValueDigest(number: $0) } ?? ValueDigest(table, number, row, keyType)
      let place = places[key] ?? groups.count
      if place == groups.count {
        if place == Self.groupLimit {
          throw StudioFault(
            422, "'\(name).\(column.name)' has more than \(Self.groupLimit) different values.")
        }
        places[key] = place
        groups.append(
          Group(
            row: row, period: period,
            value: aggregate.operation.map {
              ValueAggregate($0, scan.reader.column(aggregate.column ?? 0).type)
            }))
      }
      groups[place].count += 1
      if let of = aggregate.column { groups[place].value?.add(table.value(of, row)) }
    }
  }

  private static func check(_ aggregate: Aggregate, _ scan: RowScan) throws(StudioFault) -> ValueType {
    guard let operation = aggregate.operation else { return .int }
    guard let number = aggregate.column else {
      throw StudioFault(400, "The aggregate needs a property: the value 'of' is missing.")
    }
    let column = try scan.reader.requestedColumn(number)
    guard column.collection == .none, operation.propertyTypes.contains(column.type) else {
      throw StudioFault(
        422, "'\(scan.reader.name).\(column.name)' of type \(TypeNames.name(column)) has no such aggregate.")
    }
    return operation.isExtreme ? column.type : .double
  }

  func json(limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append("{\"groups\":")
    var writer = CellWriter(scan.reader.snapshot)
    bytes.appendArray(chosen(max(limit, 0))) { group, bytes in
      bytes.append("{\"key\":")
      if let period = group.period {
        writer.append(.date(period), .date, to: &bytes)
      } else {
        writer.append(group.row, number, column, scan.reader.table, to: &bytes)
      }
      bytes.append(",\"count\":\(group.count),\"value\":")
      writer.append(group.result(), type, to: &bytes)
      bytes.append("}")
    }
    bytes.append(",\"total\":\(groups.count)}")
    return bytes
  }

  /// The groups of the largest values in descending order; of dates the latest, in ascending order.
  private func chosen(_ limit: Int) -> ArraySlice<Group> {
    if column.type == .date {
      let table = scan.reader.table
      let keyed = groups.map { group in
        (
          group.period ?? (table.isNull(number, group.row) ? -.infinity : table.double(number, group.row)),
          group
        )
      }
      return keyed.sorted { $0.0 < $1.0 }.map(\.1).suffix(limit)
    }
    let valued = groups.map { ($0.result(), $0) }
    return valued.sorted { first, second in
      let order = Value.order(first.0, second.0)
      return order != 0 ? order > 0 : first.1.row < second.1.row
    }.map(\.1).prefix(limit)
  }
}
