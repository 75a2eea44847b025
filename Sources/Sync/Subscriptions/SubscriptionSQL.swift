import QueryEngine
import Storage

/// Writes conditions of subscriptions as SQL on the columns that a class and its departures have both.
///
/// The result of each part is true or false, never null, because the engine knows no third truth value. All texts of the
/// program become literals of `SQLText`.
package struct SubscriptionSQL {
  private let syncClass: SyncClass
  private let routing: Set<String>

  /// - Parameter routing: The names of the routing properties of the class on the server.
  package init(_ syncClass: SyncClass, routing: Set<String>) {
    self.syncClass = syncClass
    self.routing = routing
  }

  /// Returns the condition on the columns of the alias `t`.
  ///
  /// - Throws: `SubscriptionRefusal` for properties that are no routing properties.
  package func text(_ condition: SubscriptionCondition) throws -> String {
    switch condition {
    case .constant(let answer): return answer ? "true" : "false"
    case .and(let operands): return try joined(operands, " and ", whenEmpty: "true")
    case .or(let operands): return try joined(operands, " or ", whenEmpty: "false")
    case .not(let operand): return "(not \(try text(operand)))"
    case .value(let value, let condition):
      return try ColumnCondition(column(of: value), value.property).text(condition)
    }
  }

  private func joined(
    _ operands: [SubscriptionCondition], _ separator: String, whenEmpty: String
  ) throws -> String {
    if operands.isEmpty { return whenEmpty }
    return "(" + (try operands.map(text).joined(separator: separator)) + ")"
  }

  private func column(of value: SubscribedValue) throws -> SyncProperty {
    guard let property = syncClass[value.property] else {
      throw SubscriptionRefusal(
        "'\(syncClass.name).\(value.property)' is not synchronised, so that no subscription can use it.")
    }
    if property.number != 0 && !routing.contains(property.name) {
      let known = ([syncClass.key.name] + routing.sorted()).map { "'\($0)'" }.joined(separator: ", ")
      throw SubscriptionRefusal(
        "'\(syncClass.name).\(property.name)' is no routing property of the database, so that no subscription can use it. "
          + "Subscriptions to '\(syncClass.name)' can use \(known). A class gets its routing properties when its table is "
          + "created: use one of these, or add a class that has its own.")
    }
    return property
  }
}

/// Conditions on one column.
private struct ColumnCondition {
  let column: String
  let type: ServerType
  let property: String

  init(_ property: SyncProperty, _ name: String) {
    column = "t.\(SQLText.identifier(property.name))"
    type = property.type
    self.property = name
  }

  func text(_ condition: ValueCondition) throws -> String {
    switch condition {
    case .compare(let comparison, let constant): return try compare(comparison, constant)
    case .between(let lower, let upper):
      return "(\(try compare(.greaterOrEqual, lower)) and \(try compare(.lessOrEqual, upper)))"
    case .isIn(let constants): return try isIn(constants.values)
    case .text(let text): return try search(text)
    case .negated(let inner): return "(not \(try text(inner)))"
    case .isInFolded: throw refusal
    }
  }

  private var refusal: SubscriptionRefusal {
    SubscriptionRefusal("The server cannot compare '\(property)' in this way.")
  }

  /// Null equals null, and is unequal to everything else. NaN is unequal to all, also to itself.
  private func compare(_ comparison: RelationalOperator, _ constant: Value) throws -> String {
    if constant.isNull {
      switch comparison {
      case .equal, .lessOrEqual, .greaterOrEqual: return "(\(column) is null)"
      case .notEqual: return "(\(column) is not null)"
      case .less, .greater: return "false"
      }
    }
    if constant.isNotANumber { return comparison == .notEqual ? "true" : "false" }
    if case .date(let seconds) = constant, type == .timestamp { return compare(comparison, date: seconds) }
    let literal = try literal(constant)
    switch comparison {
    case .equal: return present("\(column) = \(literal)")
    case .notEqual: return "(\(column) is null or \(column) <> \(literal))"
    case .less: return present("\(column) < \(literal)")
    case .lessOrEqual: return present("\(column) <= \(literal)")
    case .greater: return present("\(column) > \(literal)\(isNumber)")
    case .greaterOrEqual: return present("\(column) >= \(literal)\(isNumber)")
    }
  }

  /// PostgreSQL takes NaN for the greatest number.
  private var isNumber: String {
    switch type {
    case .real, .double, .numeric: " and \(column) <> 'NaN'::\(type.name)"
    default: ""
    }
  }

  private func present(_ condition: String) -> String { "(\(column) is not null and \(condition))" }

  /// The server has dates in microseconds. A constant between two of them equals none.
  private func compare(_ comparison: RelationalOperator, date seconds: Double) -> String {
    guard let microseconds = try? ServerDate.microseconds(seconds) else {
      // Beyond all dates of the server but the infinities.
      let isLater = seconds > 0
      return compare(comparison, beside: isLater ? .max : .min, isConstantLater: !isLater)
    }
    let rounded = ServerDate.seconds(microseconds)
    if rounded != seconds {
      return compare(comparison, beside: microseconds, isConstantLater: rounded < seconds)
    }
    let literal = literal(microseconds: microseconds)
    switch comparison {
    case .equal: return present("\(column) = \(literal)")
    case .notEqual: return "(\(column) is null or \(column) <> \(literal))"
    case .less: return present("\(column) < \(literal)")
    case .lessOrEqual: return present("\(column) <= \(literal)")
    case .greater: return present("\(column) > \(literal)")
    case .greaterOrEqual: return present("\(column) >= \(literal)")
    }
  }

