import Foundation
import RealmSwift
import TestSupport
import Testing

class GroupedNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var text: String
  @Persisted var words: List<String>
  @Persisted var next: GroupedNote?
  @Persisted(originProperty: "next") var previous: LinkingObjects<GroupedNote>
}

/// Commits that may become one version with those of the blocks that wait behind them.
@Suite struct GroupedWriteTests {
  /// A realm on a serial queue of its own.
  private final class GroupedRealm: @unchecked Sendable {
    let queue = DispatchQueue(label: "grouped realm")
    let file = ScratchRealm([GroupedNote.self])
    /// Only used on the queue.
    private var kept: Realm?

    var configuration: Realm.Configuration { file.configuration }

    init() { queue.sync { kept = try! Realm(configuration: configuration, queue: queue) } }

    func sync<Result>(_ body: (Realm) throws -> Result) rethrows -> Result {
      try queue.sync { try body(kept!) }
    }

    /// Asks for grouped writes, and returns the results of the commits when the last one's is there. Each block
    /// returns whether it is committed.
    func write(
      _ count: Int, _ block: @escaping @Sendable (Realm, Int) -> Bool = { _, _ in true },
      afterCommit: @escaping @Sendable (Realm, Int) -> Void = { _, _ in }
    ) async -> [String] {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          let journal = AsyncJournal()
          let realm = kept!
          for number in 0..<count {
            realm.beginAsyncWrite {
              if block(realm, number) {
                realm.commitAsyncWrite(allowGrouping: true) { error in
                  journal.add(error == nil ? "\(number)" : "\(number) failed")
                }
                afterCommit(realm, number)
              }
            }
          }
          realm.writeAsync {
          } onComplete: { _ in
            continuation.resume(returning: journal.all)
          }
        }
      }
    }

    var texts: [Int: String] {
      get throws {
        let realm = try Realm(configuration: configuration, queue: nil)
        return Dictionary(
          uniqueKeysWithValues: realm.objects(GroupedNote.self).map { ($0.id, $0.text) })
      }
    }

    var version: UInt64 { sync { $0.diagnostics.newestVersion } }
  }

  private let realm = GroupedRealm()

  @Test func manyBecomeFewVersions() async throws {
    let before = realm.version
    let done = await realm.write(500) { realm, number in
      #expect(realm.objects(GroupedNote.self).count == number)
      realm.add(GroupedNote(value: ["id": number, "text": "t\(number)"]))
      return true
    }
    #expect(done == (0..<500).map(String.init))
    #expect(try realm.texts == Dictionary(uniqueKeysWithValues: (0..<500).map { ($0, "t\($0)") }))
    // How many depends on the speed of the machine: a turn that takes long ends after each block.
    var isGrouped = realm.version - before < 500
    for round in 0..<100 where !isGrouped {
      let before = realm.version
      _ = await realm.write(10) { realm, number in
        realm.add(GroupedNote(value: ["id": 500 + round * 10 + number, "text": ""]))
        return true
      }
      isGrouped = realm.version - before < 10
    }
    #expect(isGrouped)
  }

  @Test func laterBlocksSeeWhatEarlierOnesChanged() async throws {
    let done = await realm.write(200) { realm, number in
      let notes = realm.objects(GroupedNote.self)
      let last = realm.object(ofType: GroupedNote.self, forPrimaryKey: number - 1)
      #expect((last != nil) == (number > 0))
      if let last {
        #expect(notes.where { $0.text == "t\(number - 1)" }.count == 1)
        #expect(last.words.count == number - 1)
        #expect(Array(last.words) == (0..<number - 1).map { "w\($0)" })
      }
      let note = realm.create(GroupedNote.self, value: ["id": number, "text": "t\(number)"])
      note.words.append(objectsIn: (0..<number).map { "w\($0)" })
      last?.next = note
      #expect(note.previous.first == last)
      return true
    }
    #expect(done.count == 200)
    try realm.sync { realm in
      let first = try #require(realm.object(ofType: GroupedNote.self, forPrimaryKey: 0))
      #expect(sequence(first: first, next: \.next).map(\.id) == Array(0..<200))
    }
  }

  @Test func whatIsNotCommittedLeavesTheOthers() async throws {
    let done = await realm.write(300) { realm, number in
      #expect(realm.objects(GroupedNote.self).count == (number + 2) / 3)
      #expect(realm.object(ofType: GroupedNote.self, forPrimaryKey: 1) == nil)
      let note = realm.create(GroupedNote.self, value: ["id": number, "text": "t\(number)"])
      if number > 0 { realm.object(ofType: GroupedNote.self, forPrimaryKey: 0)!.words.append("\(number)") }
      switch number % 3 {
      case 0: return true
      case 1:
        realm.cancelWrite()
        #expect(note.isInvalidated)
        return false
      default: return false
      }
    }
    let kept = (0..<300).filter { $0 % 3 == 0 }
    #expect(done == kept.map(String.init))
    #expect(try realm.texts.keys.sorted() == kept)
    #expect(
      realm.sync { Array($0.object(ofType: GroupedNote.self, forPrimaryKey: 0)!.words) }
        == kept.dropFirst().map(String.init))
  }

  /// What cannot use anything but a version gets one.
  @Test func whatNeedsAVersionAfterACommit() async throws {
    let journal = AsyncJournal()
    let realm = realm
    let done = await realm.write(60) { realm, number in
      realm.add(GroupedNote(value: ["id": number, "text": "t\(number)"]))
      return true
    } afterCommit: { open, number in
      #expect(!open.isInWriteTransaction)
      let note = open.object(ofType: GroupedNote.self, forPrimaryKey: number)!
      switch number % 7 {
      case 0: #expect(note.freeze().text == "t\(number)")
      case 1: #expect(open.freeze().objects(GroupedNote.self).count == open.objects(GroupedNote.self).count)
      case 2:
        let reference = ThreadSafeReference(to: note)
        let configuration = realm.configuration
        Thread.detachNewThread {
          let other = try! Realm(configuration: configuration, queue: nil)
          journal.add("resolved \(other.resolve(reference)?.text ?? "nothing")")
        }
      case 3: try! open.write { note.words.append("more") }
      case 4: #expect(!open.refresh())
      case 5:
        let copy = realm.file.folder.appending(path: "copy-\(number).realm")
        try! open.writeCopy(toFile: copy, encryptionKey: realm.configuration.encryptionKey)
        var configuration = realm.configuration
        configuration.fileURL = copy
        let copied = try! Realm(configuration: configuration, queue: nil)
        #expect(copied.object(ofType: GroupedNote.self, forPrimaryKey: number) != nil)
      default:
        open.invalidate()
        #expect(open.object(ofType: GroupedNote.self, forPrimaryKey: number) != nil)
      }
    }
    #expect(Set(done) == Set((0..<60).map(String.init)))
    #expect(try realm.texts.count == 60)
    try await eventually { journal.all.count >= 9 }
    #expect(Set(journal.all) == Set(stride(from: 2, to: 60, by: 7).map { "resolved t\($0)" }))
  }

  /// In a block that has not changed anything yet, what earlier ones changed can become a version, too.
  @Test func whatNeedsAVersionBeforeAChange() async throws {
    let done = await realm.write(50) { realm, number in
      if number > 0 {
        let last = realm.object(ofType: GroupedNote.self, forPrimaryKey: number - 1)!
        #expect(last.freeze().text == "t\(number - 1)")
        #expect(realm.isInWriteTransaction)
        last.words.append("later")
      }
      realm.add(GroupedNote(value: ["id": number, "text": "t\(number)"]))
      return true
    }
    #expect(done.count == 50)
    #expect(
      realm.sync { $0.objects(GroupedNote.self).where { $0.words.count == 1 }.count } == 49)
  }

  /// The same on top of a block's own changes, which stay its own.
  @Test func whatNeedsAVersionAfterAChange() async throws {
    let journal = AsyncJournal()
    let realm = realm
    let done = await realm.write(60) { open, number in
      let note = open.create(
        GroupedNote.self, value: ["id": number, "text": String(repeating: "t\(number) ", count: 100)])
      note.words.append(objectsIn: ["a", "b"])
      if number > 0, let last = open.object(ofType: GroupedNote.self, forPrimaryKey: number - 1) {
        last.words.append("later")
        last.next = note
        #expect(last.freeze().text == last.text)
        #expect(Array(last.freeze().words) == ["a", "b", "c"])
        let reference = ThreadSafeReference(to: last)
        let configuration = realm.configuration
        Thread.detachNewThread {
          let other = try! Realm(configuration: configuration, queue: nil)
          journal.add(other.resolve(reference)?.text ?? "nothing")
        }
        #expect(last.words.last == "later" && last.next == note)
      }
      #expect(open.isInWriteTransaction)
      note.words.append("c")
      #expect(Array(note.words) == ["a", "b", "c"])
      return number % 10 != 9
    }
    #expect(done.count == 54)
    try realm.sync { open in
      #expect(open.objects(GroupedNote.self).count == 54)
      for number in 0..<60 where number % 10 != 9 {
        let note = try #require(open.object(ofType: GroupedNote.self, forPrimaryKey: number))
        #expect(note.text == String(repeating: "t\(number) ", count: 100))
        #expect(Array(note.words) == ["a", "b", "c"] + (number % 10 != 8 ? ["later"] : []))
        #expect(note.next?.id == (number % 10 != 8 ? number + 1 : nil))
      }
    }
    try await eventually { journal.all.count >= 54 }
    #expect(!journal.all.contains("nothing"))
  }

  /// A realm with observers does not group: what a silent commit does not tell is its own changes only.
  @Test func silentCommitsWithinBlocks() async throws {
    let realm = realm
    nonisolated(unsafe) var copy: [Int] = []
    nonisolated(unsafe) var token: NotificationToken?
    realm.sync { open in
      token = open.objects(GroupedNote.self).sorted(byKeyPath: "id").observe { change in
        switch change {
        case .initial(let notes): copy = notes.map(\.id)
        case .update(let notes, let deletions, let insertions, _):
          for position in deletions.reversed() { copy.remove(at: position) }
          for position in insertions { copy.insert(notes[position].id, at: position) }
        case .error: Issue.record("error")
        }
      }
    }
    let done = await realm.write(40) { open, number in
      open.add(GroupedNote(value: ["id": number, "text": "t\(number)"]))
      if number % 4 != 3 { return true }
      try! open.commitWrite(withoutNotifying: [token!])
      copy.append(number)
      return false
    }
    #expect(done.count == 30)
    try await eventually { realm.sync { _ in copy.count >= 40 } }
    realm.sync { _ in
      #expect(copy.sorted() == Array(0..<40))
      token?.invalidate()
      token = nil
    }
  }

  @Test func synchronousCommitsWithinBlocks() async throws {
    let done = await realm.write(100) { realm, number in
      realm.add(GroupedNote(value: ["id": number, "text": "t\(number)"]))
      if number % 5 != 4 { return true }
      try! realm.commitWrite()
      try! realm.write { realm.add(GroupedNote(value: ["id": 1000 + number, "text": "extra"])) }
      return false
    }
    #expect(done == (0..<100).filter { $0 % 5 != 4 }.map(String.init))
    #expect(try realm.texts.count == 120)
  }

  @Test func othersWhoWaitAreServed() async throws {
    let realm = realm
    let journal = AsyncJournal()
    async let done = realm.write(3000) { open, number in
      open.add(GroupedNote(value: ["id": number, "text": "t\(number)"]))
      if number == 10 {
        let configuration = realm.configuration
        Thread.detachNewThread {
          let other = try! Realm(configuration: configuration, queue: nil)
          try! other.write {
            journal.add("other \(other.objects(GroupedNote.self).count)")
            other.add(GroupedNote(value: ["id": -1, "text": "other"]))
          }
        }
      }
      if number == 2999 { journal.add("last") }
      return true
    }
    #expect(await done.count == 3000)
    try await eventually { journal.all.count >= 2 }
    #expect(try realm.texts.count == 3001)
  }

  @Test func observersElsewhereAreToldOfGroups() async throws {
    let realm = realm
    let watching = DispatchQueue(label: "watching")
    nonisolated(unsafe) var copy: [Int] = []
    nonisolated(unsafe) var told = 0
    nonisolated(unsafe) var token: NotificationToken?
    try watching.sync {
      let notes = try Realm(configuration: realm.configuration, queue: watching).objects(GroupedNote.self)
      token = notes.sorted(byKeyPath: "id").observe { change in
        switch change {
        case .initial(let notes): copy = notes.map(\.id)
        case .update(let notes, let deletions, let insertions, _):
          told += 1
          for position in deletions.reversed() { copy.remove(at: position) }
          for position in insertions { copy.insert(notes[position].id, at: position) }
          #expect(copy == notes.map(\.id))
        case .error: Issue.record("error")
        }
      }
    }
    let before = realm.version
    let done = await realm.write(400) { open, number in
      open.add(GroupedNote(value: ["id": (number * 7919) % 1009, "text": "t\(number)"]))
      if number % 4 == 3 { open.delete(open.objects(GroupedNote.self).sorted(byKeyPath: "id")[number / 8]) }
      return number % 6 != 5
    }
    #expect(done.count == 400 - 66)
    #expect(realm.version - before <= 400 - 66)
    let ids = try realm.texts.keys.sorted()
    try await eventually { watching.sync { copy == ids } }
    #expect(watching.sync { told } > 0)
    watching.sync {
      token?.invalidate()
      token = nil
    }
  }
}
