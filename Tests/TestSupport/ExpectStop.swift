public import Testing

/// Expects that the process of an exit test stopped, and said why.
///
/// - Parameters:
///   - result: That of `#expect(processExitsWith: .failure, observing: [\.standardErrorContent])`.
///   - texts: All of them must be part of what was written to the standard error.
///   - context: Which of several cases it was.
public func expectStop(
  _ result: ExitTest.Result?, saying texts: String..., in context: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  ScratchRoot.removesAtExit
  // That the process stopped at all is expected where it was started.
  guard let message = result?.message else { return }
  for text in texts where !message.contains(text) {
    Issue.record("\(context) “\(text)” is not in “\(message)”", sourceLocation: sourceLocation)
  }
}

extension ExitTest.Result {
  /// What the process wrote to its standard error.
  public var message: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
