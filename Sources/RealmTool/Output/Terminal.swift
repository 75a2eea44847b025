import LibC

/// What is known of the terminal, if there is one.
enum Terminal {
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of characters in a line; nil where lines may have any length.
  static func width(_ descriptor: Int32) -> Int? {
    guard isTerminal(descriptor) else { return nil }
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environment("COLUMNS").flatMap { Int($0) } ?? 80
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether colours are wanted: at a terminal that has them, unless NO_COLOR says no.
  static func hasColour(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && environment("NO_COLOR")?.isEmpty != false && environment("TERM") != "dumb"
  }

  /// Asks a question and reads a line; nil at the end of the input.
  ///
  /// - Parameter isSecret: Whether what is typed is not to be seen.
  /// - Throws: `ToolError` when there is no terminal.
  static func ask(_ question: String, isSecret: Bool = false) throws -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { throw ToolError("There is no terminal to ask on.") }
    defer { close(terminal) }
    var former = termios()
    let isKnown = isSecret && tcgetattr(terminal, &former) == 0
    if isKnown {
      UnfinishedOutput.keepTerminal(terminal, former)
      former.c_lflag &= ~tcflag_t(ECHO)
      // A stopped process would leave the terminal without echo.
      withUnsafeMutableBytes(of: &former.c_cc) { $0[Int(VSUSP)] = 0 }
      tcsetattr(terminal, TCSAFLUSH, &former)
    }
    defer {
      if isKnown {
        UnfinishedOutput.restoreTerminal()
        write(terminal, "\n")
      }
    }
    // Once nothing of the answer is shown, and nothing of it thrown away.
    write(terminal, question)
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  private static func write(_ descriptor: Int32, _ text: String) {
    var text = text
    text.withUTF8 { _ = LibC.write(descriptor, $0.baseAddress, $0.count) }
  }
}
