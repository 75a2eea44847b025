/// A place in the keys of an index over several columns. Each is compared by itself with what its column says, which
/// together says that the keys are right, since a row has one.
struct KeyPart: Hashable {
  let index: UInt32
  let position: Int

  /// All places where a column is.
  static func all(ofTable table: Int, column: Int, _ catalogue: Catalogue) -> [KeyPart] {
    catalogue.tables[table].indexes.compactMap { index in
      index.columns.firstIndex(of: column).map {
        KeyPart(index: IndexNumber.compound(table: table, index), position: $0)
      }
    }
  }
}

extension IndexKey {
  /// The values in a key over several columns; nil when it is none.
  var parts: [IndexKey]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes.withUnsafeBytes { CompoundKey.parts(of: $0) }
  }
}

extension CompoundKey {
  /// The values in a key; nil when the bytes are no key.
  static func parts(of bytes: UnsafeRawBufferPointer) -> [IndexKey]? {
    var parts: [IndexKey] = []
    var place = 0
    while place < bytes.count {
      let tag = bytes[place]
      place += 1
      switch tag {
      case null: parts.append(.null)
      case least, least + 1: parts.append(.integer(UInt64(tag - least)))
      case zero - 8...zero + 8:
        let size = abs(Int(tag) - Int(zero))
        guard place + size <= bytes.count else { return nil }
        var number: Int64 = tag < zero ? -1 : 0
        for byte in bytes[place..<place + size] { number = number << 8 | Int64(byte) }
        parts.append(IndexKey(number))
        place += size
      case text:
        guard let part = text(of: bytes, &place) else { return nil }
        parts.append(.bytes(part))
      default: return nil
      }
    }
    return parts
  }

  private static func text(of bytes: UnsafeRawBufferPointer, _ place: inout Int) -> [UInt8]? {
    var part: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte != 0 {
        part.append(byte)
      } else if place < bytes.count, bytes[place] == escape {
        part.append(0)
        place += 1
      } else {
        return part
      }
    }
    return nil
  }
}
