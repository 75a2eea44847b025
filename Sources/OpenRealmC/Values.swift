public import COpenRealm
import LibC
import RealmSwift
import Storage

// values.h: values on their way into a realm and out of it.

extension openrealm_object {
  init(_ object: NumberedObject) {
    self.init(class_number: Int32(truncatingIfNeeded: object.classNumber), row: Int64(object.row))
  }

  var numbered: NumberedObject { NumberedObject(classNumber: Int(class_number), row: Int(row)) }
}

// MARK: Into a realm

extension NumberedValue {
  /// A value that a program passes. Its bytes stay the program's.
  @inline(__always)
  init(_ value: openrealm_value) throws(Refusal) {
    switch Int(value.type) {
    case Int(OPENREALM_INT): self = .int(value.as.integer)
    case Int(OPENREALM_STRING): self = .string(try value.as.bytes.checked)
    case Int(OPENREALM_DOUBLE): self = .double(value.as.number)
    default: try self.init(rarer: value)
    }
  }

  @inline(never)
  private init(rarer value: openrealm_value) throws(Refusal) {
    switch Int(value.type) {
    case Int(OPENREALM_NULL): self = .null
    // A program may have put any byte there, and Swift's Boolean has two values only.
    case Int(OPENREALM_BOOL): self = .bool(withUnsafeBytes(of: value.as) { $0[0] != 0 })
    case Int(OPENREALM_DATA): self = .data(try value.as.bytes.checked)
    case Int(OPENREALM_DATE): self = .date(try value.as.date.secondsSince2001)
    case Int(OPENREALM_FLOAT): self = .float(value.as.single)
    case Int(OPENREALM_OBJECT): self = .object(value.as.object.numbered)
    case Int(OPENREALM_OBJECT_ID): self = .objectId(value.as.object_id.fixed)
    case Int(OPENREALM_DECIMAL128): self = .decimal128(value.as.decimal128.fixed)
    case Int(OPENREALM_UUID): self = .uuid(value.as.uuid.fixed)
    case Int(OPENREALM_LIST_VALUE), Int(OPENREALM_MAP_VALUE):
      if value.as.collection != nil {
        throw Refusal(
          .badArgument,
          "A nested list or map is passed empty, as openrealm_empty_list and openrealm_empty_map make it: its elements are inserted afterwards."
        )
      }
      self = Int(value.type) == Int(OPENREALM_LIST_VALUE) ? .list : .map
    case Int(OPENREALM_REGION):
      throw Refusal(.badArgument, "A region is an argument of queries, and no value that can be stored.")
    default: throw Refusal(.badArgument, "A value has the unknown type \(value.type).")
    }
  }

  /// The value at an address that may be NULL.
  static func at(_ value: UnsafePointer<openrealm_value>?) throws(Refusal) -> NumberedValue {
    guard let value else { throw .null }
    return try NumberedValue(value.pointee)
  }
}

extension openrealm_bytes {
  /// The bytes, unless there should be some at NULL.
  var checked: UnsafeRawBufferPointer {
    get throws(Refusal) { try checkedBytes(UnsafeRawPointer(bytes), size) }
  }
}

/// Bytes that a program passes.
@inline(__always)
func checkedBytes(_ start: UnsafeRawPointer?, _ size: Int) throws(Refusal) -> UnsafeRawBufferPointer {
  if size < 0 || (start == nil && size > 0) { throw wrongBytes }
  return UnsafeRawBufferPointer(start: start, count: size)
}

private var wrongBytes: Refusal {
  Refusal(.badArgument, "The address of bytes is NULL although their number is not 0, or it is impossible.")
}

/// A text of a program that ends with a zero byte.
func checkedText(_ text: UnsafePointer<CChar>?) throws(Refusal) -> String {
  guard let text else { throw .null }
  guard let text = String(validatingCString: text) else {
    throw Refusal(.invalidValue, "A text is not UTF-8.")
  }
  return text
}

