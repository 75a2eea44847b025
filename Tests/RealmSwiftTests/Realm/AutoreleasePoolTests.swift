import RealmSwift
import Testing

struct AutoreleasePoolTests {
  private struct Refusal: Error {}

  @Test func runsItsBlock() throws {
    let storage = ScratchRealm.ofCollections()
    let count = try autoreleasepool {
      try storage.realm.write { storage.realm.add(Walker("a")) }
      return storage.realm.objects(Walker.self).count
    }
    #expect(count == 1)
    var hasRun = false
    autoreleasepool { hasRun = true }
    #expect(hasRun)
    autoreleasepool(invoking: { hasRun = false })
    #expect(!hasRun)
  }

  @Test func throwsWhatItsBlockThrows() {
    #expect(throws: Refusal.self) { try autoreleasepool { throw Refusal() } }
    // The type of the error is kept.
    do throws(Refusal) {
      try autoreleasepool { () throws(Refusal) in throw Refusal() }
      Issue.record("Nothing was thrown.")
    } catch {
      let refusal: Refusal = error
      _ = refusal
    }
  }
}
