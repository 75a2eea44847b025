import Foundation

/// Prints one line per step: how long it took, what was done, and what came of it. Remembers what went wrong.
final class Report {
  private(set) var failures: [String] = []
  private let clock = ContinuousClock()

  func heading(_ title: String) {
    print("\n\(title)")
  }

  /// Runs `body` and prints the time, `title` and the text that `body` returns.
  func step(_ title: String, _ body: () throws -> String) rethrows {
    let start = clock.now
    let result = try body()
    line(title, result, after: start.duration(to: clock.now))
  }

  func line(_ title: String, _ result: String, after duration: Duration) {
    let padding = String(repeating: " ", count: max(0, 47 - title.count))
    print("\(milliseconds(duration))  \(title)\(padding)  \(result)")
  }

  /// A further line of the result of the step before.
  func detail(_ text: String) {
    print(String(repeating: " ", count: 15) + text)
  }

  /// Checks a result that is known in advance. The program ends with an error when one does not hold.
  func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) {
    guard !condition else { return }
    failures.append(expectation())
    print("      WRONG    expected: \(expectation())")
  }

  /// Prints the last line of the program and returns its exit status.
  func conclude() -> Int32 {
    guard !failures.isEmpty else {
      print("\nEverything came out as expected.")
      return 0
    }
    print("\n\(failures.count) of the results are wrong:")
    for failure in failures { print("  \(failure)") }
    return 1
  }
}

/// The duration in milliseconds, right-aligned in 13 columns.
private func milliseconds(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  return String(format: "%10.2f ms", Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
}

/// The number with a comma between groups of three digits.
func grouped(_ number: Int) -> String {
  var text = String(number.magnitude)
  var end = text.endIndex
  while let comma = text.index(end, offsetBy: -3, limitedBy: text.startIndex), comma > text.startIndex {
    text.insert(",", at: comma)
    end = comma
  }
  return number < 0 ? "-" + text : text
}
