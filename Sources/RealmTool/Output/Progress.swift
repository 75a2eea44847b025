import Glibc

/// A bar on the standard error for work that takes long; nothing where that is no terminal.
final class Progress {
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
    var line = "\(title) "
    if total > 0 {
      let share = min(1, Double(done) / Double(total))
      let filled = Int(share * 30)
      line += "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] "
      line += "\(Int(share * 100)) % "
    }
    StandardError.write("\r\u{1B}[K\(line)\(Numbers.separated(done)) \(unit)")
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
