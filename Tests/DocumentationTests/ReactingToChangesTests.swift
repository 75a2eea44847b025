import Foundation
import Observation
import RealmSwift
import TestSupport
import Testing

@MainActor struct ReactingToChangesTests {
  @Test func collection() throws {
    let mountains = try Mountains()
    let (realm, huts) = (mountains.realm, mountains.huts)
    let lines = PrintedLines()
    func print(_ items: Any...) { lines.add(items) }
    func follow() -> NotificationToken {
      let token = huts.observe { change in
        switch change {
        case .initial(let huts):
          print("\(huts.count) huts")
        case .update(_, let deletions, let insertions, let modifications):
          print(deletions, insertions, modifications)
        case .error:
          break
        }
      }
      return token
    }
    let token = follow()
    let names = huts.observe(keyPaths: [\Hut.name, \Hut.warden?.name]) { _ in }
    realm.refresh()
    #expect(lines.next() == ["\(huts.count) huts"])
    try realm.write { mountains.larch.name = "Larch Hut" }
    realm.refresh()
    let position = try #require(huts.firstIndex { $0.name == "Larch Hut" })
    #expect(lines.next() == ["[] [] [\(position)]"])
    withExtendedLifetime((token, names)) {}
  }

  @Test func object() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    let lines = PrintedLines()
    func print(_ items: Any...) { lines.add(items) }
    let token = hut.observe { change in
      switch change {
      case .change(_, let properties):
        for property in properties {
          print(property.name, property.oldValue ?? "nil", property.newValue ?? "nil")
        }
      case .deleted:
        print("gone")
      case .error:
        break
      }
    }
    try realm.write(withoutNotifying: [token]) {
      hut.beds += 1
    }
    realm.refresh()
    #expect(lines.next() == [] && hut.beds == 46)
    try realm.write { hut.beds += 1 }
    realm.refresh()
    #expect(lines.next() == ["beds nil 47"])
    try realm.write { realm.delete(hut) }
    realm.refresh()
    #expect(lines.next() == ["gone"])
    withExtendedLifetime(token) {}
  }

  @Test func sequence() async throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let configuration = mountains.configuration
    let writer = Task.detached {
      // Until the loop below has heard of it.
      while !Task.isCancelled {
        try? Realm(configuration: configuration, queue: nil).write(Hut(value: ["name": "Eyrie"]))
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    for await change in huts.changes {
      guard case .update(let huts, _, let insertions, _) = change else { continue }
      print(insertions.map { huts[$0].name })
      break
    }
    writer.cancel()
    #expect(mountains.realm.refresh() || mountains.huts.count > 3)
  }

  @Test func observation() async throws {
    let mountains = try Mountains()
    let hut = mountains.larch
    withObservationTracking {
      print(hut.beds)
    } onChange: {
      print("read it again")
    }
    try mountains.realm.write { hut.beds += 1 }
    #expect(hut.beds == 46)
  }
}

extension Realm {
  fileprivate func write(_ object: Object) throws { try write { add(object) } }
}
