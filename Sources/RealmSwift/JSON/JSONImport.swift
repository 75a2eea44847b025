import Foundation
import Storage

/// Makes objects of one class from JSON, within an open write transaction.
///
/// Objects of single values are written to their rows as they are read. For all others, and new ones that lack a value, the
/// values are looked at and then given to `ObjectCreation`, which stops the program where one does not fit.
struct JSONImport {
  let realm: RealmCore
  let numericDates: Realm.NumericDates
  var scanner: JSONScanner
  /// How many values surround the one that is being read.
  var depth = 0

  private let classTable: ClassTable
  private let policy: Realm.UpdatePolicy
  private let properties: ContiguousArray<JSONProperty>
  /// The names of the properties, one after the other.
  private let names: ContiguousArray<UInt8>
  /// What the present object says of each property.
  private var fields: ContiguousArray<JSONField>
  private var others: [Int: JSONOther] = [:]
  /// The property at each place of the last object: those of the next one mostly have the same order.
  private var order: ContiguousArray<Int> = []
  private var hasStructured = false
  /// Whether a row can be found and made without knowing more than the values.
  private let hasPlainKey: Bool

  init(
    _ bytes: UnsafeRawBufferPointer, _ realm: RealmCore, _ classTable: ClassTable,
    _ policy: Realm.UpdatePolicy,
    _ numericDates: Realm.NumericDates
  ) {
    self.realm = realm
    self.classTable = classTable
    self.policy = policy
    self.numericDates = numericDates
    var names: ContiguousArray<UInt8> = []
    properties = ContiguousArray(
      zip(classTable.schema.properties, classTable.columns).map { JSONProperty($0, $1, names: &names) })
    self.names = names
    fields = ContiguousArray(repeating: .absent, count: properties.count)
    hasPlainKey = classTable.compositeKey == nil && classTable.keySequence == nil
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    scanner = JSONScanner(bytes, at: bytes.starts(with: mark) ? mark.count : 0, isComplete: true)
  }

  /// Reads everything. Returns the number of objects.
  ///
  /// - Throws: `Realm.Error`.
  mutating func run() throws -> Int {
    do {
      return try readAll()
    } catch let fault as JSONScanner.Fault {
      let line =
        1 + scanner.bytes[..<min(fault.position, scanner.bytes.count)].count { $0 == UInt8(ascii: "\n") }
      throw Realm.Error(.invalidInput, "Line \(line): \(fault.message)")
    }
  }

  private mutating func readAll() throws -> Int {
    var count = 0
    guard let first = scanner.peek() else { return 0 }
    guard first == UInt8(ascii: "[") else {
      while scanner.peek() != nil {
        try readObject()
        count += 1
      }
      return count
    }
    scanner.skip()
    if try scanner.needed() != UInt8(ascii: "]") {
      repeat {
        try readObject()
        count += 1
      } while try scanner.isNext(before: UInt8(ascii: "]"), "the array")
    }
    scanner.skip()
    if scanner.peek() != nil { throw scanner.fault("something follows the array") }
    return count
  }

  private mutating func readObject() throws {
    guard try scanner.needed() == UInt8(ascii: "{") else { throw scanner.fault("an object is expected here") }
    let start = scanner.position
    scanner.skip()
    for index in fields.indices { fields[index] = .absent }
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    hasStructured = false
    if try scanner.needed() != UInt8(ascii: "}") {
      var place = 0
      repeat {
        try readMember(place)
        place += 1
      } while try scanner.isNext(before: UInt8(ascii: "}"), "an object")
    }
    scanner.skip()
    do {
      try write()
    } catch let error as Realm.Error {
      throw scanner.fault(error.description, at: start)
    }
  }

  @inline(__always)
  private mutating func readMember(_ place: Int) throws {
    _ = try scanner.needed()
    let start = scanner.position
    let name = try scanner.name()
    guard let index = index(of: name, at: place) else { return try skipValue() }
    guard case .absent = fields[index] else { throw repeated(name, at: start) }
    fields[index] = try field(index)
  }

  func repeated(_ name: ScannedText, at position: Int) -> any Error {
    scanner.fault("the name '\(name.string.shortened)' is there twice in one object", at: position)
  }

  @inline(__always)
  private mutating func index(of name: ScannedText, at place: Int) -> Int? {
    guard case .raw(let bytes) = name else { return index(of: name.string) }
    if place < order.count, isName(bytes, of: order[place]) { return order[place] }
    guard let index = properties.indices.first(where: { isName(bytes, of: $0) }) else { return nil }
    if place == order.count { order.append(index) } else if place < order.count { order[place] = index }
    return index
  }

