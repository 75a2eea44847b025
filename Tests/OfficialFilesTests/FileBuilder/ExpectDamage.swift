import Testing

@testable import OfficialFiles

/// Expects that a file is found to be damaged, with words that say how.
func expectDamage(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was found", sourceLocation: sourceLocation)
  } catch let error as OfficialFileError {
    guard case .damaged(let damage) = error.reason else {
      Issue.record("\(error)", sourceLocation: sourceLocation)
      return
    }
    #expect(damage.what.contains(words), sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}
