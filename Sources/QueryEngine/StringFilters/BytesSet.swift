import Storage

/// Byte strings that a value may be among, found by length and then by bisection.
struct BytesSet: Sendable {
  /// Ascending, for each length that occurs.
  private let members: [Int: [[UInt8]]]
  /// Whether a length byte of a heap chunk can be that of a member; true for values outside the chunk.
  private let hasLength: [Bool]

  init(_ values: [[UInt8]]) {
    var members: [Int: [[UInt8]]] = [:]
    for value in Set(values) { members[value.count, default: []].append(value) }
    self.members = members.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
    hasLength = (0..<256).map { $0 == longValueMark || members[$0] != nil }
  }

  /// Whether the value whose length byte this is can be a member.
  @inline(__always) func canContain(lengthByte: UInt8) -> Bool { hasLength[Int(lengthByte)] }

  func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let candidates = members[bytes.count] else { return false }
    let place = candidates.indices.partitioningIndex { place in
      candidates[place].withUnsafeBytes { $0.order(bytes) >= 0 }
    }
    return place < candidates.count && candidates[place].withUnsafeBytes { $0.equals(bytes) }
  }
}
