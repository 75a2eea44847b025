import Foundation
import QueryEngine
import RealmSwift
import Storage

/// Values of a property as text: how a cell shows them, and how they are read from a command line or a CSV file.
struct ValueText {
  let column: Column

  init(_ column: Column) { self.column = column }

  // MARK: Writing

  /// A value that is no collection; links as the keys of the objects they lead to.
  static func text(_ value: Value, _ snapshot: Snapshot) -> String {
    switch value {
    case .null: ""
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): Data(bytes).base64EncodedString()
    case .date(let seconds): DateText.text(seconds)
    case .objectId(let id): Hexadecimal.text(bytes(id))
    case .uuid(let id): uuid(bytes(id))
    case .decimal128(let number): DecimalText.text(Decimal128(stored: number))
    case .link(let table, let row): ClassReader(snapshot, table).label(row)
    case .list, .dictionary:
      String(decoding: JSONText(snapshot).mixed(value), as: UTF8.self)
    }
  }

  static func bytes(_ id: Fixed12) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: 12, alignment: 1) { buffer in
      id.store(to: buffer.baseAddress!)
      return Array(buffer)
    }
  }

  static func bytes(_ id: Fixed16) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
      id.store(to: buffer.baseAddress!)
      return Array(buffer)
    }
  }

  /// Returns a UUID as text in lower case, as RFC 9562 requires for output.
  static func uuid(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
      text.appendHexadecimal(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Reading

  /// The value that a text stands for in a property that is neither a collection nor a link.
  ///
  /// - Throws: `UsageError` that names property, type and text.
  func value(_ text: String) throws -> Value {
    guard let value = Self.value(text, of: column.type) else {
      throw UsageError(
        "property '\(column.name)' is of type \(TypeNames.name(column)): '\(text.shortened)' is not valid.\(hint)"
      )
    }
    return value
  }

  static func value(_ text: String, of type: ValueType) -> Value? {
    switch type {
    case .int: return Int64(text).map { .int($0) }
    case .bool:
      switch text.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: return nil
      }
    case .string: return .string(text)
    case .data: return Data(base64Encoded: text).map { .data(Array($0)) }
    case .date: return DateText.seconds(text).map { .date($0) }
    case .float:
      guard let number = Float(text), number.isFinite || !hasDigits(text) else { return nil }
      return .float(number)
    case .double:
      guard let number = Double(text), number.isFinite || !hasDigits(text) else { return nil }
      return .double(number)
    case .objectId:
      guard let bytes = Hexadecimal.bytes(Array(text.utf8)), bytes.count == 12 else { return nil }
      return .objectId(bytes.withUnsafeBytes { Fixed12($0.baseAddress!) })
    case .uuid:
      guard text.utf8.count == 36,
        let bytes = Hexadecimal.bytes(Array(text.utf8).filter { $0 != UInt8(ascii: "-") }),
        bytes.count == 16
      else { return nil }
      return .uuid(bytes.withUnsafeBytes { Fixed16($0.baseAddress!) })
    case .decimal128:
      guard let number = try? Decimal128(string: text) else { return nil }
      // Neither rounds nor becomes infinite.
      let isWhole = JSONValue.isWhole(text)
      if hasDigits(text), number.isNaN || number.stringValue.hasSuffix("Inf") { return nil }
      if isWhole, text.utf8.drop(while: { $0 == 48 || $0 == 45 }).count > 34 { return nil }
      return .decimal128(number.stored)
    case .mixed: return .string(text)
    case .link: return nil
    }
  }

  private static func hasDigits(_ text: String) -> Bool { text.utf8.contains { 48...57 ~= $0 } }

  private var hint: String {
    Self.hint(column.type).map { " " + $0 } ?? ""
  }

  /// How values of a type are written, where that is not obvious.
  fileprivate static func hint(_ type: ValueType) -> String? {
    switch type {
    case .date: "A date looks like 2024-05-17T08:30:00Z."
    case .data: "Data is written in base64."
    case .objectId: "An object id has 24 hexadecimal digits."
    case .uuid: "A UUID looks like 4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3b."
    default: nil
    }
  }
}

extension TextConstants {
  /// Strings in predicates on the command line, where a string is the only way to write a date, an object id or a UUID.
  static let onCommandLine = TextConstants {
    ValueText.value($0, of: $1)
  } advise: {
    ValueText.hint($0)
  }
}

/// What types are called in schemas and messages.
enum TypeNames {
  static let all: [(ValueType, String)] = [
    (.int, "int"), (.bool, "bool"), (.string, "string"), (.data, "data"), (.date, "date"), (.float, "float"),
    (.double, "double"), (.link, "object"), (.mixed, "mixed"), (.objectId, "objectId"),
    (.decimal128, "decimal128"), (.uuid, "uuid"),
  ]

  static let rules: [(LinkRule, String)] = [
    (.nullify, "nullify"), (.cascade, "cascade"), (.cascadeUnlessShared, "cascadeUnlessShared"),
    (.deny, "deny"),
  ]

  static func name(_ rule: LinkRule) -> String { rules.first { $0.0 == rule }!.1 }
  static func rule(named name: String) -> LinkRule? { rules.first { $0.1 == name }?.0 }

  static func name(_ type: ValueType) -> String { all.first { $0.0 == type }!.1 }
  static func type(named name: String) -> ValueType? { all.first { $0.1 == name }?.0 }

  static func name(_ collection: CollectionType) -> String? {
    switch collection {
    case .none: nil
    case .list: "list"
    case .set: "set"
    case .map: "map"
    }
  }

  /// A property's type with its collection.
  static func name(_ column: Column) -> String {
    name(column.collection).map { "\($0) of \(name(column.type))" } ?? name(column.type)
  }
}
