import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class UniqueUser: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(unique: true) var email: String?
  @Persisted var tenant = ""
  @Persisted var number: Int?

  override class func indexes() -> [Index] { [.unique(\.tenant, \.number)] }

  convenience init(_ id: Int, _ email: String?, _ tenant: String = "", _ number: Int? = nil) {
    self.init()
    self.id = id
    self.email = email
    self.tenant = tenant
    self.number = number
  }
}

/// `@Persisted(unique:)`, and rules over several properties.
@Suite struct UniquePropertyTests {
  let file = ScratchRealm([UniqueUser.self])

  private func expectBroken(
    _ realm: Realm, _ message: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void
  ) {
    let before = Array(realm.objects(UniqueUser.self).map { "\($0)" })
    let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) { try realm.write(body) }
    #expect(error?.code == .ruleBroken, sourceLocation: sourceLocation)
    #expect(error?.localizedDescription == message, sourceLocation: sourceLocation)
    #expect(!realm.isInWriteTransaction, sourceLocation: sourceLocation)
    #expect(
      Array(realm.objects(UniqueUser.self).map { "\($0)" }) == before, sourceLocation: sourceLocation)
  }

  @Test func aValueOfOneObjectOnly() throws {
    let realm = try file.open()
    try realm.write {
      realm.add(UniqueUser(1, "a"))
      realm.add(UniqueUser(2, "b"))
      for id in 3...5 { realm.add(UniqueUser(id, nil)) }
    }
    let message =
      "Only one object of class 'UniqueUser' can have 'email' 'a': those with primary key 1 and primary key 9 both have it."
    expectBroken(realm, message) { realm.add(UniqueUser(9, "a")) }
    expectBroken(realm, message) {
      realm.create(UniqueUser.self, value: ["id": 9, "email": "a"], update: .modified)
    }
    expectBroken(
      realm,
      "Only one object of class 'UniqueUser' can have 'email' 'z': those with primary key 3 and primary key 4 both have it."
    ) {
      for id in 3...4 { realm.object(ofType: UniqueUser.self, forPrimaryKey: id)!.email = "z" }
    }
    // Two in one transaction, both new.
    expectBroken(
      realm,
      "Only one object of class 'UniqueUser' can have 'email' '': those with primary key 7 and primary key 8 both have it."
    ) {
      realm.add(UniqueUser(7, ""))
      realm.add(UniqueUser(8, ""))
    }
    // What counts is the end: values are exchanged, deleted and given again.
    try realm.write {
      let users = realm.objects(UniqueUser.self).where { $0.id <= 2 }.sorted(by: \.id)
      let (first, second) = (users[0], users[1])
      (first.email, second.email) = ("b", "a")
      realm.delete(second)
      realm.add(UniqueUser(20, "a"))
    }
    #expect(realm.objects(UniqueUser.self).where { $0.email == "a" }.map(\.id) == [20])
    #expect(realm.objects(UniqueUser.self).where { $0.email == nil }.count == 3)
  }

  /// Equivalent texts of other characters are other values, also for updates that leave equal ones alone.
  @Test func equivalentTexts() throws {
    let realm = try file.open()
    try realm.write {
      realm.add(UniqueUser(1, "\u{E9}"))
      realm.create(UniqueUser.self, value: ["id": 1, "email": "e\u{301}"], update: .modified)
      realm.add(UniqueUser(2, "\u{E9}"))
    }
    #expect(realm.objects(UniqueUser.self).where { $0.email == "e\u{301}" }.map(\.id) == [1])
    #expect(realm.objects(UniqueUser.self).where { $0.email == "\u{E9}" }.map(\.id) == [2])
  }

  @Test func valuesOfSeveralProperties() throws {
    let realm = try file.open()
    try realm.write {
      realm.add(UniqueUser(1, nil, "x", 1))
      realm.add(UniqueUser(2, nil, "x", 2))
      realm.add(UniqueUser(3, nil, "y", 1))
      for id in 4...6 { realm.add(UniqueUser(id, nil, "x", nil)) }
    }
    expectBroken(
      realm,
      "Only one object of class 'UniqueUser' can have 'tenant' 'x', 'number' 1: those with primary key 1 and primary key 3 both have it."
    ) { realm.object(ofType: UniqueUser.self, forPrimaryKey: 3)!.tenant = "x" }
    expectBroken(
      realm,
      "Only one object of class 'UniqueUser' can have 'tenant' 'x', 'number' 2: those with primary key 2 and primary key 4 both have it."
    ) { realm.object(ofType: UniqueUser.self, forPrimaryKey: 4)!.number = 2 }
    try realm.write {
      for user in realm.objects(UniqueUser.self) { user.number = user.number.map { 3 - $0 } }
    }
    #expect(realm.objects(UniqueUser.self).where { $0.tenant == "x" && $0.number == 1 }.map(\.id) == [2])
  }

  /// Whoever writes later finds what others have written before.
  @Test func otherThreadsAndAsynchronousWrites() async throws {
    try file.write { $0.add(UniqueUser(1, "a")) }
    let queue = QueueRealm(file)
    let code = Mutex<Realm.Error.Code?>(nil)
    await queue.wait { realm, done in
      realm.writeAsync {
        realm.add(UniqueUser(2, "a"))
      } onComplete: { error in
        code.withLock { $0 = (error as? Realm.Error)?.code }
        done()
      }
    }
    queue.forget()
    #expect(code.withLock { $0 } == .ruleBroken)
    let realm = try file.open()
    #expect(realm.objects(UniqueUser.self).count == 1)
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(UniqueUser(3, "a")) } }
  }

  @Test func aRuleForObjectsThatBreakIt() throws {
    let plain = file.described([
      DescribedClass(
        "UniqueUser",
        [
          DescribedProperty("id", .int, primaryKey: true),
          DescribedProperty("email", .string, optional: true), DescribedProperty("tenant", .string),
          DescribedProperty("number", .int, optional: true),
        ])
    ])
    try autoreleasepool {
      let realm = try Realm(configuration: plain)
      try realm.write {
        for id in 0..<60 {
          let email: Any = id < 50 ? "mail \(id / 2)" : NSNull()
          realm.dynamicCreate("UniqueUser", value: ["id": id, "email": email])
        }
      }
    }
    let before = try Data(contentsOf: file.url)
    let error = realmError { _ = try file.open() }
    #expect(error?.code == .ruleBroken)
    let lines = (error?.localizedDescription ?? "").split(separator: "\n").map(String.init)
    #expect(lines.first == "Objects of class 'UniqueUser' have the same values where only one may have them:")
    #expect(
      lines.dropFirst().first
        == "- Only one object of class 'UniqueUser' can have 'email' 'mail 0': those with primary key 0 and primary key 1 both have it."
    )
    #expect(lines.count == 22 && lines.last == "- and 5 more")
    // Nothing has been changed, and the rule can be kept later.
    #expect(try Data(contentsOf: file.url) == before)
    try autoreleasepool {
      let realm = try Realm(configuration: plain)
      try realm.write {
        for object in realm.dynamicObjects("UniqueUser") { object["email"] = "mail \(object["id"] as! Int)" }
      }
    }
    let realm = try file.open()
    #expect(realm.objects(UniqueUser.self).where { $0.email == "mail 7" }.map(\.id) == [7])
    #expect(realm.schema["UniqueUser"]!["email"]!.isUnique)
  }

  /// Nobody hears of what was not written.
  @Test func observers() throws {
    let file = file
    let thread = RunLoopThread()
    defer { thread.stop() }
    let journal = AsyncJournal()
    try thread.run {
      let realm = try file.open()
      try realm.write { for id in 1...2 { realm.add(UniqueUser(id, "\(id)")) } }
      let users = realm.objects(UniqueUser.self)
      let tokens = [
        users.observe { change in
          if case .update(_, _, let insertions, let changed) = change {
            journal.add("\(insertions) \(changed)")
          }
        },
        users[1].observe { _ in journal.add("object") },
        realm.observe { _, _ in journal.add("realm") },
      ]
      realm.refresh()
      let before = journal.all
      #expect(throws: Realm.Error.self) { try realm.write { users[1].email = "1" } }
      #expect(throws: Realm.Error.self) { try realm.write { realm.add(UniqueUser(3, "2")) } }
      realm.refresh()
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
      #expect(journal.all == before)
      #expect(users.map(\.email) == ["1", "2"])
      try realm.write { realm.add(UniqueUser(3, "3")) }
      realm.refresh()
      #expect(Set(journal.all.dropFirst(before.count)) == ["realm", "[2] []"])
      withExtendedLifetime(tokens) {}
    }
  }

  /// Random transactions against plain Swift.
  @Test func random() throws {
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max))
    let realm = try file.open()
    var model: [Int: (email: String?, tenant: String, number: Int?)] = [:]
    var broken = 0
    for _ in 0..<300 {
      var next = model
      realm.beginWrite()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let id = Int.random(in: 0..<30, using: &random)
        if Int.random(in: 0..<5, using: &random) == 0 {
          realm.delete(realm.objects(UniqueUser.self).where { $0.id == id })
          next[id] = nil
        } else {
          let email =
            Int.random(in: 0..<4, using: &random) == 0 ? nil : "\(Int.random(in: 0..<60, using: &random))"
          let tenant = ["", "x", "y"].randomElement(using: &random)!
          let number =
            Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: -9...9, using: &random)
          realm.add(UniqueUser(id, email, tenant, number), update: .modified)
          next[id] = (email, tenant, number)
        }
      }
      let emails = next.values.compactMap(\.email)
      let pairs = next.values.compactMap { value in value.number.map { "\(value.tenant)/\($0)" } }
      if Set(emails).count == emails.count && Set(pairs).count == pairs.count {
        try realm.commitWrite()
        model = next
      } else {
        broken += 1
        #expect(throws: Realm.Error.self) { try realm.commitWrite() }
      }
      #expect(Set(realm.objects(UniqueUser.self).map(\.id)) == Set(model.keys))
    }
    #expect(broken > 20 && broken < 280)
    for user in realm.objects(UniqueUser.self) {
      #expect(user.email == model[user.id]!.email && user.number == model[user.id]!.number)
    }
    realm.invalidate()
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
  }
}
