import Foundation
import RealmSwift
import TestSupport
import Testing

struct ThreadingTests {
  @Test func queues() async throws {
    let mountains = try Mountains()
    let configuration = mountains.configuration
    DispatchQueue(label: "import").async {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          realm.add(Hut(value: ["name": "Eyrie"]))
        }
      } catch {
        print(error)
      }
    }
    try await eventually {
      try Realm(configuration: configuration, queue: nil).objects(Hut.self).count == 4
    }
  }

  @Test func passingOn() throws {
    let mountains = try Mountains()
    let (hut, configuration) = (mountains.larch, mountains.configuration)
    let queue = DispatchQueue(label: "reader")
    do {
      let reference = ThreadSafeReference(to: hut)
      queue.async {
        let realm = try? Realm(configuration: configuration)
        print(realm?.resolve(reference)?.name ?? "deleted")
      }
    }
    do {
      @ThreadSafe var shared = hut
      queue.async { [$shared] in
        print($shared.wrappedValue?.name ?? "deleted")
      }
    }
    do {
      let frozen = hut.freeze()
      Task.detached {
        print(frozen.name, frozen.trails.count)
      }
    }
    queue.sync {}
    #expect(hut.name == "Larch")
  }
}
