import Foundation
import Storage

// Values as `create` takes them, looked at so that it does not stop the program.
extension JSONImport {
  /// More values within each other than any program writes, and few enough for the stacks of all threads.
  private static let deepest = 500

  /// The value of a property of any type.
  ///
  /// - Throws: `JSONScanner.Fault`, with the message that `create` would stop with, when it does not fit.
  mutating func value(of property: ClassProperty, _ column: Int, _ classTable: ClassTable) throws -> Any {
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
    if column >= 0, let message = misfit(value, property, classTable.schema) {
      throw scanner.fault(message, at: start)
    }
    return value
  }

  /// Why a property can not have a value; nil when it can.
  private func misfit(_ value: Any, _ property: ClassProperty, _ schema: ClassSchema) -> String? {
    let kind = property.kind
    let fits: Bool
    var elements: [Any] = []
    switch kind.collection {
    case .none where property.isSingleScalar:
      fits = Self.isInRange(value, property.largestNumber) && property.coerceScalar(value) != nil
    case .none: fits = kind.type == .any || value is NSNull || Coercion.isDictionary(value)
    // Null empties a collection.
    case _ where value is NSNull: return nil
    case .map:
      fits = Coercion.isDictionary(value)
      elements = (value as? [String: Any]).map { Array($0.values) } ?? []
    case .list, .set:
      fits = value is [Any]
      elements = value as? [Any] ?? []
    }
    if !fits { return ValueError.invalid(value, property, schema) }
    return elements.first { !self.fits(element: $0, property) }.map {
      ValueError.invalidValue($0, kind, "'\(schema.className).\(property.name)'")
    }
  }

  private func fits(element: Any, _ property: ClassProperty) -> Bool {
    switch property.kind.type {
    case .any: return true
    case .object:
      return Coercion.isDictionary(element) || property.kind.collection == .map && element is NSNull
    default:
      guard let type = property.elementType else { return false }
      return Self.isInRange(element, (type as? any NumberedKey.Type)?.largestNumber) && type.accepts(element)
    }
  }

  /// Whether a number is none that a type of fewer bits would cut.
  private static func isInRange(_ value: Any, _ largest: Int64?) -> Bool {
    guard let largest, let number = value as? Int else { return true }
    return -largest - 1...largest ~= Int64(number)
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
    case .date: DateText.seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) } ?? text
    case .data: Data(base64Encoded: text) ?? text
    case .objectId: (try? ObjectId(string: text)) ?? text
    default: text
    }
  }

  private mutating func number(_ type: PropertyType) throws -> Any {
    let start = scanner.position
    let number = try scanner.number()
    switch type {
    case .decimal128:
      if let decimal = try? Decimal128(string: number.text), !decimal.bits.isInfinite { return decimal }
    case .date: if let found = number.double { return Date(timeIntervalSinceReferenceDate: seconds(found)) }
    case .float: if let found = Float(number.text), found.isFinite { return found }
    default: if let integer = number.integer { return Int(integer) }
    }
    if let double = number.double { return double }
    throw scanner.fault("\(number.text.shortened) is too large", at: start)
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
      } while try scanner.isNext(
        before: UInt8(ascii: "]"), "an array")
    }
    scanner.skip()
    depth -= 1
    return elements
  }

  private mutating func entries(_ type: PropertyType, _ target: ClassTable?) throws -> [String: Any] {
    var entries: [String: Any] = [:]
    try forEachMember { objects, name, start in
      let key = name.string
      if let fault = key.keyFault { throw objects.scanner.fault(fault, at: start) }
      let value = try objects.single(type, target)
      if entries.updateValue(value, forKey: key) != nil { throw objects.repeated(name, at: start) }
    }
    return entries
  }

  /// The values of an object that another one links to.
  private mutating func object(_ target: ClassTable) throws -> [String: Any] {
    let schema = target.schema
    var values: [String: Any] = [:]
    try forEachMember { objects, name, start in
      let key = name.string
      guard let index = schema.index(of: key), schema.properties[index].name.isExactly(key) else {
        return try objects.skipValue()
      }
      let value = try objects.value(of: schema.properties[index], target.columns[index], target)
      if values.updateValue(value, forKey: key) != nil { throw objects.repeated(name, at: start) }
    }
    return values
  }

  private mutating func forEachMember(
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
    case UInt8(ascii: "{"): try forEachMember { objects, _, _ in try objects.skipValue() }
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
