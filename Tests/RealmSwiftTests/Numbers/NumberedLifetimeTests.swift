import Foundation
import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// What becomes of numbers when realms move, are closed or frozen, and on other threads.
@Suite struct NumberedLifetimeTests {
  private let file = ScratchRealm(Numbered.types)

  /// A realm with a thing whose number is 5, committed.
  private func withThing(
    _ body: (Realm, NumberedRealm, NumberedClassNames, NumberedObject) throws -> Void
  ) throws {
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    typed.beginWrite()
    let thing = try things.create(["id": .int(1), "number": .int(5), "text": .text("five")])
    try typed.commitWrite()
    try body(typed, realm, things, thing)
  }

  private func code<Value>(_ body: () throws -> Value) -> Refusal.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? Refusal)?.code
    }
  }

  @Test func numbersStayTheSameAfterInvalidation() throws {
    try withThing { typed, realm, things, thing in
      let number = things.column("number")
      for _ in 0..<3 {
        #expect(try realm.integer(thing, number) == 5)
        typed.invalidate()
        #expect(realm.isValid(thing))
        #expect(try realm.string(thing, things.column("text")).elementsEqual("five".utf8))
      }
      typed.beginWrite()
      try realm.delete(thing)
      // Rolls back.
      typed.invalidate()
      #expect(try realm.integer(thing, number) == 5)
      try typed.write { try realm.delete(thing) }
      #expect(code { try realm.integer(thing, number) } == .noSuchObject)
      typed.invalidate()
      #expect(code { try realm.integer(thing, number) } == .noSuchObject)
    }
  }

  @Test func classesThatAreAddedLaterHaveNumbers() throws {
    let file = ScratchRealm([Numbered.Owned.self])
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    #expect(realm.tables.pointee.count == 1)
    var configuration = file.configuration
    configuration.objectTypes = [Numbered.Owned.self, Numbered.Named.self]
    try onOtherThread { [configuration] in
      let other = try Realm(configuration: configuration)
      try other.write { other.create(Numbered.Named.self, value: ["name": "new"]) }
    }
    typed.refresh()
    let named = NumberedClassNames(realm, Numbered.Named.self)
    let found = try #require(try realm.find(named.number, key: .text("new")))
    #expect(try realm.string(found, named.column("name")).elementsEqual("new".utf8))
    try typed.write { try named.create(["name": .text("newer")]) }
    typed.invalidate()
    #expect(try realm.find(named.number, key: .text("newer")) != nil)
  }

  @Test func otherThreadsAreRefused() throws {
    try withThing { _, realm, things, thing in
      let number = things.column("number")
      nonisolated(unsafe) let shared = (realm, things)
      let codes = try onOtherThread { [self] in
        let (realm, things) = shared
        return [
          code { try realm.integer(thing, number) }, code { try realm.setInteger(thing, number, 1) },
          code { try realm.delete(thing) }, code { try things.create([:]) },
          code { try realm.find(thing.classNumber, key: .int(1)) },
          realm.isValid(thing) ? nil : .wrongThread,
        ]
      }
      #expect(codes.allSatisfy { $0 == .wrongThread }, "\(codes)")
      #expect(try realm.integer(thing, number) == 5)
    }
  }

  @Test func closedRealmsAreRefused() throws {
    try withThing { typed, realm, things, thing in
      let number = things.column("number")
      let other = NumberedRealm(typed)
      realm.markClosed()
      #expect(code { try realm.integer(thing, number) } == .closed)
      #expect(code { try realm.set(thing, number, .int(1)) } == .closed)
      #expect(!realm.isValid(thing))
      // Another handle of the same realm goes on.
      let read = try other.integer(thing, number)
      #expect(read == 5)
      let frozen = typed.freeze()
      let frozenByNumber = NumberedRealm(frozen)
      #expect(try frozenByNumber.integer(thing, number) == 5)
      frozen.invalidate()
      #expect(code { try frozenByNumber.integer(thing, number) } == .closed)
      #expect(!frozenByNumber.isValid(thing))
    }
  }

  @Test func frozenRealmsAreReadOnAnyThread() throws {
    try withThing { typed, realm, things, thing in
      let (number, text) = (things.column("number"), things.column("text"))
      nonisolated(unsafe) let frozen = NumberedRealm(typed.freeze())
      try typed.write { try realm.delete(thing) }
      #expect(code { try realm.integer(thing, number) } == .noSuchObject)
      let threads = (0..<4).map { _ in
        Task.detached {
          for _ in 0..<1000 {
            guard try frozen.integer(thing, number) == 5,
              try frozen.string(thing, text).elementsEqual("five".utf8)
            else { return false }
          }
          return true
        }
      }
      let done = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var results: [Bool] = []
      Task.detached {
        for thread in threads { results.append((try? await thread.value) ?? false) }
        done.signal()
      }
      done.waitOrStop()
      #expect(results == [true, true, true, true])
      frozen.markClosed()
      #expect(code { try frozen.integer(thing, number) } == .closed)
    }
  }

  @Test func childrenOfForkAreRefused() async throws {
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let typed = try Realm(
        configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: Numbered.types))
      let realm = NumberedRealm(typed)
      let things = NumberedClassNames(realm, Numbered.Thing.self)
      typed.beginWrite()
      let thing = try things.create(["id": .int(1), "number": .int(5)])
      try typed.commitWrite()
      let number = things.column("number")
      let frozen = NumberedRealm(typed.freeze())
      let read = [try realm.integer(thing, number), try frozen.integer(thing, number)]
      precondition(read == [5, 5])
      typealias Fork = @convention(c) () -> Int32
      let child = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
      if child == 0 {
        alarm(20)
        for realm in [realm, frozen] {
          do throws(Refusal) {
            _ = try realm.integer(thing, number)
            _exit(1)
          } catch {
            if error.code != .closed || realm.isValid(thing) { _exit(2) }
          }
        }
        _exit(9)
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      precondition(status == 9 << 8, "\(status)")
      let again = try realm.integer(thing, number)
      precondition(again == 5)
    }
  }

  @Test func damageIsRefusedFromThenOn() throws {
    let file = ScratchRealm(Numbered.types, encryptionKey: nil)
    try file.write { realm in
      for id in 0..<3000 {
        realm.create(Numbered.Thing.self, value: ["id": id, "text": "needle number \(id)"])
      }
    }
    var bytes = try Data(contentsOf: file.url)
    var changed = 0
    var place = bytes.startIndex
    while let found = bytes.range(of: Data("needle number 1234".utf8), in: place..<bytes.endIndex) {
      bytes[found.lowerBound] ^= 4
      changed += 1
      place = found.upperBound
    }
    try #require(changed > 0)
    try bytes.write(to: file.url)
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    let thing = NumberedObject(classNumber: things.number, row: 1234)
    let sound = NumberedObject(classNumber: things.number, row: 1)
    typed.invalidate()
    #expect(try realm.integer(sound, things.column("id")) == 1)
    let frozen = NumberedRealm(typed.freeze())
    #expect(code { try realm.string(thing, things.column("text")) } == .damaged)
    #expect(code { try realm.integer(sound, things.column("id")) } == .damaged)
    #expect(code { try realm.find(things.number, key: .int(1)) } == .damaged)
    typed.refresh()
    #expect(code { try realm.check() } == .damaged)
    // The frozen realm finds it for itself.
    #expect(code { try frozen.integer(sound, things.column("id")) } == nil)
    #expect(code { try frozen.value(thing, things.column("text")) } == .damaged)
    #expect(code { try frozen.check() } == .damaged)
  }

  @Test func bytesOfEncryptedFilesAreCopies() throws {
    let file = ScratchRealm(Numbered.types, encryptionKey: Data(repeating: 3, count: 64))
    let typed = try file.open()
    let realm = NumberedRealm(typed)
    let things = NumberedClassNames(realm, Numbered.Thing.self)
    let long = String(repeating: "secret ", count: 500)
    typed.beginWrite()
    let thing = try things.create(["id": .int(1), "text": .text(long)])
    let other = try things.create(["id": .int(2)])
    try typed.commitWrite()
    let text = things.column("text")
    #expect(try realm.string(other, text).baseAddress != nil)
    #expect(try realm.string(thing, text).elementsEqual(long.utf8))
    let frozen = NumberedRealm(typed.freeze())
    let bytes = try frozen.string(thing, text)
    frozen.core.snapshot.letGoOfDecrypted()
    #expect(bytes.elementsEqual(long.utf8))
    #expect(try frozen.string(other, text).isEmpty)
  }
}
