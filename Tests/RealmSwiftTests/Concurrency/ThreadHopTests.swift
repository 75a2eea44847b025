import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Asynchronous functions go on on other threads, which compilers do not expect of a thread's number.
@Suite struct ThreadHopTests {
  final class Hopper: Object {
    @Persisted var height = 1
  }

  private static var thread: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
  }

  /// The accessor's check of the thread is inlined here, twice.
  @Test func anObjectIsRefusedOnTheThreadOfALaterPart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm([Hopper.self])
      let realm = try file.open()
      try realm.write { realm.add(Hopper()) }
      let hopper = realm.objects(Hopper.self)[0]
      var heights = hopper.height
      let first = Self.thread
      for _ in 0..<10_000 where Self.thread == first {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<4 { group.addTask { usleep(500) } }
        }
      }
      if Self.thread == first { fatalError("It stayed on its thread.") }
      heights += hopper.height
      print(heights)
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }
}
