import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What stops the program around frozen realms.
@Suite struct FreezeTrapTests {
  typealias Crate = FreezeTests.FrozenCrate
  typealias Seal = FreezeTests.FrozenSeal

  private static func crate() throws -> Crate {
    try FreezeTests.file().open().object(ofType: Crate.self, forPrimaryKey: 5)!
  }

  @Test func unmanagedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Crate().freeze()
    }
    expectStop(result, saying: "Unmanaged objects cannot be frozen.")
  }

  @Test func thawedUnmanagedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Crate().thaw()
    }
    expectStop(result, saying: "Unmanaged objects cannot be thawed.")
  }

  @Test func unmanagedList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Crate().labels.freeze()
    }
    expectStop(
      result, saying: "This method may only be called on RLMArray instances retrieved from an RLMRealm")
  }

  @Test func unmanagedSet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Crate().tags.thaw()
    }
    expectStop(
      result, saying: "This method may only be called on RLMSet instances retrieved from an RLMRealm")
  }

  @Test func unmanagedMap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Crate().prices.freeze()
    }
    expectStop(
      result, saying: "This method may only be called on RLMDictionary instances retrieved from an RLMRealm")
  }

  @Test func deletedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let crate = try Self.crate()
      let realm = crate.realm!
      try realm.write { realm.delete(crate) }
      _ = crate.freeze()
    }
    expectStop(result, saying: "Object has been deleted or invalidated.")
  }

  @Test func objectOfTheSameWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      realm.beginWrite()
      _ = realm.create(Crate.self, value: ["id": 99]).freeze()
    }
    expectStop(
      result, saying: "Cannot freeze an object in the same write transaction as it was created in.")
  }

  @Test func listOfTheSameWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      realm.beginWrite()
      _ = realm.create(Crate.self, value: ["id": 99]).labels.freeze()
    }
    expectStop(
      result, saying: "Cannot freeze an object in the same write transaction as it was created in.")
  }

  @Test func changedRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      realm.beginWrite()
      realm.create(Crate.self, value: ["id": 99])
      _ = realm.freeze()
    }
    expectStop(result, saying: "Cannot freeze a Realm with uncommitted changes.")
  }

  @Test func settingAProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.crate().freeze().name = "other"
    }
    expectStop(
      result, saying: "Attempting to modify a frozen object - call thaw on the Object instance first.")
  }

  @Test func changingAList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.crate().freeze().labels.append("other")
    }
    expectStop(result, saying: "Cannot modify List outside of a write transaction.")
  }

  @Test func changingASet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.crate().tags.freeze().insert(1)
    }
    expectStop(result, saying: "Cannot modify Set outside of a write transaction.")
  }

  @Test func changingAMap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.crate().prices.freeze()["x"] = 1
    }
    expectStop(result, saying: "Cannot modify Dictionary outside of a write transaction.")
  }

  @Test func writing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let frozen = try FreezeTests.file().open().freeze()
      try frozen.write {}
    }
    expectStop(result, saying: "Can't perform transactions on a frozen Realm")
  }

  @Test func adding() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let frozen = try FreezeTests.file().open().freeze()
      frozen.add(Crate())
    }
    expectStop(result, saying: "Can only add, remove, or create objects in a Realm in a write transaction")
  }

  @Test func autorefresh() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let frozen = try FreezeTests.file().open().freeze()
      frozen.autorefresh = false
      frozen.autorefresh = true
    }
    expectStop(result, saying: "Auto-refresh cannot be enabled for frozen Realms.")
  }

  @Test func invalidatedRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let frozen = try FreezeTests.file().open().freeze()
      frozen.invalidate()
      _ = frozen.objects(Crate.self)
    }
    expectStop(result, saying: "Cannot read from a frozen Realm which has been invalidated.")
  }

  @Test func objectOfAnInvalidatedRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let crate = try Self.crate().freeze()
      crate.realm!.invalidate()
      if !crate.isInvalidated { exit(0) }
      _ = crate.name
    }
    expectStop(result, saying: "Object has been deleted or invalidated.")
  }

  @Test func freezingOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) let crate = try Self.crate()
      try onOtherThread { _ = crate.freeze() }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread. The 'FrozenCrate' belongs to")
  }

  /// After it was invalidated, the version can be frozen anew.
  @Test func anInvalidatedRealmIsNotUsedAgain() throws {
    let realm = try FreezeTests.file().open()
    let frozen = realm.freeze()
    frozen.invalidate()
    #expect(realm.freeze() != frozen)
    #expect(realm.freeze().objects(Crate.self).count == 10)
  }
}
