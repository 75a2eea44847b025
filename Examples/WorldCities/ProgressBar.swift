import Foundation

/// Shows how far a long step has come: one line that is drawn over and over on a terminal, a plain line at every
/// quarter elsewhere.
final class ProgressBar {
  private let label: String
  private let total: Int
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private let clock = ContinuousClock()
  private var lastDrawn: ContinuousClock.Instant?
  private var quarters = 0

  init(_ label: String, total: Int) {
    self.label = label
    self.total = total
  }

  func show(_ done: Int) {
    if isTerminal {
      draw(done)
    } else {
      while quarters < 4, done * 4 >= total * (quarters + 1) {
        quarters += 1
        print("  \(label): \(quarters * 25) %")
      }
    }
  }

  /// Takes the bar off the terminal again.
  func finish() {
    guard isTerminal else { return }
    emit("\r\u{1B}[K")
  }

  private func draw(_ done: Int) {
    let now = clock.now
    if let lastDrawn, lastDrawn.duration(to: now) < .milliseconds(50), done < total { return }
    lastDrawn = now
    let width = 30
    let filled = total == 0 ? width : width * done / total
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    emit("\r  \(label) \(bar) \(grouped(done)) of \(grouped(total))\u{1B}[K")
  }

  private func emit(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }
}
