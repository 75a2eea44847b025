/// One row of the results: a figure for each system that took part.
struct Measurement {
  enum Unit: String {
    case seconds
    case nanoseconds
    case bytes
  }

  enum Target {
    /// The highest accepted ratio of OpenRealm's figure to SQLite's.
    case ratio(Double)
    /// The highest accepted figure, in seconds or bytes.
    case atMost(Double)
  }

  var work: String
  var title: String
  /// The unit of the printed table. Times are kept in seconds whatever is printed.
  var unit = Unit.seconds
  var target: Target
  var figures: [System: Double] = [:]
  /// Systems whose answer was wrong or which failed; they have no figure.
  var failures: Set<System> = []

  var ratio: Double? {
    guard let own = figures[.openRealm], let sqlite = figures[.sqlite], sqlite > 0 else { return nil }
    return own / sqlite
  }

  /// A row that compares OpenRealm's figure with a limit, whatever the others need.
  func alone(atMost limit: Double) -> Measurement {
    var row = Measurement(work: work + " alone", title: title, unit: unit, target: .atMost(limit))
    row.figures = figures.filter { $0.key == .openRealm }
    row.failures = failures.filter { $0 == .openRealm }
    return row
  }

  /// Nil when there is nothing to compare.
  var isTargetMet: Bool? {
    switch target {
    case .ratio(let limit): ratio.map { $0 <= limit }
    case .atMost(let limit): figures[.openRealm].map { $0 <= limit }
    }
  }
}
