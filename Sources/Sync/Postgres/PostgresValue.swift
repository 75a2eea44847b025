package import Storage

/// A parameter of a statement.
package enum PostgresValue: Sendable {
  /// Null, of any type.
  case null
  /// A text from which the server reads a value of the type that the statement expects.
  case text(String)
  /// A `bigint`.
  case integer(Int64)
  /// A value of a realm file in the binary format.
  case value(Value, ServerType)
  /// An array of values of a realm file in the binary format.
  case array([Value], ServerType)

  /// An array of the type `bigint[]`.
  package static func integers(_ numbers: [Int64?]) -> PostgresValue {
    .array(numbers.map { $0.map(Value.int) ?? .null }, .bigint)
  }

  /// An array of the type `text[]`.
  package static func texts(_ texts: [String]) -> PostgresValue { .array(texts.map(Value.string), .text) }
}

extension PostgresValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int64) { self = .integer(number) }
  package init(nilLiteral: ()) { self = .null }
}

/// The parameters of a statement as libpq takes them.
struct EncodedParameters {
  private(set) var types: [UInt32] = []
  private(set) var formats: [Int32] = []
  /// Where each begins in `bytes`; nil for null.
  private var positions: [Int?] = []
  private let bytes = EncodedBytes(capacity: 256)

  init(_ values: [PostgresValue]) throws(PostgresError) {
    for (index, value) in values.enumerated() {
      do {
        try append(value)
      } catch {
        throw PostgresError("Parameter \(index + 1): \(error)", sqlState: "22000")
      }
    }
  }

  private mutating func append(_ value: PostgresValue) throws(UnsendableValue) {
    switch value {
    case .null, .value(.null, _): append(type: 0, isBinary: false, at: nil)
    case .text(let text):
      let position = bytes.count
      try BinaryFormat.append(text, to: bytes)
      // What libpq takes as text ends with a zero.
      bytes.append(UInt8(0))
      append(type: 0, isBinary: false, at: position)
    case .integer(let number):
      append(type: 20, isBinary: true, at: bytes.count)
      BinaryFormat.append(number, to: bytes)
    case .value(let value, let type):
      let position = bytes.count
      try BinaryFormat.append(value, as: type, to: bytes)
      append(type: type.objectIdentifier, isBinary: true, at: position)
    case .array(let values, let type):
      let position = bytes.count
      try BinaryFormat.append(values, as: type, to: bytes)
      append(type: type.arrayIdentifier, isBinary: true, at: position)
    }
  }

  private mutating func append(type: UInt32, isBinary: Bool, at position: Int?) {
    types.append(type)
    formats.append(isBinary ? 1 : 0)
    positions.append(position)
  }

  /// Calls the body with the addresses of the values, nil for null, and their lengths.
  func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?], [Int32]) -> Result
  ) -> Result {
    bytes.withBytes { bytes in
      let pointers = positions.map { position in
        position.map { (bytes.baseAddress! + $0 + 4).assumingMemoryBound(to: CChar.self) }
      }
      let lengths = positions.map { position in
        position.map { Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self)) } ?? 0
      }
      return body(pointers, lengths)
    }
  }
}
