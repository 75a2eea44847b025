import Foundation

/// The text of objects and of what they hold, as `description` gives it.
enum ObjectDescription {
  /// How deep objects and collections are described before they are left out.
  static let maximumDepth = 5
  private static let tooDeep = "<Maximum depth exceeded>"
  /// How many bytes of data are printed.
  private static let maximumDataLength = 24

  /// An object: its class and, line by line, its stored properties.
  static func text(_ object: ObjectBase, depth: Int = maximumDepth) -> String {
    if object._row < 0 || (object._isManaged && !object._isAlive) { return "[invalid object]" }
    if depth <= 0 { return tooDeep }
    let schema = object.classSchema
    var description = "\(schema.className) {\n"
    for property in schema.properties {
      let stored = property.unconverted(object) ?? property.dynamicValue(object)
      let value = ObjectDescription.text(value: stored, depth: depth - 1)
      description += "\t\(property.name) = \(indented(value));\n"
    }
    return description + "}"
  }

  /// A value of a property or an element of a collection; objects and collections are described up to that many
  /// levels.
  static func text(value: Any?, depth: Int) -> String {
    guard let value = value.flatMap(Coercion.unwrap) else { return "(null)" }
    // A number of Foundation's could be cast to more than one of the types below.
    if type(of: value) is NSNumber.Type { return "\(value)" }
    switch value {
    case let object as ObjectBase: return text(object, depth: depth)
    case let collection as any DepthDescribed:
      return depth <= 0 ? tooDeep : collection._rlmDescription(depth: depth)
    case let value as AnyRealmValue: return text(value: value.payload, depth: depth)
    case let flag as Bool: return flag ? "1" : "0"
    case let date as Date: return date.description
    case let data as Data: return text(of: data)
    case let number as Double: return whole(number.description)
    case let number as Float: return whole(number.description)
    default: return "\(value)"
    }
  }

  /// The elements of a collection, each behind its index or key.
  static func text(
    collection header: String, count: Int, depth: Int, separator: String = " ",
    elements: some Sequence<(label: String, value: Any?)>
  ) -> String {
    if depth <= 0 { return tooDeep }
    let maximumCount = 100
    let lines = elements.prefix(maximumCount).map {
      "\t[\($0.label)]\(separator)\(indented(text(value: $0.value, depth: depth - 1)))"
    }
    var description = "\(header) (\n" + lines.joined(separator: ",\n")
    if count > maximumCount { description += "\n\t... \(count - maximumCount) objects skipped." }
    return description + "\n)"
  }

  /// A number without the fraction that a whole one would have.
  private static func whole(_ number: String) -> String {
    number.hasSuffix(".0") ? String(number.dropLast(2)) : number
  }

  private static func indented(_ text: String) -> String {
    text.contains("\n") ? text.replacingOccurrences(of: "\n", with: "\n\t") : text
  }

  /// The first bytes in groups of four, and how many there are.
  private static func text(of data: Data) -> String {
    var digits = ""
    for (position, byte) in data.prefix(maximumDataLength).enumerated() {
      if position > 0 && position % 4 == 0 { digits += " " }
      digits += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    return "<\(digits) — \(data.count) total bytes>"
  }
}

/// A collection whose elements are described up to a number of levels.
protocol DepthDescribed {
  func _rlmDescription(depth: Int) -> String
}
