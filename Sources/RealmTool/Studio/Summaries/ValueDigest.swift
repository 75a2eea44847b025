import Storage

/// Distinguishes the values of a property without a copy of them, long ones by a hash of 64 bits.
struct ValueDigest: Hashable {
  private let word: UInt64
  private let count: Int

  /// The value of a property that is no collection and not null.
  init(_ table: Table, _ number: Int, _ row: Int, _ type: ValueType) {
    switch type {
    case .int, .link: self.init(word: UInt64(bitPattern: table.integer(number, row)))
    case .bool: self.init(word: table.bool(number, row) ? 1 : 0)
    case .float: self.init(number: Double(table.float(number, row)))
    case .double, .date: self.init(number: table.double(number, row))
    case .string, .data, .mixed:
      self = table.withBytes(number, row) { ValueDigest(word: ContentHash.of($0), count: $0.count) }
    case .objectId: self = Self.fixed(12, table.fixed12(number, row))
    case .uuid, .decimal128: self = Self.fixed(16, table.fixed16(number, row))
    }
  }

  init(word: UInt64, count: Int = 8) {
    self.word = word
    self.count = count
  }

  /// Zeros are equal, whatever their sign.
  init(number: Double) { self.init(word: (number == 0 ? 0 : number).bitPattern) }

  private static func fixed(_ size: Int, _ address: UnsafeRawPointer) -> ValueDigest {
    ValueDigest(word: ContentHash.of(UnsafeRawBufferPointer(start: address, count: size)), count: size)
  }
}
