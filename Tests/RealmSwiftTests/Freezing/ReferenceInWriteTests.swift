import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// References that are made in a write transaction, to what was there before it.
struct ReferenceInWriteTests {
  typealias Crate = FreezeTests.FrozenCrate

  /// Resolves a reference in a realm that showed the version before the write, and does not follow commits by itself.
  private func resolvesInTheVersionOfTheWrite<Confined: ThreadConfined & SendableMetatype>(
    _ reference: (Crate) -> Confined, _ check: @escaping @Sendable (Confined) -> Bool
  ) throws -> Bool {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let crate = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 5))
    let (isRead, isWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    nonisolated(unsafe) var made: ThreadSafeReference<Confined>?
    nonisolated(unsafe) var result: Bool?
    let done = DispatchSemaphore(value: 0)
    Thread {
      let old = try! file.open()
      old.autorefresh = false
      let name = old.object(ofType: Crate.self, forPrimaryKey: 5)!.name
      isRead.signal()
      isWritten.waitOrStop()
      result = name == "crate 5" && old.resolve(made!).map { check($0) } ?? false
      done.signal()
    }.start()
    isRead.waitOrStop()
    try realm.write {
      crate.name = "changed"
      crate.labels.append("new")
      crate.tags.insert(77)
      crate.prices["new"] = 7
      made = ThreadSafeReference(to: reference(crate))
    }
    isWritten.signal()
    done.waitOrStop()
    return try #require(result as Bool?)
  }

  @Test func theRealmThatResolvesAdvances() throws {
    #expect(try resolvesInTheVersionOfTheWrite({ $0 }, { $0.name == "changed" }))
    #expect(try resolvesInTheVersionOfTheWrite({ $0.labels }, { $0.last == "new" }))
    #expect(try resolvesInTheVersionOfTheWrite({ $0.tags }, { $0.contains(77) }))
    #expect(try resolvesInTheVersionOfTheWrite({ $0.prices }, { $0["new"] == 7 }))
    #expect(
      try resolvesInTheVersionOfTheWrite(
        { $0.realm!.objects(Crate.self).where { $0.name == "changed" } }, { $0.count == 1 }))
    #expect(
      try resolvesInTheVersionOfTheWrite(
        { $0.children.sorted(byKeyPath: "id") },
        { $0.realm!.objects(Crate.self).contains { $0.name == "changed" } }))
  }

  /// The write is rolled back: there is no newer version, and what was there before is found.
  @Test func aReferenceOutlivesTheWriteThatIsCancelled() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let crate = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 5))
    realm.beginWrite()
    crate.labels.append("new")
    let reference = ThreadSafeReference(to: crate.labels)
    realm.cancelWrite()
    let labels = try onOtherThread { try file.open().resolve(reference).map { Array($0) } }
    #expect(labels == (0..<5).map { "label \($0)" })
  }
}
