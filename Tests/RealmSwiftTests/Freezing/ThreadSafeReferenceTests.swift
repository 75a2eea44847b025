import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Handing objects and collections over to other threads.
@Suite struct ThreadSafeReferenceTests {
  typealias Crate = FreezeTests.FrozenCrate

  private static func crate(_ realm: Realm, _ id: Int = 5) -> Crate? {
    realm.object(ofType: Crate.self, forPrimaryKey: id)
  }

  /// Resolves a reference on a thread of its own and checks what comes out.
  ///
  /// - Parameter isUsed: Whether something is read there before, so that the realm stays at its version.
  private func resolve<Confined: ThreadConfined & SendableMetatype>(
    _ reference: ThreadSafeReference<Confined>, _ file: ScratchRealm, isUsed: Bool = false,
    _ check: @escaping @Sendable (Confined?) throws -> Void
  ) throws {
    try onOtherThread {
      let realm = try file.open()
      if isUsed { #expect(!realm.objects(Crate.self).isEmpty) }
      let confined = realm.resolve(reference)
      if let confined { #expect(confined.realm == realm) }
      try check(confined)
    }
  }

  @Test func everyKind() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let crate = Self.crate(realm)!
    let object = ThreadSafeReference(to: crate)
    #expect(!object.isInvalidated)
    try resolve(object, file) { #expect($0!.name == "crate 5") }
    #expect(object.isInvalidated)
    try resolve(ThreadSafeReference(to: crate.seal!), file) { #expect($0!.text == "seal 5") }
    try resolve(ThreadSafeReference(to: crate.labels), file) {
      #expect($0!.count == 5 && $0![1] == "label 1")
    }
    try resolve(ThreadSafeReference(to: crate.tags), file) { #expect(Set($0!) == Set(0..<5)) }
    try resolve(ThreadSafeReference(to: crate.prices), file) { #expect($0!["price 2"] == 2) }
    try resolve(ThreadSafeReference(to: crate.children), file) { #expect($0!.map(\.id) == Array(0..<5)) }
    try resolve(ThreadSafeReference(to: crate.parents), file) { #expect($0!.map(\.id) == [6, 7, 8, 9]) }
    let list = crate.anything.listValue!
    try resolve(ThreadSafeReference(to: list), file) { #expect($0![0] == .int(5)) }
    let map = list[1].dictionaryValue!
    try resolve(ThreadSafeReference(to: map), file) { #expect($0!["key"] == .string("value 5")) }
    let results = realm.objects(Crate.self).where { $0.id > 6 }.sorted(by: \.id, ascending: false)
    try resolve(ThreadSafeReference(to: results), file) { #expect($0!.map(\.id) == [9, 8, 7]) }
    try resolve(ThreadSafeReference(to: crate.children.filter("id > 2")), file) {
      #expect($0!.map(\.id) == [3, 4])
    }
    try resolve(ThreadSafeReference(to: crate.labels.sorted(ascending: false)), file) {
      #expect($0!.first == "label 4")
    }
    try resolve(ThreadSafeReference(to: AnyRealmCollection(results)), file) {
      #expect($0!.map(\.id) == [9, 8, 7])
    }
    let sections = realm.objects(Crate.self).sectioned(
      by: { $0.id % 2 }, sortDescriptors: [SortDescriptor(keyPath: "id")])
    try resolve(ThreadSafeReference(to: sections), file) { #expect($0!.allKeys == [0, 1]) }
    try resolve(ThreadSafeReference(to: sections[1]), file) { #expect($0!.map(\.id) == [1, 3, 5, 7, 9]) }
    let dynamic = realm.dynamicObjects("FrozenCrate")[3]
    try resolve(ThreadSafeReference(to: dynamic), file) { #expect($0!["name"] as? String == "crate 3") }
  }

  @Test func deletedMeanwhile() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let crate = Self.crate(realm)!
    let object = ThreadSafeReference(to: crate)
    let list = ThreadSafeReference(to: crate.labels)
    let links = ThreadSafeReference(to: crate.parents)
    let query = ThreadSafeReference(to: crate.children.filter("id > 2"))
    try realm.write { realm.delete(crate) }
    try resolve(object, file, isUsed: true) { #expect($0 == nil) }
    try resolve(list, file, isUsed: true) { #expect($0 == nil) }
    try resolve(links, file, isUsed: true) { #expect($0 == nil) }
    try resolve(query, file, isUsed: true) { #expect($0 == nil) }
  }

  @Test func anotherFile() throws {
    let realm = try FreezeTests.file().open()
    let other = try FreezeTests.file()
    try resolve(ThreadSafeReference(to: Self.crate(realm)!), other) { #expect($0 == nil) }
    try resolve(ThreadSafeReference(to: realm.objects(Crate.self)), other) { #expect($0 == nil) }
  }

  @Test func onTheSameThread() throws {
    let realm = try FreezeTests.file().open()
    let crate = Self.crate(realm)!
    #expect(realm.resolve(ThreadSafeReference(to: crate))!.isSameObject(as: crate))
    #expect(realm.resolve(ThreadSafeReference(to: crate.labels)) == crate.labels)
  }

  @Test func frozenThings() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let frozen = Self.crate(realm)!.freeze()
    let live = realm.resolve(ThreadSafeReference(to: frozen))!
    #expect(!live.isFrozen && live.realm == realm && live.name == "crate 5")
    let again = realm.freeze().resolve(ThreadSafeReference(to: live))!
    #expect(again.isFrozen && again == frozen)
  }

  // MARK: Versions

  @Test func anOlderRealmIsRefreshed() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    #expect(realm.objects(Crate.self).count == 10)
    let reference = try onOtherThread {
      let realm = try file.open()
      return try realm.write {
        ThreadSafeReference(to: realm.create(Crate.self, value: ["id": 77, "name": "new"]))
      }
    }
    #expect(realm.objects(Crate.self).count == 10)
    #expect(realm.resolve(reference)?.name == "new")
    #expect(realm.objects(Crate.self).count == 11)
  }

  @Test func aNewerRealmStays() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let reference = ThreadSafeReference(to: Self.crate(realm)!)
    try onOtherThread {
      let realm = try file.open()
      try realm.write { Self.crate(realm)!.name = "later" }
    }
    try onOtherThread {
      let realm = try file.open()
      #expect(Self.crate(realm)!.name == "later")
      #expect(realm.resolve(reference)!.name == "later")
    }
    #expect(Self.crate(realm)!.name == "crate 5")
  }

  /// One that was just opened shows the version of the reference, and moves on from there as any other.
  @Test func aRealmThatWasJustOpened() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let crate = Self.crate(realm)!
    let reference = ThreadSafeReference(to: crate)
    let another = ThreadSafeReference(to: crate)
    try onOtherThread {
      let realm = try file.open()
      try realm.write { Self.crate(realm)!.name = "later" }
    }
    try onOtherThread {
      let realm = try file.open()
      let crate = realm.resolve(reference)!
      #expect(crate.name == "crate 5" && Self.crate(realm)!.name == "crate 5")
      #expect(realm.resolve(another)!.name == "crate 5")
      #expect(realm.refresh())
      #expect(crate.name == "later")
      try realm.write { crate.name = "last" }
      #expect(crate.name == "last")
    }
    realm.refresh()
    #expect(crate.name == "last")
  }

  /// A map as another thread has left it, after a refresh.
  @Test func wrappedMaps() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    @ThreadSafe var wrapped = Self.crate(realm)!.prices
    let wrapper = $wrapped
    try onOtherThread {
      let map = wrapper.wrappedValue!
      try map.realm!.write { map["from elsewhere"] = 2 }
    }
    realm.refresh()
    #expect(wrapped!["from elsewhere"] == 2)
  }

  @Test func duringAWrite() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    realm.beginWrite()
    let created = realm.create(Crate.self, value: ["id": 100, "labels": ["a"]])
    let object = ThreadSafeReference(to: created)
    let list = ThreadSafeReference(to: created.labels)
    try realm.commitWrite()
    try resolve(object, file) { #expect($0!.id == 100) }
    try resolve(list, file) { #expect(Array($0!) == ["a"]) }
    realm.beginWrite()
    let cancelled = ThreadSafeReference(to: realm.create(Crate.self, value: ["id": 101]))
    let within = realm.resolve(ThreadSafeReference(to: realm.create(Crate.self, value: ["id": 102])))
    #expect(within?.id == 102)
    realm.cancelWrite()
    try realm.write { realm.create(Crate.self, value: ["id": 103]) }
    try resolve(cancelled, file) { #expect($0 == nil) }
  }

  @Test func resolvedInAWrite() throws {
    let file = try FreezeTests.file()
    let reference = try onOtherThread { ThreadSafeReference(to: Self.crate(try file.open())!) }
    let realm = try file.open()
    try realm.write { realm.resolve(reference)!.name = "written" }
    #expect(Self.crate(realm)!.name == "written")
  }

  /// A reference keeps the file's version, and the file open, until it is resolved or dropped.
  @Test func theFileStaysOpen() throws {
    let file = try FreezeTests.file()
    var reference: ThreadSafeReference<Crate>? = ThreadSafeReference(to: Self.crate(try file.open())!)
    #expect(RealmFiles.isOpen(file.configuration))
    #expect(reference?.isInvalidated == false)
    reference = nil
    #expect(!RealmFiles.isOpen(file.configuration))
  }

  @Test func manyThreads() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let sum = Mutex(0)
    for round in 0..<20 {
      let crate = Self.crate(realm, round % 10)!
      try realm.write { crate.name = "round \(round)" }
      let references = (0..<8).map { _ in ThreadSafeReference(to: crate) }
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        let here = try! file.open().resolve(references[number])!
        if here.name == "round \(round)" { sum.withLock { $0 += 1 } }
      }
    }
    #expect(sum.withLock { $0 } == 160)
  }

  // MARK: What stops the program

  struct Custom: ThreadConfined {
    var realm: Realm? { nil }
    var isInvalidated: Bool { false }
    var isFrozen: Bool { false }
    func freeze() -> Custom { self }
    func thaw() -> Custom? { self }
  }

  @Test func customConformance() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: Custom())
    }
    expectStop(result, saying: "Illegal custom conformance to `RLMThreadConfined` by `Custom`")
  }

  @Test func unmanagedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: Crate())
    }
    expectStop(
      result,
      saying: "Cannot construct reference to unmanaged object, which can be passed across threads directly")
  }

  @Test func unmanagedList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: Crate().labels)
    }
    expectStop(
      result,
      saying: "Cannot construct reference to unmanaged object, which can be passed across threads directly")
  }

  @Test func deletedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      let crate = Self.crate(realm)!
      try realm.write { realm.delete(crate) }
      _ = ThreadSafeReference(to: crate)
    }
    expectStop(result, saying: "Cannot construct reference to invalidated object")
  }

  @Test func listOfADeletedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      let crate = Self.crate(realm)!
      let labels = crate.labels
      try realm.write { realm.delete(crate) }
      _ = ThreadSafeReference(to: labels)
    }
    expectStop(result, saying: "Cannot construct reference to invalidated object")
  }

  @Test func resolvingTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      let reference = ThreadSafeReference(to: Self.crate(realm)!)
      _ = realm.resolve(reference)
      _ = realm.resolve(reference)
    }
    expectStop(result, saying: "Can only resolve a thread safe reference once.")
  }

  @Test func queryOnAListOfTheSameWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      realm.beginWrite()
      let crate = realm.create(Crate.self, value: ["id": 200])
      _ = ThreadSafeReference(to: crate.children.filter("id > 1"))
    }
    expectStop(
      result,
      saying:
        "Cannot create a ThreadSafeReference to Results backed by a collection of objects inside the write transaction which created the collection."
    )
  }

  @Test func onAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try FreezeTests.file().open()
      nonisolated(unsafe) let crate = Self.crate(realm)!
      try onOtherThread { _ = ThreadSafeReference(to: crate) }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }
}