// MARK: Out of a realm

extension openrealm_value {
  /// A null, which is what values are before they are filled.
  static var null: openrealm_value {
    var value = openrealm_value()
    value.type = Int32(OPENREALM_NULL)
    return value
  }

  /// A stored value, with copies of its bytes. Nested lists and maps have no collection yet.
  init(_ stored: Storage.Value) throws(Refusal) {
    self = .null
    switch stored {
    case .null: break
    case .int(let number):
      type = Int32(OPENREALM_INT)
      `as`.integer = number
    case .bool(let flag):
      type = Int32(OPENREALM_BOOL)
      `as`.boolean = flag
    case .float(let number):
      type = Int32(OPENREALM_FLOAT)
      `as`.single = number
    case .double(let number):
      type = Int32(OPENREALM_DOUBLE)
      `as`.number = number
    case .string(var text):
      type = Int32(OPENREALM_STRING)
      try copy(text.withUTF8 { HeapBytes.copy(UnsafeRawBufferPointer($0)) })
    case .data(let bytes):
      type = Int32(OPENREALM_DATA)
      try copy(bytes.withUnsafeBytes { HeapBytes.copy($0) })
    case .date(let seconds):
      type = Int32(OPENREALM_DATE)
      `as`.date = openrealm_date(secondsSince2001: seconds)
    case .objectId(let id):
      type = Int32(OPENREALM_OBJECT_ID)
      `as`.object_id = openrealm_object_id(id)
    case .decimal128(let number):
      type = Int32(OPENREALM_DECIMAL128)
      `as`.decimal128 = openrealm_decimal128(number)
    case .uuid(let uuid):
      type = Int32(OPENREALM_UUID)
      `as`.uuid = openrealm_uuid(uuid)
    case .link(let table, let row):
      type = Int32(OPENREALM_OBJECT)
      `as`.object = openrealm_object(NumberedObject(classNumber: table, row: row))
    case .list: type = Int32(OPENREALM_LIST_VALUE)
    case .dictionary: type = Int32(OPENREALM_MAP_VALUE)
    }
  }

  /// A string with a copy of a text.
  init(text: String) throws(Refusal) { try self.init(.string(text)) }

  private mutating func copy(_ bytes: openrealm_bytes?) throws(Refusal) {
    guard let bytes else { throw Refusal(.error, "There is not enough memory for a value.") }
    `as`.bytes = bytes
    memory = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.bytes))
  }

  /// Makes the value that of a nested collection, whose handle belongs to the value.
  mutating func hold(_ collection: OpaquePointer) {
    `as`.collection = collection
    memory = UnsafeMutableRawPointer(collection)
  }
}

private enum HeapBytes {
  /// A copy that `free` takes, with a zero byte behind it. Nil when there is no memory.
  static func copy(_ bytes: UnsafeRawBufferPointer) -> openrealm_bytes? {
    guard let copy = malloc(bytes.count + 1) else { return nil }
    if let start = bytes.baseAddress { memcpy(copy, start, bytes.count) }
    copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return openrealm_bytes(
      bytes: UnsafePointer(copy.assumingMemoryBound(to: CChar.self)), size: bytes.count)
  }
}

@c @implementation public func openrealm_value_clear(_ value: UnsafeMutablePointer<openrealm_value>?) {
  guard let value else { return }
  let memory = value.pointee.memory
  switch Int(value.pointee.type) {
  case Int(OPENREALM_LIST_VALUE), Int(OPENREALM_MAP_VALUE): openrealm_release(memory)
  case Int(OPENREALM_STRING), Int(OPENREALM_DATA): free(memory)
  default: break
  }
  value.pointee = .null
}

// MARK: Dates

extension openrealm_date {
  /// Seconds from 1970-01-01 to 2001-01-01.
  private static let reference: Int64 = 978_307_200

