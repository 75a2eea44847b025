// Mixed values as bytes: a tag, then the payload. The tag is the value type's raw value; that of a list or dictionary is in its
// `NestedHeader`. A null at top level is in the chunk's null bitmap and has no bytes, a null inside a collection has the tag 255.
extension Value {
  static let nullTag: UInt8 = 255

  /// Decodes a mixed value; damaged bytes give null.
  package init(mixed bytes: UnsafeRawBufferPointer) {
    if NestedHeader.begins(bytes) {
      self = NestedDecoding.value(bytes)
    } else {
      var reader = ByteReader(bytes)
      self = Value(scalar: &reader) ?? .null
    }
  }

  /// Decodes a mixed value that is no list and no dictionary.
  init?(scalar reader: inout ByteReader) {
    guard let tag = reader.read(UInt8.self) else { return nil }
    switch tag {
    case Value.nullTag: self = .null
    default:
      guard let type = ValueType(rawValue: tag), let value = Value(type, &reader) else { return nil }
      self = value
    }
  }

  private init?(_ type: ValueType, _ reader: inout ByteReader) {
    switch type {
    case .int:
      guard let number = reader.read(Int64.self) else { return nil }
      self = .int(number)
    case .bool:
      guard let byte = reader.read(UInt8.self) else { return nil }
      self = .bool(byte != 0)
    case .float:
      guard let bits = reader.read(UInt32.self) else { return nil }
      self = .float(Float(bitPattern: bits))
    case .double, .date:
      guard let bits = reader.read(UInt64.self) else { return nil }
      let number = Double(bitPattern: bits)
      self = type == .date ? .date(number) : .double(number)
    case .string:
      self = .string(String(decoding: reader.readRest(), as: UTF8.self))
    case .data:
      self = .data(Array(reader.readRest()))
    case .objectId:
      guard let bytes = reader.readBytes(12) else { return nil }
      self = .objectId(Fixed12(bytes.baseAddress!))
    case .decimal128, .uuid:
      guard let bytes = reader.readBytes(16) else { return nil }
      let fixed = Fixed16(bytes.baseAddress!)
      self = type == .uuid ? .uuid(fixed) : .decimal128(fixed)
    case .link:
      guard let table = reader.read(UInt32.self), let row = reader.read(UInt64.self) else { return nil }
      self = .link(table: Int(table), row: Int(row))
    case .mixed: return nil
    }
  }

  /// The bytes of the value as a mixed one, without identities of lists and dictionaries: equal values have equal bytes.
  package var mixedBytes: [UInt8] { mixedBytes { nil } }

  /// The bytes of the value as it is stored in a mixed column.
  ///
  /// - Parameter identity: Returns the identity of the next list or dictionary. Each comes before those in it.
  package func mixedBytes(identifiedBy identity: () -> UInt64?) -> [UInt8] {
    var writer = ByteWriter()
    if isCollection {
      NestedEncoding.append(self, to: &writer, identity)
    } else {
      append(to: &writer)
    }
    return writer.bytes
  }

  /// The bytes of a value that differs from a stored one in values that are no collections, each list and dictionary
  /// with the identity that it has there.
  func mixedBytes(keepingIdentitiesOf stored: MixedView) -> [UInt8] {
    var identities = stored.identities.makeIterator()
    return mixedBytes { identities.next() ?? nil }
  }

  /// Whether the value is a list or dictionary.
  package var isCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }

  /// Writes a value that is no list and no dictionary.
  func append(to writer: inout ByteWriter) {
    func tag(_ type: ValueType) { writer.append(type.rawValue) }
    func fixed(_ size: Int, _ store: (UnsafeMutableRawPointer) -> Void) {
      withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
        store(buffer.baseAddress!)
        writer.bytes.append(contentsOf: buffer)
      }
    }
    switch self {
    case .null: writer.append(Value.nullTag)
    case .int(let number):
      tag(.int)
      writer.append(number)
    case .bool(let flag):
      tag(.bool)
      writer.append(UInt8(flag ? 1 : 0))
    case .float(let number):
      tag(.float)
      writer.append(number.bitPattern)
    case .double(let number):
      tag(.double)
      writer.append(number.bitPattern)
    case .date(let number):
      tag(.date)
      writer.append(number.bitPattern)
    case .string(let string):
      tag(.string)
      writer.bytes.append(contentsOf: string.utf8)
    case .data(let data):
      tag(.data)
      writer.bytes.append(contentsOf: data)
    case .objectId(let id):
      tag(.objectId)
      fixed(12, id.store)
    case .uuid(let uuid):
      tag(.uuid)
      fixed(16, uuid.store)
    case .decimal128(let decimal):
      tag(.decimal128)
      fixed(16, decimal.store)
    case .link(let table, let row):
      tag(.link)
      writer.append(UInt32(table))
      writer.append(UInt64(row))
    case .list, .dictionary: preconditionFailure("written by NestedEncoding")
    }
  }
}

extension ByteReader {
  mutating func readRest() -> UnsafeRawBufferPointer {
    readBytes(remaining) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
