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

  @Test func mapsAndRealms() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    let lines = PrintedLines()
    func print(_ items: Any...) { lines.add(items) }
    func ofMap() -> NotificationToken {
      let token = hut.prices.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          print(deletions, insertions, modifications)
        }
      }
      return token
    }
    func ofRealm() -> NotificationToken {
      let token = realm.observe { notification, realm in
        print(notification, realm.objects(Hut.self).count)
      }
      return token
    }
    let tokens = [ofMap(), ofRealm()]
    realm.refresh()
    try realm.write { hut.prices["bed"] = 32 }
    realm.refresh()
    #expect(lines.next() == ["didChange 3", "[] [\"bed\"] []"])
    for token in tokens { #expect(token.invalidate()) }
  }

  @Test func queue() async throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let queue = DispatchQueue(label: "observer")
    nonisolated(unsafe) let lines = PrintedLines()
    @Sendable func print(_ item: Int) { lines.add([item]) }
    let token = huts.observe(on: queue) { change in
      if case .update(let huts, _, _, _) = change { print(huts.count) }
    }
    // The observation begins some time after the call.
    try await eventually {
      try mountains.realm.write(Hut())
      return queue.sync { !lines.all.isEmpty }
    }
    token.invalidate()
    queue.sync {}
  }

  @Test func feed() async throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let told = Told()
    @Sendable func print(_ names: [String]) { told.add(names) }
    let feed = huts.sorted(by: \.name).changes(map: { huts in
      huts.map(HutSummary.init)
    })
    let follower = Task.detached {
      for await rows in feed { print(rows.map(\.name)) }
    }
    try await eventually { told.last == ["Blackrock", "Larch", "Summit"] }
    try mountains.realm.write(Hut(value: ["name": "Eyrie"]))
    try await eventually { told.last == ["Blackrock", "Eyrie", "Larch", "Summit"] }
    follower.cancel()
    await follower.value
  }

  @Test func sequence() async throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let configuration = mountains.configuration
    let writer = Task.detached {
      // Until the loop below is notified.
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

/// What a task was given.
private final class Told: Sendable {
  private let values = Mutex([[String]]())

  func add(_ value: [String]) { values.withLock { $0.append(value) } }
  var last: [String]? { values.withLock { $0.last } }
}

extension Realm {
  fileprivate func write(_ object: Object) throws { try write { add(object) } }
}