  private func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { bytes in
      properties.indices.first { isName(UnsafeRawBufferPointer(bytes), of: $0) }
    }
  }

  @inline(__always)
  private func isName(_ text: UnsafeRawBufferPointer, of index: Int) -> Bool {
    let name = properties[index].name
    guard text.count == name.count, let start = text.baseAddress else { return false }
    return names.withUnsafeBytes { memcmp($0.baseAddress! + name.lowerBound, start, name.count) == 0 }
  }

  /// The value of a property, read without more ado where it is of the type that most are.
  @inline(__always)
  private mutating func field(_ index: Int) throws -> JSONField {
    let byte = try scanner.needed()
    let isNumber = byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    let start = scanner.position
    switch properties[index].reading {
    case .integer(let range) where isNumber:
      if let number = try scanner.number().integer, range ~= number { return .integer(number) }
    case .double where isNumber:
      if let number = try scanner.number().double { return .double(number) }
    case .date where isNumber:
      if let number = try scanner.number().double { return .double(seconds(number)) }
    case .text where byte == UInt8(ascii: "\""):
      switch try scanner.text() {
      case .raw(let bytes): return .text(bytes)
      case .decoded(let text):
        others[index] = .stored(.string(text))
        return .other
      }
    case .bool where byte == UInt8(ascii: "t"):
      try scanner.word("true")
      return .bool(true)
    case .bool where byte == UInt8(ascii: "f"):
      try scanner.word("false")
      return .bool(false)
    default: break
    }
    scanner.position = start
    return try anyField(index)
  }

  @inline(never)
  private mutating func anyField(_ index: Int) throws -> JSONField {
    let property = properties[index].property
    let value = try value(of: property, properties[index].column, classTable)
    if property.isSingleScalar, let stored = property.coerceScalar(value) {
      if stored.isNull { return .null }
      others[index] = .stored(stored)
    } else {
      if properties[index].column >= 0 { hasStructured = true }
      others[index] = .structured(value)
    }
    return .other
  }

  // MARK: Writing

  private mutating func write() throws {
    if hasStructured || !hasPlainKey { return try create() }
    if let (_, column) = classTable.primaryKeyProperty {
      let property = classTable.schema.primaryKeyIndex!
      guard let key = stored(property) else {
        return try create()
      }
      let table = classTable.table
      if let row = table.snapshot.firstRow(table: table.number, column: column, equalTo: IndexKey(key)) {
        if policy == .error {
          throw Self.taken(.duplicatePrimaryKey(classTable.className, key.scalarValue ?? "(null)"))
        }
        return update(row)
      }
    }
    for index in properties.indices where properties[index].hasDefault {
      if case .absent = fields[index] { return try create() }
    }
    insert()
  }

  /// Nil for what is absent or structured.
  private func stored(_ index: Int) -> StoredValue? {
    switch fields[index] {
    case .absent: nil
    case .null: .null
    case .integer(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .double(let number): properties[index].type == .date ? .date(number) : .double(number)
    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .other: if case .stored(let value)? = others[index] { value } else { nil }
    }
  }

  private func insert() {
    let row = classTable.table.insertRow()
    for index in properties.indices where properties[index].column >= 0 { set(index, row) }
  }

  private func update(_ row: Int) {
    let table = classTable.table
    table.prefetch(row, columns: classTable.updatedColumns)
    var columns: UInt64 = 0
    for (index, property) in properties.enumerated()
    where property.column >= 0 && index != classTable.schema.primaryKeyIndex {
      guard let value = stored(index) else { continue }
      columns |= 1 << UInt64(property.column)
      if policy == .modified && table.value(property.column, row).isExactly(value) { continue }
      set(index, row)
    }
    classTable.updatedColumns = columns
  }

  @inline(__always)
  private func set(_ index: Int, _ row: Int) {
    let table = classTable.table
    let column = properties[index].column
    switch fields[index] {
    case .absent: break
    case .null: table.setNull(column, row)
    case .integer(let number): table.setInteger(column, row, number)
    case .bool(let flag): table.setBool(column, row, flag)
    case .double(let number): table.setDouble(column, row, number)
    case .text(let bytes): table.setString(column, row, utf8: bytes)
    case .other: if let value = stored(index) { table.setValue(column, row, value) }
    }
  }

  private func create() throws {
    var values: [String: Any] = [:]
    for index in properties.indices {
      if case .absent = fields[index] { continue }
      let value: Any
      if case .structured(let structured)? = others[index] {
        value = structured
      } else {
        value = stored(index)?.scalarValue ?? NSNull()
      }
      values[properties[index].property.name] = value
    }
    if let error = realm.createFromChecked(classTable, values, policy: policy) { throw Self.taken(error) }
  }

  private static func taken(_ error: ProgrammerError) -> Realm.Error { .init(.invalidInput, error.message) }
}
