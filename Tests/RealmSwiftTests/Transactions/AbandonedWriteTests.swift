import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// A thread or an actor that goes away while a commit of its realm is on its way to the disk, and another write waits:
/// the realm is closed, and nobody is held up.
@Suite struct AbandonedWriteTests {
  final class AbandonedItem: Object {
    @Persisted var number = 0
  }

  private actor Owner {
    private var realm: Realm?

    func write(_ configuration: Realm.Configuration) async throws {
      let realm = try await Realm(configuration: configuration, actor: self)
      self.realm = realm
      AbandonedWriteTests.writeTwice(realm)
    }
  }

  fileprivate static func writeTwice(_ realm: Realm) {
    realm.beginWrite()
    realm.create(AbandonedItem.self)
    realm.commitAsyncWrite()
    for _ in 0..<2 { realm.writeAsync { realm.create(AbandonedItem.self) } }
  }

  private func expectFree(_ file: ScratchRealm) async throws {
    try await eventually { !RealmFiles.isOpen(file.configuration) }
    try onOtherThread { try file.open().write {} }
    #expect(try onOtherThread { try file.open().objects(AbandonedItem.self).count } >= 1)
  }

  @Test func actorsThatGo() async throws {
    let file = ScratchRealm([AbandonedItem.self])
    for _ in 0..<20 { try await Owner().write(file.configuration) }
    try await expectFree(file)
  }

  @Test func threadsThatEnd() async throws {
    let file = ScratchRealm([AbandonedItem.self])
    for _ in 0..<20 {
      let thread = RunLoopThread()
      try thread.run {
        let realm = try file.open()
        thread.stop()
        Self.writeTwice(realm)
      }
    }
    try await expectFree(file)
  }
}
