import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct FatalHandlerTests {
  @Test func theHandlerIsCalledOnceBeforeTheProcessEnds() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      FatalHandler.set { _ in print("replaced") }
      FatalHandler.set { message in
        print("handled: \(message)")
        fflush(nil)
        // A fault of the handler itself ends the process.
        stopDamaged(path: "/second", "again")
      }
      stopDamaged(path: "/first", "it is torn")
    }
    expectStop(result, saying: "/second", "again")
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("handled: ") && output.contains("/first") && output.contains("it is torn"))
    #expect(!output.contains("/second") && !output.contains("replaced"))
  }

  @Test func withoutAHandlerTheProcessEnds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalHandler.set { _ in print("removed") }
      FatalHandler.set(nil)
      endProcess("The end.")
    }
    expectStop(result, saying: "The end.")
  }

  /// In a process of its own, because the handler belongs to the process.
  @Test func aReplacedHandlerIsReleased() async {
    await #expect(processExitsWith: .success) {
      final class Context: Sendable {}
      weak var replaced: Context?
      weak var removed: Context?
      do {
        let first = Context()
        let second = Context()
        replaced = first
        removed = second
        FatalHandler.set { _ in print(first) }
        FatalHandler.set { _ in print(second) }
      }
      precondition(replaced == nil && removed != nil)
      FatalHandler.set(nil)
      precondition(removed == nil)
    }
  }
}