  /// Compares with a constant directly before or after a date of the server.
  private func compare(
    _ comparison: RelationalOperator, beside microseconds: Int64, isConstantLater: Bool
  ) -> String {
    let literal = literal(microseconds: microseconds)
    switch comparison {
    case .equal: return "false"
    case .notEqual: return "true"
    case .less, .lessOrEqual: return present("\(column) \(isConstantLater ? "<=" : "<") \(literal)")
    case .greater, .greaterOrEqual: return present("\(column) \(isConstantLater ? ">" : ">=") \(literal)")
    }
  }

  private func literal(microseconds: Int64) -> String {
    if microseconds == .max { return "'infinity'::timestamptz" }
    if microseconds == .min { return "'-infinity'::timestamptz" }
    return "('2000-01-01 00:00:00+00'::timestamptz + '\(microseconds) microseconds'::interval)"
  }

  private func isIn(_ constants: [Value]) throws -> String {
    var literals: [String] = []
    for constant in constants where !constant.isNull && !constant.isNotANumber {
      if case .date(let seconds) = constant, type == .timestamp {
        guard let microseconds = try? ServerDate.microseconds(seconds),
          ServerDate.seconds(microseconds) == seconds
        else { continue }
        literals.append(literal(microseconds: microseconds))
      } else {
        literals.append(try literal(constant))
      }
    }
    var parts: [String] = []
    if !literals.isEmpty { parts.append(present("\(column) in (\(literals.joined(separator: ", ")))")) }
    if constants.contains(where: \.isNull) { parts.append("(\(column) is null)") }
    return parts.isEmpty ? "false" : "(\(parts.joined(separator: " or ")))"
  }

  private func search(_ text: TextCondition) throws -> String {
    guard let pattern = text.pattern else {
      switch text.operation {
      case .like: return "(\(column) is null)"
      case .notEqual: return "(\(column) is not null)"
      default: return "false"
      }
    }
    let constant: Value =
      type == .bytea ? .data(pattern) : .string(String(decoding: pattern, as: UTF8.self))
    switch text.operation {
    case .equal: return try compare(.equal, constant)
    case .notEqual: return try compare(.notEqual, constant)
    case .like:
      guard type == .text else { throw refusal }
      return present("\(column) like \(SQLText.literal(Self.likePattern(pattern)))")
    case .fullText: throw refusal
    default: return try searchPart(text.operation, constant, bytes: pattern.count)
    }
  }

  private func searchPart(_ operation: TextOperator, _ constant: Value, bytes: Int) throws -> String {
    let literal = try literal(constant)
    // No value contains an empty text.
    if bytes == 0 { return "false" }
    switch (operation, type) {
    case (.beginsWith, .text): return present("starts_with(\(column), \(literal))")
    case (.endsWith, .text): return present("right(\(column), char_length(\(literal))) = \(literal)")
    case (.contains, .text): return present("strpos(\(column), \(literal)) > 0")
    case (.beginsWith, .bytea): return present("substring(\(column) from 1 for \(bytes)) = \(literal)")
    case (.endsWith, .bytea):
      return present(
        "octet_length(\(column)) >= \(bytes) and substring(\(column) from octet_length(\(column)) - \(bytes - 1)) = \(literal)"
      )
    case (.contains, .bytea): return present("position(\(literal) in \(column)) > 0")
    default: throw refusal
    }
  }

  /// The pattern of SQL's LIKE, which has other wildcards, and a character that escapes them.
  private static func likePattern(_ pattern: [UInt8]) -> String {
    var result = ""
    for scalar in String(decoding: pattern, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "*": result += "%"
      case "?": result += "_"
      case "%", "_", "\\":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private func literal(_ constant: Value) throws -> String {
    guard let text = constant.serverText(type) else { throw refusal }
    return "\(SQLText.literal(text))::\(type.name)"
  }
}

extension Value {
  /// Whether the value is unequal to all values, itself included.
  fileprivate var isNotANumber: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number), .date(let number): number.isNaN
    case .decimal128(let decimal): DecimalParts(decimal).kind == .notANumber
    default: false
    }
  }

  /// The value as PostgreSQL's input function of a type reads it; nil when it is not of the type.
  fileprivate func serverText(_ type: ServerType) -> String? {
    switch (self, type) {
    case (.int(let number), .bigint): return String(number)
    case (.bool(let flag), .boolean): return flag ? "true" : "false"
    case (.float(let number), .real): return number.isInfinite ? Self.infinity(number < 0) : "\(number)"
    case (.double(let number), .double): return number.isInfinite ? Self.infinity(number < 0) : "\(number)"
    case (.string(let text), .text): return text.utf8.contains(0) ? nil : text
    case (.data(let bytes), .bytea): return "\\x" + KeyText.hexadecimal(bytes)
    case (.objectId, .objectId): return "\\x" + KeyText.text(of: self)
    case (.uuid, .uuid): return KeyText.text(of: self)
    case (.decimal128(let decimal), .numeric):
      let parts = DecimalParts(decimal)
      if parts.kind == .infinity { return Self.infinity(parts.isNegative) }
      return "\(parts.isNegative ? "-" : "")\(parts.coefficient)E\(parts.exponent)"
    default: return nil
    }
  }

  private static func infinity(_ isNegative: Bool) -> String { isNegative ? "-Infinity" : "Infinity" }
}
