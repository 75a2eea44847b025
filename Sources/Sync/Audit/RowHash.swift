/// The hash with which client and server compare rows: what PostgreSQL's `hash_record_extended` returns for a row of one `bytea`.
///
/// It is Bob Jenkins' lookup3 with a seed of 64 bits. PostgreSQL keeps it as it is, because hash partitions depend on it.
/// Servers with the opposite byte order have another one, which `AuditQuery.probe` finds out.
package enum RowHash {
  /// Returns the hash of some bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = State(count: bytes.count)
    if seed != 0 {
      state.a &+= UInt32(truncatingIfNeeded: seed >> 32)
      state.b &+= UInt32(truncatingIfNeeded: seed)
      state.mix()
    }
    var position = 0
    while bytes.count - position >= 12 {
      state.a &+= word(bytes, position)
      state.b &+= word(bytes, position + 4)
      state.c &+= word(bytes, position + 8)
      state.mix()
      position += 12
    }
    for (index, byte) in bytes[position...].enumerated() {
      let byte = UInt32(byte)
      switch index {
      case 0..<4: state.a &+= byte << (8 * index)
      case 4..<8: state.b &+= byte << (8 * (index - 4))
      // The lowest byte is reserved for the length.
      default: state.c &+= byte << (8 * (index - 7))
      }
    }
    state.finish()
    return UInt64(state.b) << 32 | UInt64(state.c)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  private struct State {
    var a: UInt32
    var b: UInt32
    var c: UInt32

    init(count: Int) {
      a = 0x9E37_79B9 &+ UInt32(truncatingIfNeeded: count) &+ 3_923_095
      b = a
      c = a
    }

    mutating func mix() {
      Self.mixStep(&a, &b, &c, 4)
      Self.mixStep(&b, &c, &a, 6)
      Self.mixStep(&c, &a, &b, 8)
      Self.mixStep(&a, &b, &c, 16)
      Self.mixStep(&b, &c, &a, 19)
      Self.mixStep(&c, &a, &b, 4)
    }

    /// Subtracts the third word from the first, and adds the second to the third.
    private static func mixStep(
      _ first: inout UInt32, _ second: inout UInt32, _ third: inout UInt32, _ distance: UInt32
    ) {
      first &-= third
      first ^= rotated(third, distance)
      third &+= second
    }

    mutating func finish() {
      Self.finishStep(&c, b, 14)
      Self.finishStep(&a, c, 11)
      Self.finishStep(&b, a, 25)
      Self.finishStep(&c, b, 16)
      Self.finishStep(&a, c, 4)
      Self.finishStep(&b, a, 14)
      Self.finishStep(&c, b, 24)
    }

    private static func finishStep(_ first: inout UInt32, _ second: UInt32, _ distance: UInt32) {
      first ^= second
      first &-= rotated(second, distance)
    }

    private static func rotated(_ word: UInt32, _ distance: UInt32) -> UInt32 {
      word << distance | word >> (32 - distance)
    }
  }
}
