import RealmSwift
import Storage

/// Objects that stand for values that JSON has no form for: those of MongoDB's extended JSON, as `{"$oid": "…"}`, and those
/// that `realm export` writes, as `{"$data": "…"}`.
enum ExtendedJSON {
  /// The member whose object has only keys of the user's.
  static let dictionary = "$dictionary"

  /// Types whose value is a text.
  private static let texts: [String: ValueType] = [
    "$date": .date, "$data": .data, "$objectId": .objectId, "$oid": .objectId, "$uuid": .uuid,
    "$decimal128": .decimal128, "$numberDecimal": .decimal128, "$float": .float, "$double": .double,
    "$numberDouble": .double,
  ]

  private static let others: Set<String> = ["$numberLong", "$numberInt", "$binary"]

  /// Whether an object whose first member has this name is meant as a value.
  static func isTag(_ name: String) -> Bool { texts[name] != nil || others.contains(name) }

  /// The value that an object stands for; nil when it is an object like any other.
  static func value(_ members: [JSONValue.Member]) -> JSONValue? {
    guard let first = members.first, first.name.utf8.first == UInt8(ascii: "$") else { return nil }
    if first.name == "$binary" { return binary(first.value, members) }
    guard members.count == 1 else { return nil }
    switch (first.name, first.value) {
    case ("$numberLong", .string(let text)), ("$numberInt", .string(let text)):
      return Int64(text).map { .int($0) }
    case ("$numberLong", .int(let number)), ("$numberInt", .int(let number)): return .int(number)
    case ("$date", .int(let milliseconds)):
      return .typed(.date, DateText.text(NumericDates.milliseconds.stored(Double(milliseconds))))
    case (let name, .string(let text)):
      guard let type = texts[name], ValueText.value(text, of: type) != nil else { return nil }
      return .typed(type, text)
    default: return nil
    }
  }

  /// Bytes in base64 with a subtype in hexadecimal digits: 3 and 4 are those of UUIDs.
  private static func binary(_ value: JSONValue, _ members: [JSONValue.Member]) -> JSONValue? {
    let content: (text: String?, type: JSONValue?)
    switch value {
    case .object where members.count == 1: content = (value["base64"]?.text, value["subType"])
    case .string(let text) where members.count == 2 && members[1].name == "$type":
      content = (text, members[1].value)
    default: return nil
    }
    guard let text = content.text, case .data(let bytes)? = ValueText.value(text, of: .data) else {
      return nil
    }
    let subtype: Int? =
      switch content.type {
      case .string(let digits)?: Int(digits, radix: 16)
      case .int(let number)?: Int(number)
      default: nil
      }
    guard let subtype else { return nil }
    guard subtype == 3 || subtype == 4, bytes.count == 16 else { return .typed(.data, text) }
    return .typed(.uuid, ValueText.uuid(bytes))
  }
}

/// What numbers mean that are given for dates: how much time since 1970.
enum NumericDates: String, CaseIterable, Sendable {
  case seconds, milliseconds

  static let option = CommandOption(
    "--dates", .choice(allCases.map(\.rawValue)),
    "what numbers in properties of type date count, from 1970 on; --type makes a property one")

  /// The seconds from 1970 to 2001, from which stored dates count.
  private static let secondsTo2001 = 978_307_200.0

  /// The stored date; milliseconds are divided last, which rounds once.
  func stored(_ number: Double) -> Double {
    switch self {
    case .seconds: number - Self.secondsTo2001
    case .milliseconds: (number - Self.secondsTo2001 * 1000) / 1000
    }
  }
}
