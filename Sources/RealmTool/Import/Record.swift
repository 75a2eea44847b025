import Glibc
import RealmSwift
import Storage

/// What a source says of one property of a record.
///
/// Bytes are those of the source's buffer: they stay until the record has been taken.
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
  /// One of the record's values: what is not in the bytes as it is, or has values within.
  case value(Int)
}

/// One line, or one element of an array, as the members of an object.
///
/// A source fills the same record again and again, so that a member costs no allocation.
struct Record {
  let names: RecordNames
  /// In the source, counted from 1.
  var line = 1
  /// The numbers of the members' names.
  private(set) var members: ContiguousArray<Int> = []
  /// What the members are, in their order.
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

  /// The value of a cell, which no longer needs the source's bytes.
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

  /// The members of the object, which no longer need the source's bytes.
  var object: [JSONValue.Member] {
    members.indices.map { .init(name: names[members[$0]], value: value(cells[$0])) }
  }
}

/// The names of the members in a source, numbered in the order in which they first came.
final class RecordNames {
  private var texts: ContiguousArray<String> = []
  /// All names, one after the other, and where each begins and ends.
  private var bytes: ContiguousArray<UInt8> = []
  private var ranges: ContiguousArray<Range<Int>> = []
  private var numbers: [ExactText: Int] = [:]
  /// The names of the last record by their places: those of the next one mostly are the same.
  private var order: ContiguousArray<Int> = []
  /// The last record that has had each name, by its number.
  private var lastRecords: ContiguousArray<Int> = []
  private var record = 0

  init(_ names: [String] = []) { for name in names { _ = add(name) } }

  var count: Int { texts.count }
  subscript(number: Int) -> String { texts[number] }

  /// The number of the name of a member, which it gets when it is new.
  ///
  /// - Parameter place: How many members of the record come before.
  func number(_ name: ScannedText, at place: Int) -> Int {
    if case .raw(let text) = name, place < order.count, isName(text, ranges[order[place]]) {
      return order[place]
    }
    let text = name.string
    let number = numbers[ExactText(text)] ?? add(text)
    if place == order.count { order.append(number) } else if place < order.count { order[place] = number }
    return number
  }

  func beginRecord() { record += 1 }

  /// Notes that the record has a name. Returns false when it has it already.
  func note(_ number: Int) -> Bool {
    defer { lastRecords[number] = record }
    return lastRecords[number] != record
  }

  private func add(_ name: String) -> Int {
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
  /// Gives all records to the body.
  ///
  /// - Parameter progress: Is called now and then with the number of bytes that were read.
  /// - Throws: `SourceError`, `ToolError` when the file cannot be read, and what the body throws.
  mutating func read(_ progress: (Int) -> Void, _ body: (Record) throws -> Void) throws
  /// What the user should know of the source, once it was read.
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
