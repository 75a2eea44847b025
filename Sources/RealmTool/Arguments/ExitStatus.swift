/// The exit status of the tool.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Nothing was found, or two files differ.
  case nothingFound = 1
  /// The command line is wrong.
  case wrongUse = 2
  /// A file cannot be read or written, is damaged, or has unexpected content.
  case failure = 3
}

/// A wrong command line, with advice.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A failure that is not due to the command line.
struct ToolError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
