import Foundation
import RealmSwift
import Storage

/// What one property of an object holds, in pages or as a whole.
struct PropertyPages {
  private let object: ObjectReading
  private let number: Int
  private let column: Column

  static let limit = 500

  /// - Throws: `StudioFault` with status 404 when the class has no such property.
  init(_ object: ObjectReading, _ number: Int) throws(StudioFault) {
    self.object = object
    self.number = number
    column = try object.reader.requestedColumn(number)
  }

  private var table: Table { object.reader.table }

  /// - Parameters:
  ///   - start: The position of the first element.
  ///   - path: The way into nested lists and maps, as an array of positions and keys in JSON.
  /// - Throws: `StudioFault` with status 400 for a wrong path, and 404 for one that leads nowhere.
  func reply(from start: Int, count: Int, path: String?) throws(StudioFault) -> StudioReply {
    let (from, count) = (max(start, 0), min(max(count, 0), Self.limit))
    let steps = try steps(path)
    if column.collection != .none && steps.isEmpty { return .json(elements(from, count)) }
    if column.type == .mixed { return .json(try nested(steps, from, count)) }
    if !steps.isEmpty { throw StudioFault(400, "Property '\(column.name)' has no nested values.") }
    return whole
  }

  private func elements(_ start: Int, _ count: Int) -> [UInt8] {
    let all = table.count(number, object.row)
    let range = min(start, all)..<min(start, all) + min(count, all - min(start, all))
    var bytes: [UInt8] = []
    bytes.append("{\"count\":\(all)")
    if column.collection == .map {
      bytes.append(",\"keys\":")
      bytes.appendArray(range) { $1.appendJSON(table.key(number, object.row, at: $0)) }
    }
    bytes.append(",\"elements\":")
    var writer = CellWriter(object.reader.snapshot)
    bytes.appendArray(range) {
      writer.append(table.element(number, object.row, at: $0), column.type, to: &$1)
    }
    bytes.append("}")
    return bytes
  }

  // MARK: Nested values

  private func steps(_ path: String?) throws(StudioFault) -> [NestedStep] {
    guard let path, !path.isEmpty else { return [] }
    // A bare list of steps is an array without its brackets.
    let text = path.hasPrefix("[") ? path : "[\(path)]"
    guard let parsed = try? JSONParser.parse(text), let steps = NestedStep.steps(parsed) else {
      throw StudioFault(400, "The path '\(path)' is not an array of positions and keys in JSON.")
    }
    return steps
  }

  private func nested(_ steps: [NestedStep], _ start: Int, _ count: Int) throws(StudioFault) -> [UInt8] {
    var rest = steps[...]
    var value = try beginning(&rest)
    for step in rest { value = try element(of: value, step) }
    var bytes: [UInt8] = []
    var writer = CellWriter(object.reader.snapshot)
    switch value {
    case .list(let all):
      let page = all.dropFirst(start).prefix(count)
      bytes.append("{\"count\":\(all.count),\"elements\":")
      bytes.appendArray(page) { writer.append(mixed: $0, to: &$1) }
      bytes.append("}")
    case .dictionary(let all):
      let page = all.dropFirst(start).prefix(count)
      bytes.append("{\"count\":\(all.count),\"keys\":")
      bytes.appendArray(page) { $1.appendJSON($0.key) }
      bytes.append(",\"elements\":")
      bytes.appendArray(page) { writer.append(mixed: $0.value, to: &$1) }
      bytes.append("}")
    case .string(let text):
      bytes.append("{\"text\":")
      bytes.appendJSON(text)
      bytes.append("}")
    default:
      bytes.append("{\"value\":")
      writer.append(mixed: value, to: &bytes)
      bytes.append("}")
    }
    return bytes
  }

  /// The property's value, or the element of its collection that the first step names.
  private func beginning(_ steps: inout ArraySlice<NestedStep>) throws(StudioFault) -> Value {
    if column.collection == .none { return table.value(number, object.row) }
    let position: Int
    switch steps.first {
    case .position(let given): position = given
    case .key(let key):
      let found = table.position(number, object.row, ofKey: key)
      position = column.collection == .map && found.isFound ? found.position : -1
    case nil: position = -1
    }
    steps = steps.dropFirst()
    guard position >= 0, position < table.count(number, object.row) else { throw Self.nowhere }
    return table.element(number, object.row, at: position)
  }

  private func element(of value: Value, _ step: NestedStep) throws(StudioFault) -> Value {
    switch (value, step) {
    case (.list(let elements), .position(let position)) where elements.indices.contains(position):
      return elements[position]
    case (.dictionary(let entries), .position(let position)) where entries.indices.contains(position):
      return entries[position].value
    case (.dictionary(let entries), .key(let key)):
      if let entry = entries.first(where: { $0.key.isExactly(key) }) { return entry.value }
      throw Self.nowhere
    default: throw Self.nowhere
    }
  }

  private static let nowhere = StudioFault(404, "The path leads to no value.")

  // MARK: Single values

  private var whole: StudioReply {
    var bytes: [UInt8] = []
    if table.isNull(number, object.row) { return .json(Array("{\"value\":null}".utf8)) }
    switch column.type {
    case .data:
      table.withBytes(number, object.row) { bytes.append(contentsOf: $0) }
      return .bytes(
        bytes, type: "application/octet-stream",
        fileName: "\(StudioRoute.fileName(column.name))-\(object.row).bin")
    case .string:
      bytes.append("{\"text\":")
      table.withBytes(number, object.row) { bytes.appendJSON(utf8: $0) }
      bytes.append("}")
    default:
      bytes.append("{\"value\":")
      var writer = CellWriter(object.reader.snapshot)
      writer.append(object.row, number, column, table, to: &bytes)
      bytes.append("}")
    }
    return .json(bytes)
  }
}
