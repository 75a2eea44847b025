import Foundation
import LibC
import TestSupport

/// The tool at a terminal of its own.
final class TerminalSession {
  // TIOCSPTLCK and TIOCGPTN, which Swift does not see.
  private static let unlock: UInt = 0x4004_5431
  private static let readNumber: UInt = 0x8004_5430
  private let terminal: Int32
  private let program: ChildProgram
  private(set) var output = ""
  /// Where what is waited for has to begin.
  private var waited = 0

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
    // The new session takes the terminal that it opens first for its own.
    let folder = RealmProgram.executable.deletingLastPathComponent().path
    let words = [
      "/usr/bin/setsid", "--wait", "/bin/bash", "-c",
      "exec <>'\(name)' >&0 2>&0; PATH='\(folder)':\"$PATH\"; \(line)",
    ]
    let variables = ["TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": ""]
    program = try ChildProgram(words, environment: variables.merging(environment) { $1 })
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

  /// Reads until a text was shown, after the one that was waited for before; false when the tool ends before.
  func wait(for text: String) -> Bool {
    while true {
      let bytes = Data(output.utf8)
      if let found = bytes.range(of: Data(text.utf8), in: waited..<bytes.count) {
        waited = found.upperBound
        return true
      }
      if !readSome() { return false }
    }
  }

  private func readSome() -> Bool {
    guard ChildProgram.canRead(terminal) else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(terminal, &buffer, buffer.count)
    if count <= 0 { return false }
    output += String(decoding: buffer[..<count], as: UTF8.self)
    return true
  }

  /// The end of a fifo that is read by what runs in the terminal, to be closed.
  func openToWrite(_ fifo: String) -> Int32 { program.openToWrite(fifo) }

  /// Reads to the end. Returns the status.
  func end() -> Int32 {
    while readSome() {}
    return program.wait().status
  }
}
