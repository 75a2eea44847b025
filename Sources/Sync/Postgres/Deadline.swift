import LibC

/// A point in time at which waiting ends, on the clock that no adjustment of the time of day moves.
package struct Deadline: Sendable, Comparable {
  /// Nanoseconds of the monotonic clock.
  private let nanoseconds: UInt64

  private init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// A deadline that never comes.
  package static let never = Deadline(nanoseconds: .max)

  /// The deadline that is this number of seconds away. Never, for more than a thousand years.
  package static func after(_ seconds: Double) -> Deadline {
    guard seconds < 3.2e10 else { return never }
    let span = seconds > 0 ? UInt64(min(seconds * 1e9, 9e18)) : 0
    let (sum, overflow) = now.addingReportingOverflow(span)
    return overflow ? never : Deadline(nanoseconds: sum)
  }

  package static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Whether it has come.
  package var hasPassed: Bool { self != .never && Self.now >= nanoseconds }

  /// Milliseconds until it comes, rounded up, as `poll` takes them: −1 for never.
  var pollTimeout: Int32 {
    if self == .never { return -1 }
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return Int32(min((nanoseconds - now + 999_999) / 1_000_000, UInt64(Int32.max)))
  }

  /// The time of the monotonic clock, in seconds.
  static var clock: Double { Double(now) / 1e9 }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
