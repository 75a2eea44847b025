public import Foundation

/// A 12-byte identifier that is unique without coordination: the second in which it was created, five bytes
/// that differ from process to process, and a counter.
///
/// ```swift
/// let id = ObjectId.generate()
/// let copy = try ObjectId(string: id.stringValue)
/// print(id == copy)  // true
/// ```
///
/// A persisted property of this type has a generated identifier by default: `@Persisted(primaryKey: true) var
/// id: ObjectId`. Identifiers are ordered by their bytes, and therefore by the second in which they were
/// created.
public final class ObjectId: Sendable {
  // Bytes 0...7 and 8...11, most significant first: integer order is then byte order.
  private let high: UInt64
  private let low: UInt32

  init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Creates the identifier whose twelve bytes are all zero.
  public convenience init() {
    self.init(high: 0, low: 0)
  }

  /// Creates an identifier from its text form.
  ///
  /// - Parameter string: 24 hexadecimal digits, in upper or lower case.
  /// - Throws: `Realm.Error` with the code `.invalidInput` for any other text.
  public convenience init(string: String) throws {
    var string = string
    guard let (high, low) = string.withUTF8(ObjectId.parse) else {
      throw Realm.Error(.invalidInput, ObjectId.invalidText(string))
    }
    self.init(high: high, low: low)
  }

  /// Creates an identifier from a literal, such as `ObjectId("6058f12682b2fbb1f334ef1d")`.
  ///
  /// Stops the program unless the literal consists of 24 hexadecimal digits. For text that is not known at
  /// compile time, use ``init(string:)``.
  public convenience init(_ str: StaticString) {
    guard let (high, low) = str.withUTF8Buffer({ ObjectId.parse($0) }) else {
      trap(ObjectId.invalidText("\(str)"))
    }
    self.init(high: high, low: low)
  }

  /// Creates an identifier from a date, a machine and a process, completed by the counter that ``generate()``
  /// uses.
  ///
  /// - Parameters:
  ///   - timestamp: The date, rounded down to the second. Dates outside 1970-01-01 … 2106-02-07 become the
  ///     nearer limit.
  ///   - machineId: The number of the machine, of which the lower 24 bits are used.
  ///   - processId: The number of the process, of which the lower 16 bits are used.
  public convenience init(timestamp: Date, machineId: Int, processId: Int) {
    let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
    let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
    let origin = machine << 16 | process
    self.init(seconds: ObjectId.seconds(of: timestamp), origin: origin, counter: ObjectIdSource.nextCount())
  }

  /// Lays out an identifier from its three fields of 32, 40 and 24 bits.
  convenience init(seconds: UInt32, origin: UInt64, counter: UInt32) {
    self.init(
      high: UInt64(seconds) << 32 | origin >> 8,
      low: UInt32(truncatingIfNeeded: origin & 0xFF) << 24 | counter & 0xFF_FFFF)
  }

  /// The date in the first four bytes, in whole seconds.
  public var timestamp: Date {
    Date(timeIntervalSince1970: Double(high >> 32))
  }

  /// The twelve bytes as 24 lowercase hexadecimal digits.
  public var stringValue: String {
    String(unsafeUninitializedCapacity: 24) { digits in
      for position in 0..<16 { digits[position] = ObjectId.digit(high >> UInt64(60 - 4 * position)) }
      for position in 0..<8 { digits[16 + position] = ObjectId.digit(UInt64(low >> (28 - 4 * position))) }
      return 24
    }
  }

  /// Seconds since 1970, clamped to what four bytes hold; a date that is not a number counts as 1970.
  static func seconds(of date: Date) -> UInt32 {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    if seconds.isNaN || seconds <= 0 { return 0 }
    return UInt32(exactly: seconds) ?? .max
  }
}

// MARK: - Raw bytes

extension ObjectId {
  /// The number of bytes that ``init(bytes:)`` reads and ``store(to:)`` writes.
  static let byteCount = 12

  /// Reads twelve bytes, at any alignment.
  convenience init(bytes: UnsafeRawPointer) {
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
  }

  /// Writes twelve bytes, at any alignment. Comparing them as unsigned bytes gives the order of `<`.
  func store(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt32.self)
  }
}

// MARK: - Text

extension ObjectId: CustomStringConvertible {
  /// The twelve bytes as hexadecimal digits, equal to ``stringValue``.
  public var description: String { stringValue }

  private static func invalidText(_ string: String) -> String {
    "Invalid Object ID string '\(string)': must be 24 hex digits"
  }

  private static func parse(_ digits: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt32)? {
    guard digits.count == 24 else { return nil }
    var high: UInt64 = 0
    var low: UInt32 = 0
    for position in 0..<24 {
      guard let value = hexadecimalValue(digits[position]) else { return nil }
      if position < 16 { high = high << 4 | UInt64(value) } else { low = low << 4 | UInt32(value) }
    }
    return (high, low)
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The digit for the lowest four bits.
  private static func digit(_ value: UInt64) -> UInt8 {
    let nibble = UInt8(truncatingIfNeeded: value & 0xF)
    return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}

// MARK: - Comparison

extension ObjectId: Comparable, Hashable {
  /// Returns whether both identifiers consist of the same bytes.
  public static func == (lhs: ObjectId, rhs: ObjectId) -> Bool {
    lhs.high == rhs.high && lhs.low == rhs.low
  }

  /// Returns whether the left identifier precedes the right one, compared byte by byte.
  public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool {
    (lhs.high, lhs.low) < (rhs.high, rhs.low)
  }

  /// Returns whether a value is an identifier of the same bytes. False for values of all other types.
  public func isEqual(_ object: Any?) -> Bool { (object as? ObjectId).map { $0 == self } ?? false }

  /// Returns whether this identifier precedes another. The name is that of Objective-C.
  public func isLessThan(_ other: ObjectId) -> Bool { self < other }
  /// Returns whether this identifier precedes another or is equal to it.
  public func isLessThanOrEqual(to other: ObjectId) -> Bool { self <= other }
  /// Returns whether this identifier follows another.
  public func isGreaterThan(_ other: ObjectId) -> Bool { self > other }
  /// Returns whether this identifier follows another or is equal to it.
  public func isGreaterThanOrEqual(to other: ObjectId) -> Bool { self >= other }

  /// Hashes the twelve bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }
}

// MARK: - Codable

extension ObjectId: Codable {
  /// Decodes an identifier from a single string.
  ///
  /// - Throws: `DecodingError.dataCorrupted`, with the underlying `Realm.Error`, if the string does not
  ///   consist of 24 hexadecimal digits.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var string = try container.decode(String.self)
    guard let (high, low) = string.withUTF8(ObjectId.parse) else {
      let text = ObjectId.invalidText(string)
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: text,
          underlyingError: Realm.Error(.invalidInput, text)))
    }
    self.init(high: high, low: low)
  }

  /// Encodes the identifier as a single string of 24 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
