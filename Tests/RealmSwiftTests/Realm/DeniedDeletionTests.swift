import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// `@Persisted(onDelete: .deny)`.
@Suite struct DeniedDeletionTests {
  let file = ScratchRealm(DeleteRuleTests.classes)

  private func names(_ realm: Realm) -> [String] { realm.objects(RuledThing.self).map(\.name).sorted() }

  private func makeDenied(_ realm: Realm) throws -> (RuledMaker, RuledThing) {
    let maker = RuledMaker(value: ["name": "Acme"])
    let thing = RuledThing("lamp", maker: maker)
    try realm.write { realm.add(thing) }
    return (maker, thing)
  }

  private let message =
    "'RuledMaker' with the primary key 'Acme' cannot be deleted: 'RuledThing' number 0 links to it by 'RuledThing.maker', which denies that."

  @Test func deniedDeletionsAreRolledBack() throws {
    let realm = try file.open()
    let (maker, thing) = try makeDenied(realm)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        thing.name = "other"
        realm.delete(maker)
        realm.create(RuledThing.self)
      }
    }
    #expect(error?.code == .ruleBroken && error?.localizedDescription == message)
    #expect(error?.fileURL?.path == file.path)
    #expect(!realm.isInWriteTransaction)
    #expect(names(realm) == ["lamp"] && thing.maker?.name == "Acme")
    realm.beginWrite()
    realm.deleteAll()
    realm.add(RuledThing("x", maker: RuledMaker(value: ["name": "Other"])))
    realm.delete(realm.objects(RuledMaker.self))
    #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    #expect(!realm.isInWriteTransaction && names(realm) == ["lamp"])
    // Others may write.
    try onOtherThread { [file] in
      let other = try file.open()
      try other.write { other.create(RuledThing.self, value: ["name": "new"]) }
    }
    realm.refresh()
    #expect(names(realm) == ["lamp", "new"])
  }

  @Test func togetherWithWhoLinks() throws {
    let realm = try file.open()
    for order in 0..<2 {
      let (maker, thing) = try makeDenied(realm)
      try realm.write {
        if order == 0 { realm.delete(maker) }
        realm.delete(thing)
        if order == 1 { realm.delete(maker) }
      }
      #expect(realm.isEmpty)
    }
    _ = try makeDenied(realm)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
    // A cascade deletes who links.
    let (maker, thing) = try makeDenied(realm)
    try realm.write {
      let owner = realm.create(RuledOwner.self)
      owner.things.append(thing)
      realm.delete(maker)
      realm.delete(owner)
    }
    #expect(realm.isEmpty)
  }

  @Test func linkedToAnother() throws {
    let realm = try file.open()
    let (maker, thing) = try makeDenied(realm)
    try realm.write {
      realm.delete(maker)
      thing.maker = RuledMaker(value: ["name": "New"])
    }
    #expect(realm.objects(RuledMaker.self).map(\.name) == ["New"])
    try realm.write {
      let maker = thing.maker!
      thing.maker = nil
      realm.delete(maker)
    }
    #expect(realm.objects(RuledMaker.self).isEmpty)
  }

  /// A rolled back transaction leaves no trace of what it tried.
  @Test func cancelledOnesAreForgotten() throws {
    let realm = try file.open()
    let (maker, _) = try makeDenied(realm)
    realm.beginWrite()
    realm.delete(maker)
    realm.cancelWrite()
    try realm.write { realm.create(RuledThing.self) }
    #expect(realm.objects(RuledThing.self).count == 2)
  }

  @Test func asynchronousWrites() async throws {
    let realm = QueueRealm(file)
    try realm.sync { _ = try makeDenied($0) }
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.writeAsync {
        realm.delete(realm.objects(RuledMaker.self))
      } onComplete: { error in
        journal.add((error as? Realm.Error)?.localizedDescription ?? "none")
      }
      // Grouped with others, only the one that breaks the rule is rolled back.
      for number in 0..<6 {
        realm.beginAsyncWrite {
          realm.create(RuledThing.self, value: ["name": "\(number)"])
          if number == 3 { realm.delete(realm.objects(RuledMaker.self)) }
          realm.commitAsyncWrite(allowGrouping: true) { error in
            journal.add(error == nil ? "\(number)" : "\(number) failed")
            if number == 5 { done() }
          }
        }
      }
    }
    let entries = journal.all
    #expect(entries.first == message)
    #expect(Set(entries.dropFirst()) == ["0", "1", "2", "3 failed", "4", "5"])
    realm.sync { realm in
      #expect(names(realm) == ["0", "1", "2", "4", "5", "lamp"])
      #expect(realm.objects(RuledMaker.self).count == 1)
    }
  }

  @Test @MainActor func tasks() async throws {
    let realm = try await Realm(configuration: file.configuration, actor: MainActor.shared)
    _ = try makeDenied(realm)
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.asyncWrite { realm.delete(realm.objects(RuledMaker.self)) }
    }
    #expect(error?.code == .ruleBroken)
    #expect(realm.objects(RuledMaker.self).count == 1)
    try await realm.asyncWrite { realm.deleteAll() }
    #expect(realm.isEmpty)
  }
}
