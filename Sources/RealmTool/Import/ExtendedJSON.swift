import RealmSwift
import Storage

/// Objects that represent values for which JSON has no form: MongoDB's extended JSON, as in `{"$oid": "…"}`, and the tags
/// that `realm export` writes, as in `{"$data": "…"}`.
enum ExtendedJSON {
  /// The tag of a dictionary whose keys may begin with a dollar sign.
  static let dictionary = "$dictionary"

  /// Types whose value is a text.
  private static let texts: [String: ValueType] = [
    "$date": .date, "$data": .data, "$objectId": .objectId, "$oid": .objectId, "$uuid": .uuid,
    "$decimal128": .decimal128, "$numberDecimal": .decimal128, "$float": .float, "$double": .double,
    "$numberDouble": .double,
  ]

  private static let others: Set<String> = ["$numberLong", "$numberInt", "$binary"]

  /// Whether an object whose first member has this name represents a value.
  static func isTag(_ name: String) -> Bool { texts[name] != nil || others.contains(name) }

  /// Returns the value that an object represents; nil for any other object.
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

  /// Returns binary data, which is base64 with a subtype in hexadecimal digits. Subtypes 3 and 4 are UUIDs.
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

/// Unit of numbers that are given for dates, which count from 1970.
enum NumericDates: String, CaseIterable, Sendable {
  case seconds, milliseconds

  static let option = CommandOption(
    "--dates", .choice(allCases.map(\.rawValue)),
    "read numbers in date properties as seconds or milliseconds since 1970; --type makes a property a date")

  /// The seconds from 1970 to 2001, from which stored dates count.
  private static let secondsTo2001 = 978_307_200.0

  /// Returns the stored date. Milliseconds are divided last, so that the result is rounded once.
  func stored(_ number: Double) -> Double {
    switch self {
    case .seconds: number - Self.secondsTo2001
    case .milliseconds: (number - Self.secondsTo2001 * 1000) / 1000
    }
  }
}
