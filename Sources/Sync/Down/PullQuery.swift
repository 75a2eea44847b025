package import Storage

/// The statements with which a pull reads one class.
package struct PullQuery: Sendable {
  private let syncClass: SyncClass
  private let names: ServerNames
  let columns: String
  private let cursor: PullCursor
  private let numbers: [Int]
  /// The condition for objects that the subscriptions select; nil when they select all.
  let filter: String?

  /// - Parameters:
  ///   - numbers: The numbers of the properties on the server, from 1.
  ///   - cursor: The snapshot whose rows the file has.
  ///   - filter: The condition for objects that the subscriptions select; nil when they select all.
  package init(
    _ syncClass: SyncClass, schema: String, numbers: [Int], cursor: String, filter: String? = nil
  ) {
    self.syncClass = syncClass
    self.numbers = numbers
    self.filter = filter
    names = ServerNames(schema: schema, className: syncClass.name)
    self.cursor = PullCursor(cursor, filter: filter)
    let values = ([syncClass.key] + syncClass.properties).map { "t.\(SQLText.identifier($0.name))" }
    columns = (values + ["t._at", "t._st::text"]).joined(separator: ", ")
  }

  /// The table of the objects.
  var source: String { names.table }

  /// The objects that the snapshot of the cursor did not show as they are now.
  package var rows: String {
    "copy (select \(columns) from \(names.table) t where \(changed("t._rx"))) "
      + "to stdout (format binary)"
  }

  /// The types of the columns of `rows`.
  package var rowTypes: [ServerType] {
    [syncClass.key.type] + syncClass.properties.map(\.type)
      + [.bigint, .text]
  }

  /// Objects by their keys, with a column behind the others that says whether the subscriptions select them.
  package func rows(withKeys keys: [Value]) -> String {
    "copy (select \(columns), \(filter ?? "true") from \(names.table) t where "
      + "t.\(SQLText.identifier(syncClass.key.name)) in (\(KeyText.literals(keys, syncClass.key.type)))) to stdout (format binary)"
  }

  /// The departures since the snapshot of the cursor.
  package var departures: String {
    "copy (select t.\(SQLText.identifier(syncClass.key.name)), t._died from "
      + "\(names.departures) t where \(changed("t._rx"))) to stdout (format binary)"
  }

  /// The types of the columns of `departures`.
  package var departureTypes: [ServerType] { [syncClass.key.type, .bigint] }

  private func changed(_ column: String) -> String {
    cursor.changed(column) + cursor.andIsSelected
  }

  /// Reads a row of `rows`.
  package func row(_ fields: [Value]) -> PulledRow {
    let count = syncClass.properties.count
    let creation = fields[1 + count].stamp
    var written: String?
    if case .string(let text) = fields[2 + count] { written = text }
    return PulledRow(
      key: fields[0], values: Array(fields[1..<1 + count]),
      stamps: PulledStamps(creation: creation, numbers: numbers, text: written), creation: creation)
  }

  /// Reads a row of `departures`.
  package func departure(_ fields: [Value]) -> Departure {
    Departure(key: fields[0], died: fields[1].isNull ? nil : fields[1].stamp)
  }
}

extension Value {
  fileprivate var stamp: Stamp {
    if case .int(let number) = self { Stamp(rawValue: number) } else { .never }
  }
}
