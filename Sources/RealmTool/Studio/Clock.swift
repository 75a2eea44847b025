import LibC

/// Times in seconds that do not go back.
enum Clock {
  /// The time since the system's start.
  static var seconds: Double { time(CLOCK_MONOTONIC) }

  /// Processor time of the calling thread, which does not grow while other threads run.
  static var threadSeconds: Double { time(CLOCK_THREAD_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
