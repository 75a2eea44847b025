import Dispatch
import TestSupport
import Testing

@testable import RealmTool

/// Previews try a transaction that is cancelled, while the session answers other requests.
struct TrialTests {
  @Test(arguments: ["POST paste/preview", "GET object/Person/0/deletion"])
  func previewsDoNotUseTheQueueOfTheSession(_ request: String) async throws {
    let studio = try WritableStudio()
    _ = try await studio.makePeople(3)
    let (isOver, wentOn) = (DispatchSemaphore(value: 0), Mark())
    studio.session.enqueue {
      isOver.wait()
      wentOn.set()
    }
    // Ends the test where a preview waits for the queue.
    DispatchQueue.global().asyncAfter(deadline: .now() + 20) { isOver.signal() }
    let parts = request.split(separator: " ").map { String($0) }
    let answer = try await studio.send(
      StudioRequest.Method(rawValue: parts[0])!, parts[1], #"{"class":"Person","text":"id\tname\n9\tJo"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(!wentOn.isSet)
    isOver.signal()
    #expect(try await studio.count("Person") == 3)
  }
}
