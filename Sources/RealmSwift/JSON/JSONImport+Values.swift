import Foundation
import Storage

// Values as `create` takes them, looked at so that it does not stop the program.
extension JSONImport {
  /// More values within each other than programs write, and few enough for a stack of 512 KB.
  private static let deepest = 100

  /// The value of a property of any type.
  ///
  /// - Throws: `JSONScanner.Fault` when it does not fit.
  mutating func value(
    of property: ClassProperty, _ column: Int, _ classTable: ClassTable
  ) throws -> JSONConverted {
    let kind = property.kind
    let first = try scanner.needed()
    let start = scanner.position
    let target = kind.type == .object && column >= 0 ? realm.linkTarget(classTable.table, column) : nil
    let value: Any
    switch kind.collection {
    case .list where first == UInt8(ascii: "["), .set where first == UInt8(ascii: "["):
      value = try elements(kind.type, target)
    case .map where first == UInt8(ascii: "{"): value = try entries(kind.type, target)
    case .none: value = try single(kind.type, target)
    default: value = try single(.any, nil)
    }
    if column < 0 { return .structured(value) }
    switch JSONFit(value, property, classTable.schema) {
    case .value(let converted): return converted
    case .misfit(let message): throw scanner.fault(message, at: start)
    }
  }

  /// One value: of the type where it can be one, else as it is.
  ///
  /// - Parameter target: Of links, the class that they lead to.
  private mutating func single(_ type: PropertyType, _ target: ClassTable?) throws -> Any {
    switch try scanner.needed() {
    case UInt8(ascii: "{"):
      if let target { return try object(target) }
      return try entries(.any, nil)
    case UInt8(ascii: "["): return try elements(.any, nil)
    case UInt8(ascii: "\""): return text(try scanner.string(), type)
    case UInt8(ascii: "t"):
      try scanner.word("true")
      return true
    case UInt8(ascii: "f"):
      try scanner.word("false")
      return false
    case UInt8(ascii: "n"):
      try scanner.word("null")
      return NSNull()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(type)
    case let byte: throw scanner.noValue(byte)
    }
  }

  private func text(_ text: String, _ type: PropertyType) -> Any {
    switch type {
    // The form of dates that no text of ISO 8601 can tell is the tool's own.
    case .date where text.first == "@": text
    case .date: DateText.seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) } ?? text
    case .data: Data(base64Encoded: text) ?? text
    case .objectId: (try? ObjectId(string: text)) ?? text
    case .UUID: UUID(uuidString: text) ?? text
    case .decimal128: Self.decimal(text) ?? text
    default: text
    }
  }

  private mutating func number(_ type: PropertyType) throws -> Any {
    let start = scanner.position
    let number = try scanner.number()
    switch type {
    case .decimal128: if let decimal = Self.decimal(number.text) { return decimal }
    case .date: if let found = number.double { return Date(timeIntervalSinceReferenceDate: seconds(found)) }
    case .float: if let found = Float(number.text), found.isFinite { return found }
    case .int:
      if let integer = number.integer { return Int(integer) }
      // Some programs write all numbers with decimals.
      if let double = number.double, let integer = Int(exactly: double), double.magnitude <= 0x1p53 {
        return integer
      }
    default:
      if let integer = number.integer { return Int(integer) }
      // A double would round it.
      if number.isInteger, type == .any {
        if let decimal = Self.decimal(number.text) { return decimal }
        throw scanner.fault("\(number.text.shortened) is too large", at: start)
      }
    }
    if let double = number.double { return double }
    throw scanner.fault("\(number.text.shortened) is too large", at: start)
  }

  /// Nil for what a decimal could hold only rounded, or as infinity.
  private static func decimal(_ text: String) -> Decimal128? {
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { 48...57 ~= $0 }
    let significant = digits.drop { $0 == 48 }.reversed().drop { $0 == 48 }
    guard significant.count <= 34, let decimal = try? Decimal128(string: text) else { return nil }
    return decimal.bits.isNaN || decimal.bits.isInfinite ? nil : decimal
  }

  /// The seconds since 2001 of a date that is a number.
  func seconds(_ number: Double) -> Double {
    switch numericDates {
    case .secondsSince1970: number - Date.timeIntervalBetween1970AndReferenceDate
    case .millisecondsSince1970: number / 1000 - Date.timeIntervalBetween1970AndReferenceDate
    case .secondsSince2001: number
    }
  }

  // MARK: Values within values

  private mutating func enter() throws {
    if depth == Self.deepest {
      throw scanner.fault("values lie more than \(Self.deepest) deep within each other")
    }
    depth += 1
    scanner.skip()
  }

  private mutating func elements(_ type: PropertyType, _ target: ClassTable?) throws -> [Any] {
    try enter()
    var elements: [Any] = []
    if try scanner.needed() != UInt8(ascii: "]") {
      repeat {
        elements.append(try single(type, target))
      } while try scanner.isNext(before: UInt8(ascii: "]"), "an array")
    }
    scanner.skip()
    depth -= 1
    return elements
  }

  private mutating func entries(_ type: PropertyType, _ target: ClassTable?) throws -> [String: Any] {
    var entries: [String: Any] = [:]
    try forEachMember { reader, name, start in
      let key = name.string
      if let fault = key.keyFault { throw reader.scanner.fault(fault, at: start) }
      let value = try reader.single(type, target)
      if entries.updateValue(value, forKey: key) != nil { throw reader.repeated(name, at: start) }
    }
    return entries
  }

  /// The values of an object that another one links to.
  private mutating func object(_ target: ClassTable) throws -> [String: Any] {
    let schema = target.schema
    let start = scanner.position
    var values: [String: Any] = [:]
    try forEachMember { reader, name, start in
      let key = name.string
      guard let index = schema.index(of: key), schema.properties[index].name.isExactly(key) else {
        return try reader.skip(name, at: start, schema)
      }
      let value = try reader.value(of: schema.properties[index], target.columns[index], target)
      if values.updateValue(value.value, forKey: key) != nil { throw reader.repeated(name, at: start) }
    }
    if let required = Self.requiredKey(target).map({ schema.properties[$0] }), values[required.name] == nil {
      throw scanner.fault(ValueError.missingValue(required, schema), at: start)
    }
    return values
  }

  @inline(__always)
  mutating func forEachMember(
    _ body: (inout JSONImport, _ name: ScannedText, _ start: Int) throws -> Void
  ) throws {
    try enter()
    if try scanner.needed() != UInt8(ascii: "}") {
      repeat {
        _ = try scanner.needed()
        let start = scanner.position
        try body(&self, try scanner.name(), start)
      } while try scanner.isNext(before: UInt8(ascii: "}"), "an object")
    }
    scanner.skip()
    depth -= 1
  }

  /// Goes over a value that no property has a place for.
  mutating func skipValue() throws {
    switch try scanner.needed() {
    case UInt8(ascii: "{"): try forEachMember { reader, _, _ in try reader.skipValue() }
    case UInt8(ascii: "["):
      try enter()
      if try scanner.needed() != UInt8(ascii: "]") {
        repeat { try skipValue() } while try scanner.isNext(before: UInt8(ascii: "]"), "an array")
      }
      scanner.skip()
      depth -= 1
    case UInt8(ascii: "\""): _ = try scanner.text()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanner.number()
    default: _ = try single(.any, nil)
    }
  }
}
