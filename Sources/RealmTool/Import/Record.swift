import LibC
import RealmSwift
import Storage

/// The value of one member of a record, as the source has it.
///
/// Bytes belong to the source's buffer. They are valid until the closure that receives the record returns.
enum Cell {
  case null
  case bool(Bool)
  case int(Int64)
  /// Any other number of JSON.
  case number(ScannedNumber)
  /// A text of JSON in UTF-8.
  case string(UnsafeRawBufferPointer)
  /// A field of a CSV file in UTF-8, whose type nothing tells.
  case field(UnsafeRawBufferPointer)
  /// The position of a value that the record owns: a decoded text, an array or an object.
  case value(Int)
}

/// One line, or one element of an array, as the members of an object.
///
/// A source refills the same record, so that a member costs no allocation.
struct Record {
  var names: RecordNames
  /// Line in the source, counted from 1.
  var line = 1
  /// The numbers of the members' names.
  private(set) var members: ContiguousArray<Int> = []
  /// The values of the members, in the order of the source.
  private(set) var cells: ContiguousArray<Cell> = []
  private var values: [JSONValue] = []

  init(_ names: RecordNames) { self.names = names }

  mutating func removeAll() {
    members.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    if !values.isEmpty { values.removeAll(keepingCapacity: true) }
  }

  @inline(__always)
  mutating func append(_ name: Int, _ cell: Cell) {
    members.append(name)
    cells.append(cell)
  }

  mutating func append(_ name: Int, value: JSONValue) {
    append(name, .value(values.count))
    values.append(value)
  }

  /// Returns a copy of a cell's value that does not depend on the source's bytes.
  func value(_ cell: Cell) -> JSONValue {
    switch cell {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .number(let number): .number(number.text)
    case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .field(let bytes): .field(String(decoding: bytes, as: UTF8.self))
    case .value(let place): values[place]
    }
  }

  /// The members as an object that does not depend on the source's bytes.
  var object: [JSONValue.Member] {
    members.indices.map { .init(name: names[members[$0]], value: value(cells[$0])) }
  }
}

/// The names of the members in a source, numbered in the order in which they first came.
struct RecordNames {
  /// Identity of a source: names with the same identity have the same numbers.
  final class Source {}

  let source = Source()
  private var texts: ContiguousArray<String> = []
  /// The bytes of all names, concatenated, and the range of each name.
  private var bytes: ContiguousArray<UInt8> = []
  private var ranges: ContiguousArray<Range<Int>> = []
  private var numbers: [ExactText: Int] = [:]
  /// Name numbers of the last record by position. The next record usually has the same.
  private var order: ContiguousArray<Int> = []
  /// Number of the last record that had each name.
  private var lastRecords: ContiguousArray<Int> = []
  private var record = 0

  init(_ names: [String] = []) { for name in names { _ = add(name) } }

  var count: Int { texts.count }
  subscript(number: Int) -> String { texts[number] }

  /// Returns the number of a member's name. A new name gets the next number.
  ///
  /// - Parameter place: How many members of the record come before.
  mutating func number(_ name: ScannedText, at place: Int) -> Int {
    if case .raw(let text) = name, place < order.count, isName(text, ranges[order[place]]) {
      return order[place]
    }
    let text = name.string
    let number = numbers[ExactText(text)] ?? add(text)
    if place == order.count { order.append(number) } else if place < order.count { order[place] = number }
    return number
  }

  mutating func beginRecord() { record += 1 }

  /// Notes that the record has a name. Returns false when it has it already.
  mutating func note(_ number: Int) -> Bool {
    defer { lastRecords[number] = record }
    return lastRecords[number] != record
  }

  private mutating func add(_ name: String) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    ranges.append(start..<bytes.count)
    texts.append(name)
    lastRecords.append(0)
    numbers[ExactText(name)] = texts.count - 1
    return texts.count - 1
  }

  private func isName(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    guard text.count == range.count, let start = text.baseAddress else { return false }
    return bytes.withUnsafeBytes { memcmp($0.baseAddress! + range.lowerBound, start, range.count) == 0 }
  }
}

/// Gives one record after the other.
protocol RecordSource {
  /// Calls the body with each record.
  ///
  /// - Parameter progress: Is called now and then with the number of bytes that were read.
  /// - Throws: `SourceError`, `ToolError` when the file cannot be read, and what the body throws.
  mutating func read(_ progress: (Int) -> Void, _ body: (Record) throws -> Void) throws
  /// Notes for the user about the source, complete once it was read.
  var notes: [String] { get }
}

/// A line of a source.
struct SourcePlace: CustomStringConvertible {
  var source = ""
  var line = 0

  var description: String { "\(source), line \(line)" }
}

/// What is wrong with a source, and where.
struct SourceError: Error {
  let line: Int
  let message: String
}
