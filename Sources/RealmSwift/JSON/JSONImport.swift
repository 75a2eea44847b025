import Foundation
import Storage

/// Makes objects of one class from JSON, within an open write transaction.
///
/// Single values are read into fields and written to the object's row. Links, collections and mixed values are looked at, and then
/// given to `ObjectCreation`, which would stop the program where one does not fit. So is the whole object where its row is found or
/// made in another way than by one key, or has more by default than single values.
struct JSONImport {
  let realm: RealmCore
  let numericDates: Realm.NumericDates
  let unknownKeys: Realm.UnknownKeys
  var ignored = IgnoredKeys()
  var scanner: JSONScanner
  /// How many values surround the one that is being read.
  var depth = 0

  let classTable: ClassTable
  let policy: Realm.UpdatePolicy
  let properties: ContiguousArray<JSONProperty>
  /// The names of the properties, one after the other.
  private let names: ContiguousArray<UInt8>
  /// What the present object says of each property.
  var fields: ContiguousArray<JSONField>
  /// The values of the fields that say so.
  private(set) var converted: ContiguousArray<JSONConverted?>
  /// The properties of the last object in its order: most texts keep one order for all objects.
  private var order: ContiguousArray<Int> = []
  /// The primary key where each object has to have it.
  let requiredKey: Int?
  /// The present object, counted from 1.
  private(set) var number = 0
  /// Where the present object begins.
  private(set) var start = 0
  /// Whether the present object has a value that only `ObjectCreation` can write.
  private(set) var needsCreation = false

  init(
    _ bytes: UnsafeRawBufferPointer, _ realm: RealmCore, _ classTable: ClassTable,
    _ policy: Realm.UpdatePolicy, _ numericDates: Realm.NumericDates, _ unknownKeys: Realm.UnknownKeys
  ) {
    self.realm = realm
    self.classTable = classTable
    self.policy = policy
    self.numericDates = numericDates
    self.unknownKeys = unknownKeys
    var names: ContiguousArray<UInt8> = []
    let sample = classTable.schema.type.init()
    properties = ContiguousArray(
      zip(classTable.schema.properties, classTable.columns).map {
        JSONProperty($0, $1, of: sample, names: &names)
      })
    self.names = names
    fields = ContiguousArray(repeating: .absent, count: properties.count)
    converted = ContiguousArray(repeating: nil, count: properties.count)
    requiredKey = Self.requiredKey(classTable)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    scanner = JSONScanner(bytes, at: bytes.starts(with: mark) ? mark.count : 0, isComplete: true)
  }

  /// The primary key of a class, unless it is one that new objects make themselves. All objects without the key would be one.
  static func requiredKey(_ classTable: ClassTable) -> Int? {
    guard classTable.keySequence == nil, let index = classTable.schema.primaryKeyIndex else { return nil }
    let type = classTable.schema.properties[index].kind.type
    return type == .objectId || type == .UUID ? nil : index
  }

  /// Reads everything. Returns the number of objects.
  ///
  /// - Throws: `Realm.Error`.
  mutating func run() throws -> Int {
    do {
      try readAll()
      ignored.log()
      return number
    } catch let fault as JSONScanner.Fault {
      let before = scanner.bytes[..<min(fault.position, scanner.bytes.count)]
      let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
      // All objects may stand in one line.
      let place = line == 1 && number > 1 ? "Line 1, object \(number)" : "Line \(line)"
      throw Realm.Error(.invalidInput, "\(place): \(fault.message)")
    }
  }

  private mutating func readAll() throws {
    guard let first = scanner.peek() else { return }
    guard first == UInt8(ascii: "[") else {
      while scanner.peek() != nil { try readObject() }
      return
    }
    scanner.skip()
    if try scanner.needed() != UInt8(ascii: "]") {
      repeat { try readObject() } while try scanner.isNext(before: UInt8(ascii: "]"), "the array")
    }
    scanner.skip()
    if scanner.peek() != nil { throw scanner.fault("something follows the array") }
  }

  private mutating func readObject() throws {
    number += 1
    guard try scanner.needed() == UInt8(ascii: "{") else { throw scanner.fault("an object is expected here") }
    start = scanner.position
    for index in fields.indices {
      if case .converted = fields[index] { converted[index] = nil }
      fields[index] = .absent
    }
    needsCreation = false
    // How many members before the present one are properties.
    var place = 0
    try forEachMember { reader, name, start in
      guard let index = reader.index(of: name, at: place) else {
        return try reader.skip(name, at: start, reader.classTable.schema)
      }
      place += 1
      guard case .absent = reader.fields[index] else { throw reader.repeated(name, at: start) }
      reader.fields[index] = try reader.field(index)
    }
    try write()
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
        converted[index] = .stored(.string(text))
        return .converted
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
    return try convertedField(index)
  }

  @inline(never)
  private mutating func convertedField(_ index: Int) throws -> JSONField {
    let property = properties[index]
    let value = try value(of: property.property, property.column, classTable)
    switch value {
    case .stored(.null): return .null
    case .stored: break
    case .structured: if property.column >= 0 { needsCreation = true }
    }
    converted[index] = value
    return .converted
  }
}
