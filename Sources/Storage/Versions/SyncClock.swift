import LibC

/// The state of a synced file's hybrid logical clock, an entry of the session: u64 greatest stamp · i64 offset.
///
/// Whichever program commits a transaction of a user takes the transaction's stamp from it.
package struct SyncClock: Sendable, Hashable {
  /// The greatest stamp that was given or seen: milliseconds since 1970 << 16 | a number that orders those of one
  /// millisecond.
  package var greatest: UInt64
  /// What is to be added to this machine's time to get the server's, in milliseconds.
  package var offset: Int64

  package init(greatest: UInt64 = 0, offset: Int64 = 0) {
    self.greatest = greatest
    self.offset = offset
  }

  /// The greatest number that is added to a stamp: 32 transactions in a millisecond do not make the clock go faster.
  package static let greatestStep: UInt64 = 1 << 12

  /// Returns the next stamp: a random number after the corrected time, or after the greatest stamp if that is later.
  ///
  /// The stamp of a version tells a file from a copy of it that has gone on by itself. Both may be written in one millisecond, or
  /// both may have the same greatest stamp, ahead of the time: the number after it would be the same in both.
  ///
  /// - Parameter milliseconds: This machine's time.
  package mutating func next(_ milliseconds: Int64) -> UInt64 {
    let (sum, overflows) = milliseconds.addingReportingOverflow(offset)
    let corrected = overflows ? milliseconds : sum
    greatest =
      max(UInt64(min(max(corrected, 0), Self.latest)) << 16, greatest) &+ .random(in: 1...Self.greatestStep)
    return greatest
  }

  /// Stamps are sent as signed numbers.
  private static let latest: Int64 = 1 << 47 - 1

  /// This machine's time, in milliseconds since 1970.
  package static func systemMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Nil when the bytes are not a clock's.
  package init?(_ bytes: [UInt8]) {
    guard let clock = bytes.withUnsafeBytes({ SyncClock($0) }) else { return nil }
    self = clock
  }

  /// Nil when the bytes are not a clock's.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard bytes.count == 16, let greatest = reader.read(UInt64.self), let offset = reader.read(Int64.self)
    else { return nil }
    self.init(greatest: greatest, offset: offset)
  }

  /// The content of the entry.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(greatest)
    writer.append(offset)
    return writer.bytes
  }
}
