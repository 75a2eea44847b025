import Storage

extension Value {
  /// The value as in a predicate, cut when it is long.
  var text: String {
    switch self {
    case .null: return "NULL"
    case .int(let number): return "\(number)"
    case .bool(let flag): return flag ? "true" : "false"
    case .float(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .date(let seconds): return "date(\(seconds))"
    case .string(let string):
      return string.count > 40 ? "\"\(string.prefix(40))…\"" : "\"\(string)\""
    case .data(let bytes): return "data(\(bytes.count) bytes)"
    case .link(_, let row): return "object(\(row))"
    case .objectId, .uuid, .decimal128, .list, .dictionary: return "a value"
    }
  }
}

extension RelationalOperator {
  var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension TextOperator {
  var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains: "CONTAINS"
    case .like: "LIKE"
    case .fullText: "TEXT"
    }
  }
}

extension AggregateOperation {
  var suffix: String {
    switch self {
    case .minimum: ".@min"
    case .maximum: ".@max"
    case .sum: ".@sum"
    case .average: ".@avg"
    }
  }
}

extension NestedStep {
  var text: String {
    switch self {
    case .key(let key): "[\"\(key)\"]"
    case .index(let index): "[\(index)]"
    case .anyElement: "[*]"
    }
  }
}

extension Int {
  /// With commas between groups of three digits.
  var grouped: String {
    var text = ""
    for (place, digit) in String(magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}
