import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// The property wrapper that gives each thread its own object.
@Suite struct ThreadSafeTests {
  typealias Crate = FreezeTests.FrozenCrate

  private static func crate(_ realm: Realm, _ id: Int = 5) -> Crate {
    realm.object(ofType: Crate.self, forPrimaryKey: id)!
  }

  struct Holder {
    @ThreadSafe var crate: Crate?
    @ThreadSafe var labels: List<String>?
  }

  private static func rename(@ThreadSafe crate: Crate?, to name: String) throws {
    let holder = _crate
    try onOtherThread {
      guard let crate = holder.wrappedValue else { return }
      try crate.realm!.write { crate.name = name }
    }
  }

  @Test func localVariable() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    @ThreadSafe var crate = Self.crate(realm)
    let holder = _crate
    try onOtherThread {
      let here = holder.wrappedValue!
      #expect(try here.realm == file.open() && here.name == "crate 5")
      try here.realm!.write { here.name = "elsewhere" }
    }
    // What was written there is seen here, because it was read there after.
    try onOtherThread { #expect(holder.wrappedValue!.name == "elsewhere") }
    #expect(crate!.name == "elsewhere" && crate!.realm == realm)
  }

  @Test func storedProperties() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let holder = Holder(crate: Self.crate(realm), labels: Self.crate(realm).labels)
    #expect(holder.crate!.name == "crate 5" && holder.labels!.count == 5)
    // The wrapper is a reference.
    holder.crate = Self.crate(realm, 6)
    #expect(holder.crate!.name == "crate 6")
    holder.crate = nil
    #expect(holder.crate == nil)
    try realm.write { realm.delete(Self.crate(realm)) }
    #expect(holder.labels == nil && holder.labels == nil)
  }

  @Test func parameters() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    try Self.rename(crate: Self.crate(realm), to: "renamed")
    realm.refresh()
    #expect(Self.crate(realm).name == "renamed")
    try Self.rename(crate: nil, to: "nobody")
  }

  @Test func deleted() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    @ThreadSafe var crate = Self.crate(realm)
    try realm.write { realm.delete(Self.crate(realm)) }
    #expect(crate == nil)
    try realm.write { realm.create(Crate.self, value: ["id": 5]) }
    #expect(crate == nil)
    crate = Self.crate(realm, 1)
    #expect(crate?.id == 1)
  }

  @Test func anotherFile() throws {
    let (first, second) = (try FreezeTests.file(), try FreezeTests.file())
    @ThreadSafe var crate = Self.crate(try first.open())
    try second.open().write { Self.crate(try! second.open()).name = "second" }
    crate = Self.crate(try second.open())
    #expect(try crate!.name == "second" && crate!.realm == second.open())
  }

  @Test func manyThreads() throws {
    let file = try FreezeTests.file()
    let holder = ThreadSafe(wrappedValue: Self.crate(try file.open()))
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        let crate = holder.wrappedValue!
        try! crate.realm!.write { crate.tags.insert(crate.tags.count) }
        holder.wrappedValue = crate
      }
    }
    #expect(holder.wrappedValue!.tags.count == 165)
  }

  @Test func unmanaged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let holder = ThreadSafe<Crate>(wrappedValue: nil)
      holder.wrappedValue = Crate()
    }
    expectStop(result, saying: "Only managed objects may be wrapped as thread safe.")
  }

  @Test func initiallyUnmanaged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafe(wrappedValue: Crate().labels)
    }
    expectStop(result, saying: "Only managed objects may be wrapped as thread safe.")
  }
}