  /// Seconds since 2001-01-01, the nearest number to the date.
  var secondsSince2001: Double {
    get throws(Refusal) {
      guard 0..<1_000_000_000 ~= nanoseconds else {
        throw Refusal(.invalidValue, "The nanoseconds of a date are \(nanoseconds), and not 0 to 999999999.")
      }
      let (difference, overflows) = seconds.subtractingReportingOverflow(Self.reference)
      let whole = overflows ? Double(seconds) - Double(Self.reference) : Double(difference)
      return whole + Double(nanoseconds) / 1e9
    }
  }

  /// The date of a number of seconds since 2001-01-01. What is beyond the range becomes its end, and no number the earliest date.
  init(secondsSince2001 seconds: Double) {
    let whole = seconds.rounded(.down)
    guard let number = Int64(exactly: whole), !number.addingReportingOverflow(Self.reference).overflow else {
      self.init(seconds: seconds > 0 ? .max : .min, nanoseconds: 0)
      return
    }
    let nanoseconds = Int32(((seconds - whole) * 1e9).rounded())
    let carries = nanoseconds == 1_000_000_000
    let (sum, overflows) = (number + Self.reference).addingReportingOverflow(carries ? 1 : 0)
    self.init(
      seconds: overflows ? .max : sum, nanoseconds: carries ? (overflows ? 999_999_999 : 0) : nanoseconds)
  }
}

// MARK: Values of fixed size

extension openrealm_object_id {
  init(_ fixed: Fixed12) {
    self.init()
    withUnsafeMutableBytes(of: &self) { fixed.store(to: $0.baseAddress!) }
  }

  var fixed: Fixed12 { withUnsafeBytes(of: self) { Fixed12($0.baseAddress!) } }
}

extension openrealm_uuid {
  init(_ fixed: Fixed16) {
    self.init()
    withUnsafeMutableBytes(of: &self) { fixed.store(to: $0.baseAddress!) }
  }

  var fixed: Fixed16 { withUnsafeBytes(of: self) { Fixed16($0.baseAddress!) } }
}

extension openrealm_decimal128 {
  // The storage keeps the bytes with the least significant first, and reads them as if it were the most significant.
  init(_ fixed: Fixed16) { self.init(low: fixed.high.byteSwapped, high: fixed.low.byteSwapped) }

  var fixed: Fixed16 { Fixed16(high: low.byteSwapped, low: high.byteSwapped) }
}

@c @implementation public func openrealm_object_id_new() -> openrealm_object_id {
  openrealm_object_id(NumberedText.newObjectId())
}

@c @implementation public func openrealm_object_id_parse(
  _ text: UnsafePointer<CChar>?, _ objectId: UnsafeMutablePointer<openrealm_object_id>?
) -> Int32 {
  code { () throws(Refusal) in
    guard let text, let objectId else { throw .null }
    guard let fixed = String(validatingCString: text).flatMap({ NumberedText.objectId($0) }) else {
      throw Refusal(.badArgument, "The text is no object id: 24 hexadecimal digits are needed.")
    }
    objectId.pointee = openrealm_object_id(fixed)
  }
}

@c @implementation public func openrealm_decimal128_parse(
  _ text: UnsafePointer<CChar>?, _ number: UnsafeMutablePointer<openrealm_decimal128>?
) -> Int32 {
  code { () throws(Refusal) in
    guard let text, let number else { throw .null }
    guard let fixed = String(validatingCString: text).flatMap({ NumberedText.decimal128($0) }) else {
      throw Refusal(.badArgument, "The text is no number.")
    }
    number.pointee = openrealm_decimal128(fixed)
  }
}

@c @implementation public func openrealm_decimal128_print(
  _ number: openrealm_decimal128, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
  let printed = Array(NumberedText.text(decimal128: number.fixed).utf8)
  if let text, capacity > 0 {
    for (index, byte) in printed.prefix(capacity - 1).enumerated() { text[index] = CChar(bitPattern: byte) }
    text[min(printed.count, capacity - 1)] = 0
  }
  return printed.count
}
