import Foundation
import Glibc

/// The tool at a terminal of its own.
final class TerminalSession {
  // TIOCSPTLCK and TIOCGPTN, which Swift does not see.
  private static let unlock: UInt = 0x4004_5431
  private static let readNumber: UInt = 0x8004_5430
  private var terminal: Int32
  private let process = Process()
  private(set) var output = ""
  /// What has been shown since the text that was waited for last.
  private var unseen = ""

  /// - Parameters:
  ///   - line: For the shell, in which `realm` is the tool.
  ///   - width: Of the terminal.
  init(_ line: String, width: UInt16 = 80, environment: [String: String] = [:]) throws {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number) = (Int32(0), UInt32(0))
    let isReady =
      ioctl(terminal, Self.unlock, &isLocked) == 0 && ioctl(terminal, Self.readNumber, &number) == 0
    precondition(isReady)
    var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    let name = "/dev/pts/\(number)"
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    // The new session takes the terminal that it opens first for its own.
    let folder = RealmProgram.executable.deletingLastPathComponent().path
    process.arguments = [
      "--wait", "/bin/bash", "-c", "exec <>'\(name)' >&0 2>&0; PATH='\(folder)':\"$PATH\"; \(line)",
    ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": ""]) { $1 }.merging(environment) { $1 }
    try process.run()
  }

  deinit { close(terminal) }

  /// What is typed.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(terminal, bytes, bytes.count)
  }

  /// Waits until the tool reads key by key, which it begins to do after it has shown its prompt. Before that, the end of the
  /// input that is typed is read by nobody.
  func waitForEditing() {
    var settings = termios()
    repeat {
      usleep(1000)
    } while tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) != 0
  }

  /// Reads until a text was shown, after those that were waited for before; false when the tool ends first.
  func wait(for text: String) -> Bool {
    while true {
      if let place = unseen.range(of: text) {
        unseen.removeSubrange(..<place.upperBound)
        return true
      }
      if !readSome() { return false }
    }
  }

  private func readSome() -> Bool {
    // A test that waits in vain fails rather than stays: without its terminal the tool ends.
    var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    if poll(&request, 1, 300_000) == 0 {
      close(terminal)
      terminal = -1
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(terminal, &buffer, buffer.count)
    if count <= 0 { return false }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    output += text
    unseen += text
    return true
  }

  /// Reads to the end. Returns the status.
  func end() -> Int32 {
    while readSome() {}
    process.waitUntilExit()
    return process.terminationStatus
  }
}
