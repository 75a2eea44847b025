/// With what the tool ends.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Nothing was found, or two files differ.
  case nothingFound = 1
  /// The command line is wrong.
  case wrongUse = 2
  /// A file, or what is in it, is the reason.
  case failure = 3
}

/// That the command line is wrong, and what to do about it.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// That something failed through no fault of the command line.
struct ToolError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
