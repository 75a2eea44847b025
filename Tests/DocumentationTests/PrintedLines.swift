/// The lines that a sample prints: a test that shows what a sample does has a function `print` of its own, which adds
/// to them.
final class PrintedLines {
  private(set) var all: [String] = []

  /// Returns what was added since the last call.
  func next() -> [String] {
    defer { all = [] }
    return all
  }

  func add(_ items: [Any]) { all.append(items.map { "\($0)" }.joined(separator: " ")) }
}
