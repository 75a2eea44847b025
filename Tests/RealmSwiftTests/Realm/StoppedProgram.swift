import Testing

extension ExitTest.Result {
  /// What the program wrote before it stopped.
  var message: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
