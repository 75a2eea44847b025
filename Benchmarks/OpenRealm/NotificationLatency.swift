import Dispatch
import Foundation
import RealmSwift
import Synchronization

/// W20: how long after a commit on one thread an observer on another one has the index of what changed.
struct NotificationLatency {
  let path: String
  let dataset: Dataset
  let options: Options
  let log: RunLog

  static let works = ["W20 all", "W20 filter", "W20 list", "W20 object"]
  private static let commitCount = 2000
  private static let firstIDs = 1000
  private static let listID = -20

  func run() throws -> [Measurement] {
    try makeList()
    return try [
      measure("W20 all", "notify: all rows", ids: dataset.count) { realm, receive in
        realm.objects(Dog.self).observe { receive($0) }
      },
      measure("W20 filter", "notify: id < 1000", ids: Self.firstIDs) { realm, receive in
        realm.objects(Dog.self).where { $0.id < Self.firstIDs }.observe { receive($0) }
      },
      measure("W20 list", "notify: a list of 1,000", ids: Self.firstIDs) { realm, receive in
        try OpenRealmSubject.found(realm.object(ofType: Person.self, forPrimaryKey: Self.listID)).dogs
          .observe { receive($0) }
      },
      measureObject(),
    ].compactMap { $0 }
  }

  private func makeList() throws {
    let realm = try Realm(configuration: OpenRealmSubject.configuration(path: path, durability: .relaxed))
    try realm.write {
      let person = Person(value: ["id": Self.listID, "name": "W20"])
      person.dogs.append(objectsIn: realm.objects(Dog.self).where { $0.id < Self.firstIDs })
      realm.add(person)
    }
  }

  /// What the observer tells the writer.
  private final class Mailbox: Sendable {
    let arrived = DispatchSemaphore(value: 0)
    let index = Atomic(-1)
    let time = Atomic<UInt64>(0)

    func receive(_ index: Int) {
      time.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
      self.index.store(index, ordering: .releasing)
      arrived.signal()
    }
  }

  private func measure<Change>(
    _ work: String, _ title: String, ids: Int,
    observe: (Realm, @escaping (RealmCollectionChange<Change>) -> Void) throws -> NotificationToken
  ) throws -> Measurement? {
    guard options.includes(work) else { return nil }
    return try measure(work, title, ids: 0..<min(ids, dataset.count)) { realm, mailbox in
      try observe(realm) { change in
        switch change {
        case .initial: mailbox.arrived.signal()
        case .update(_, _, _, let modifications): mailbox.receive(modifications.first ?? -1)
        case .error: mailbox.receive(-2)
        }
      }
    }
  }

  /// One object among all: the cost must not depend on how many there are.
  private func measureObject() throws -> Measurement? {
    guard options.includes("W20 object") else { return nil }
    let id = dataset.count / 2
    return try measure(
      "W20 object", "notify: one object among all", ids: id..<id + 1
    ) { realm, mailbox in
      let dog = try OpenRealmSubject.found(realm.object(ofType: Dog.self, forPrimaryKey: id))
      mailbox.arrived.signal()
      return dog.observe { (change: ObjectChange<Dog>) in
        if case .change(_, let properties) = change, properties.first?.name == "age" {
          mailbox.receive(id)
        } else {
          mailbox.receive(-1)
        }
      }
    }
  }

  private func measure(
    _ work: String, _ title: String, ids: Range<Int>,
    observe: (Realm, Mailbox) throws -> NotificationToken
  ) throws -> Measurement? {
    let configuration = OpenRealmSubject.configuration(path: path, durability: .relaxed)
    let mailbox = Mailbox()
    let queue = DispatchQueue(label: "observer")
    let token = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      return try observe(realm, mailbox)
    }
    defer { token.invalidate() }
    mailbox.arrived.wait()
    let realm = try Realm(configuration: configuration)
    var random = SplitMix64(seed: 20)
    var samples = Samples()
    for _ in 0..<Self.commitCount {
      let id = ids.lowerBound + Int(random.next() % UInt64(ids.count))
      let dog = try OpenRealmSubject.found(realm.object(ofType: Dog.self, forPrimaryKey: id))
      realm.beginWrite()
      dog.age = (dog.age + 1 + Int(random.next() % 19)) % 20
      try realm.commitWrite()
      let committed = DispatchTime.now().uptimeNanoseconds
      guard mailbox.arrived.wait(timeout: .now() + 10) == .success else {
        throw BenchmarkError("\(work): the observer was not told.")
      }
      guard mailbox.index.load(ordering: .acquiring) == id else {
        throw BenchmarkError("\(work): told of \(mailbox.index.load(ordering: .acquiring)), not of \(id).")
      }
      // The observer may be told before the commit returns.
      let arrived = mailbox.time.load(ordering: .relaxed)
      samples.append(arrived > committed ? Double(arrived - committed) * 1e-9 : 0)
    }
    var measurement = Measurement(work: work, title: title, target: .atMost(0.2e-3))
    measurement.figures[.openRealm] = samples.median
    log.samples([.openRealm: samples], of: work)
    return measurement
  }
}
