import Foundation

/// The monotonic clock, in seconds.
enum Stopwatch {
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func seconds(of body: () throws -> Void) rethrows -> Double {
    let start = now()
    try body()
    return now() - start
  }
}

/// What several repetitions of one measurement gave.
struct Samples {
  private(set) var values: [Double] = []

  mutating func append(_ value: Double) {
    values.append(value)
  }

  var minimum: Double? { values.min() }
  var maximum: Double? { values.max() }

  var median: Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
