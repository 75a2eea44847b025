import LibC
import Storage

/// A bar on the standard error for work that takes long; nothing where that is no terminal.
/// A thread at a time may use it.
final class Progress: @unchecked Sendable {
  private let title: String
  private let isShown = Terminal.isTerminal(STDERR_FILENO)
  private var lastShown = 0.0
  private var isVisible = false

  init(_ title: String) { self.title = title }

  deinit { finish() }

  /// - Parameter total: 0 when it is not known.
  func update(_ done: Int, of total: Int, unit: String = "objects") {
    guard isShown else { return }
    let now = Self.seconds
    if now - lastShown < 0.1 { return }
    lastShown = now
    isVisible = true
    var line = "\(VisibleText.of(title)) "
    if total > 0 {
      let share = min(1, Double(done) / Double(total))
      let filled = Int(share * 30)
      line += "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] "
      line += "\(Int(share * 100)) % "
    }
    StandardError.write("\r\u{1B}[K\(line)\(Numbers.separated(done)) \(unit)")
  }

  /// Shows how far the library is with what the body lets it do.
  static func following<Result>(_ title: String, _ body: () throws -> Result) rethrows -> Result {
    let progress = Progress(title)
    defer { progress.finish() }
    return try WorkProgress.$update.withValue(
      .init { progress.update($0, of: max($0, $1), unit: "entries") }, operation: body)
  }

  /// Removes the bar.
  func finish() {
    if isVisible { StandardError.write("\r\u{1B}[K") }
    isVisible = false
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
