/// The key of a row in an index over several columns: bytes that sort as the values do, one after the other.
///
/// Each value begins with a byte that says what follows: 1 null; 2 and 3 false and true (and the two least integers); 16…32
/// an integer, 24 being zero, one more for each byte of a positive number, one less for each of a negative one (which are
/// those of the number that is to be added to the lowest of that length); 48 bytes, in which zero is followed by 255, and a
/// zero at the end. The bytes of the first values are a prefix of all keys that begin with them; other keys with this prefix
/// continue with 255, which no value begins with.
package struct CompoundKey: Hashable, Sendable {
  package private(set) var bytes: [UInt8] = []

  static let null: UInt8 = 1
  /// Of the two least keys, which are those of Booleans.
  static let least: UInt8 = 2
  static let zero: UInt8 = 24
  static let text: UInt8 = 48
  /// What follows a zero that does not end a text: more than any value begins with.
  static let escape: UInt8 = 255

  package init() {}

  package init(_ parts: some Sequence<IndexKey>) {
    for part in parts { append(part) }
  }

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func append(_ part: IndexKey) {
    switch part {
    case .null: bytes.append(Self.null)
    case .integer(let key) where key < 2: bytes.append(Self.least + UInt8(key))
    case .integer(let key): append(Int64(bitPattern: key ^ 1 << 63))
    case .bytes(let part): part.withUnsafeBytes { append($0) }
    }
  }

  /// The signed number whose order an integer key keeps.
  private mutating func append(_ number: Int64) {
    let distance = number < 0 ? ~number : number
    let size = number == 0 ? 0 : (64 - (distance | 1).leadingZeroBitCount + 7) / 8
    bytes.append(number < 0 ? Self.zero - UInt8(size) : Self.zero + UInt8(size))
    for byte in stride(from: (size - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> byte))
    }
  }

  package mutating func append(_ part: UnsafeRawBufferPointer) {
    bytes.append(Self.text)
    for byte in part {
      bytes.append(byte)
      if byte == 0 { bytes.append(Self.escape) }
    }
    bytes.append(0)
  }

  package var indexKey: IndexKey { .bytes(bytes) }

  /// The keys that begin with these values.
  package var beginning: IndexRange {
    IndexRange(from: .bytes(bytes), upTo: .bytes(bytes + [Self.escape]))
  }

  /// The keys that begin with these values, and whose next value is in a range.
  package func range(next range: IndexRange) -> IndexRange {
    // The keys whose next value is a bound come after those with lesser ones, and before those with greater ones.
    let lower = range.lower.map { appending($0).beginning }
    let upper = range.upper.map { appending($0).beginning }
    return IndexRange(
      from: lower.map { range.includesLower ? $0.lower : $0.upper } ?? beginning.lower,
      upTo: upper.map { range.includesUpper ? $0.upper : $0.lower } ?? beginning.upper)
  }

  /// The length of so many values at the beginning of a key.
  static func length(ofParts count: Int, in key: UnsafeRawBufferPointer) -> Int {
    var place = 0
    for _ in 0..<count where place < key.count {
      let tag = key[place]
      place += 1
      if tag == text {
        while place < key.count {
          place += 1
          if key[place - 1] != 0 { continue }
          if place == key.count || key[place] != escape { break }
          place += 1
        }
      } else if tag > least + 1 {
        place += abs(Int(tag) - Int(zero))
      }
    }
    return min(place, key.count)
  }

  private func appending(_ part: IndexKey) -> CompoundKey {
    var key = self
    key.append(part)
    return key
  }
}
