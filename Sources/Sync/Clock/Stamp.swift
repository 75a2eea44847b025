package import Storage

/// The time of a change as a hybrid logical clock tells it: milliseconds since 1970, and a number that orders the changes of one
/// millisecond.
///
/// Stored as one 64-bit integer, `milliseconds << 16 | number`, in the realm file and in PostgreSQL alike.
package struct Stamp: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number of the file and of the server.
  package var rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Creates the first stamp of a millisecond.
  package init(milliseconds: Int64) { rawValue = milliseconds << 16 }

  /// The stamp of a value that was never written: every other one is greater.
  package static let never = Stamp(rawValue: 0)

  /// Milliseconds since 1970.
  package var milliseconds: Int64 { rawValue >> 16 }

  /// The greatest stamp that is less than this one.
  package var predecessor: Stamp { Stamp(rawValue: rawValue - 1) }

  /// The least stamp that is greater than this one.
  package var successor: Stamp { Stamp(rawValue: rawValue + 1) }

  package static func < (first: Stamp, second: Stamp) -> Bool { first.rawValue < second.rawValue }
}

extension SyncClock {
  /// Takes note of a stamp that another clock has made.
  package mutating func observe(_ stamp: Stamp) { greatest = max(greatest, UInt64(max(stamp.rawValue, 0))) }

  /// Milliseconds that a clock may be wrong: less is of no importance.
  private static let tolerance: Int64 = 50

  /// Returns the offset to the server's clock, in milliseconds: the known one, unless the server's answer contradicts it.
  ///
  /// The answer belongs to some time between question and answer. How late it is says nothing of the clocks: a busy machine that
  /// would take the middle at its word would put its changes before those that they follow.
  ///
  /// - Parameters:
  ///   - server: The stamp that the server's clock made.
  ///   - asked: The time of this machine when the question was sent, in milliseconds since 1970.
  ///   - answered: The time of this machine when the answer arrived.
  package func offset(server: Stamp, asked: Int64, answered: Int64) -> Int64 {
    let possible = server.milliseconds - max(asked, answered)...server.milliseconds - min(asked, answered)
    if offset >= possible.lowerBound - Self.tolerance && offset <= possible.upperBound + Self.tolerance {
      return offset
    }
    return possible.lowerBound + (possible.upperBound - possible.lowerBound) / 2
  }
}
