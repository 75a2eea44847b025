import QueryEngine
import Storage

// Conditions as they are stored in the file.
extension SubscriptionCondition {
  /// The bytes that are stored.
  package var encoded: [UInt8] {
    var writer = StateWriter()
    append(to: &writer)
    return writer.bytes
  }

  /// Reads what `encoded` wrote; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard let condition = Self.read(&reader), reader.isAtEnd else { return nil }
    self = condition
  }

  private func append(to writer: inout StateWriter) {
    switch self {
    case .constant(let answer):
      writer.append(0)
      writer.append(answer ? 1 : 0)
    case .and(let operands):
      writer.append(1)
      writer.append(operands) { $1.append(to: &$0) }
    case .or(let operands):
      writer.append(2)
      writer.append(operands) { $1.append(to: &$0) }
    case .not(let operand):
      writer.append(3)
      operand.append(to: &writer)
    case .value(let value, let condition):
      writer.append(4)
      writer.append(value.property)
      writer.append(value.isKeyOfTarget ? 1 : 0)
      writer.append(condition)
    }
  }

  private static func read(_ reader: inout StateReader) -> SubscriptionCondition? {
    switch reader.readInteger() {
    case 0: return reader.readInteger().map { .constant($0 != 0) }
    case 1: return reader.readList { read(&$0) }.map { .and($0) }
    case 2: return reader.readList { read(&$0) }.map { .or($0) }
    case 3: return read(&reader).map { .not($0) }
    case 4:
      guard let property = reader.readText(), let isKey = reader.readInteger(),
        let condition = reader.readCondition()
      else { return nil }
      return .value(SubscribedValue(property, isKeyOfTarget: isKey != 0), condition)
    default: return nil
    }
  }
}

private let relations: [RelationalOperator] = [
  .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
]
private let textOperations: [TextOperator] = [.equal, .notEqual, .beginsWith, .endsWith, .contains, .like]

extension StateWriter {
  fileprivate mutating func append(_ condition: ValueCondition) {
    switch condition {
    case .compare(let comparison, let constant):
      append(Int64(0))
      append(Int64(relations.firstIndex(of: comparison)!))
      append(constant)
    case .between(let lower, let upper):
      append(Int64(1))
      append(lower)
      append(upper)
    case .isIn(let constants), .isInFolded(let constants):
      append(Int64(2))
      append(constants.values) { $0.append($1) }
    case .text(let text):
      append(Int64(3))
      append(Int64(textOperations.firstIndex(of: text.operation) ?? textOperations.count))
      append(text.pattern.map { [$0] } ?? []) { $0.append($1) }
    case .negated(let inner):
      append(Int64(4))
      append(inner)
    }
  }

  fileprivate mutating func append(_ value: Value) {
    switch value {
    case .int(let number):
      append(Int64(1))
      append(number)
    case .bool(let flag):
      append(Int64(2))
      append(flag ? 1 : 0)
    case .float(let number):
      append(Int64(3))
      append(Int64(number.bitPattern))
    case .double(let number):
      append(Int64(4))
      append(Int64(bitPattern: number.bitPattern))
    case .string(let text):
      append(Int64(5))
      append(text)
    case .data(let bytes):
      append(Int64(6))
      append(bytes)
    case .date(let seconds):
      append(Int64(7))
      append(Int64(bitPattern: seconds.bitPattern))
    case .objectId(let id):
      append(Int64(8))
      append(Int64(bitPattern: id.high))
      append(Int64(id.low))
    case .uuid(let id):
      append(Int64(9))
      append(id)
    case .decimal128(let id):
      append(Int64(10))
      append(id)
    case .null, .link, .list, .dictionary: append(Int64(0))
    }
  }

  private mutating func append(_ bytes: Fixed16) {
    append(Int64(bitPattern: bytes.high))
    append(Int64(bitPattern: bytes.low))
  }
}

extension StateReader {
  fileprivate mutating func readCondition() -> ValueCondition? {
    switch readInteger() {
    case 0:
      guard let number = readInteger(), relations.indices.contains(Int(number)), let constant = readValue()
      else { return nil }
      return .compare(relations[Int(number)], constant)
    case 1:
      guard let lower = readValue(), let upper = readValue() else { return nil }
      return .between(lower, upper)
    case 2: return readList { $0.readValue() }.map { .isIn(ConstantSet($0)) }
    case 3:
      guard let number = readInteger(), textOperations.indices.contains(Int(number)),
        let pattern = readList({ $0.readBytes() }), pattern.count < 2
      else { return nil }
      return .text(TextCondition(textOperations[Int(number)], pattern.first))
    case 4: return readCondition().map { .negated($0) }
    default: return nil
    }
  }

  fileprivate mutating func readValue() -> Value? {
    guard let kind = readInteger() else { return nil }
    switch kind {
    case 0: return .null
    case 1: return readInteger().map { .int($0) }
    case 2: return readInteger().map { .bool($0 != 0) }
    case 3: return readInteger().map { .float(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case 4: return readDouble().map { .double($0) }
    case 5: return readText().map { .string($0) }
    case 6: return readBytes().map { .data($0) }
    case 7: return readDouble().map { .date($0) }
    case 8:
      guard let high = readInteger(), let low = readInteger() else { return nil }
      return .objectId(.init(high: UInt64(bitPattern: high), low: UInt32(truncatingIfNeeded: low)))
    case 9: return readFixed16().map { .uuid($0) }
    case 10: return readFixed16().map { .decimal128($0) }
    default: return nil
    }
  }

  private mutating func readDouble() -> Double? {
    readInteger().map { Double(bitPattern: UInt64(bitPattern: $0)) }
  }

  private mutating func readFixed16() -> Fixed16? {
    guard let high = readInteger(), let low = readInteger() else { return nil }
    return Fixed16(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
  }
}
