import Foundation
import ProcessTestModels
import RealmSwift
import Synchronization
import TestSupport

/// Something that is written and read in every round.
final class LeakItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var amount = 0
  @Persisted var others: List<LeakItem>
}

/// What a round of the suite does: all that takes something from the system, and gives it back.
///
/// One realm stays open over many rounds; what is made of it again and again must not pile up in it either.
final class LeakLoop {
  private static let itemCount = 20

  private let files: [Realm.Configuration]
  private let memory: Realm.Configuration
  private let queue = DispatchQueue(label: "leaks")
  private var generator: SeededGenerator
  private var home: Realm?

  init(folder: String, seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    files = (0..<4).map { number in
      Realm.Configuration(
        fileURL: URL(fileURLWithPath: "\(folder)/leak\(number).realm"), objectTypes: [LeakItem.self],
        durability: .relaxed)
    }
    memory = Realm.Configuration(inMemoryIdentifier: "leaks", objectTypes: [LeakItem.self])
    for configuration in files { _ = try Self.open(configuration) }
  }

  /// Closes everything.
  func close() throws {
    home = nil
    queue.sync {}
  }

  func run(_ round: Int) throws {
    let home = try self.home ?? Self.open(files[0])
    self.home = home
    try use(home, round)
    let configuration = files[1 + round % 3]
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: try use(Self.open(configuration), round)
    case 1: try use(Self.open(memory), round)
    case 2: try observe(configuration, round)
    case 3: try observe(files[0], round)
    case 4: onThread { try self.use(Self.open(configuration), round) }
    case 5: onThread { try Self.check(Self.open(self.files[0])) }
    case 6: try writeLater(configuration, round)
    default: try openInBackground(configuration)
    }
  }

  private static func open(_ configuration: Realm.Configuration, queue: DispatchQueue? = nil) throws -> Realm
  {
    let realm = try Realm(configuration: configuration, queue: queue)
    if realm.isEmpty {
      try realm.write {
        let items = (0..<itemCount).map { LeakItem(value: ["id": $0]) }
        realm.add(items)
        for item in items { item.others.append(objectsIn: items.prefix(3)) }
      }
    }
    return realm
  }

  private static func check(_ realm: Realm) throws {
    if realm.objects(LeakItem.self).count != itemCount { ChildProcess.say("items are missing") }
  }

  /// Writes, reads, freezes, thaws, and refers to what is there.
  private func use(_ realm: Realm, _ round: Int) throws {
    let id = round % Self.itemCount
    try realm.write {
      let item = realm.object(ofType: LeakItem.self, forPrimaryKey: id)!
      item.amount = round
      item.name = "round \(round)"
    }
    let items = realm.objects(LeakItem.self).where { $0.amount == round }
    let frozen = items.freeze()
    let references = items.map { (ThreadSafeReference(to: $0), ThreadSafeReference(to: $0.others)) }
    guard let thawed = frozen.first?.thaw(), thawed.name == "round \(round)",
      let reference = references.first, realm.resolve(reference.0)?.amount == round
    else { return ChildProcess.say("round \(round) is not what was written") }
    // The other reference is released unresolved.
    if round % 16 == 0 { realm.invalidate() }
  }

  /// Waits until an observer is told of a change, and lets go of it.
  private func observe(_ configuration: Realm.Configuration, _ round: Int) throws {
    let told = DispatchSemaphore(value: 0)
    let queue = queue
    nonisolated(unsafe) var token: NotificationToken?
    try queue.sync {
      let realm = try Self.open(configuration, queue: queue)
      token = realm.objects(LeakItem.self).observe { change in
        if case .update = change { told.signal() }
      }
      try realm.write { realm.objects(LeakItem.self).first?.amount -= 1 }
    }
    told.wait()
    if round % 2 == 0 { token?.invalidate() }
    token = nil
    queue.sync {}
  }

  private func writeLater(_ configuration: Realm.Configuration, _ round: Int) throws {
    let done = DispatchSemaphore(value: 0)
    let queue = queue
    try queue.sync {
      let realm = try Self.open(configuration, queue: queue)
      realm.writeAsync {
        realm.objects(LeakItem.self).last?.amount = round
      } onComplete: { error in
        if let error { ChildProcess.say("\(error)") }
        done.signal()
      }
    }
    done.wait()
    queue.sync {}
  }

  private func openInBackground(_ configuration: Realm.Configuration) throws {
    let done = DispatchSemaphore(value: 0)
    Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
      do { try Self.check(result.get()) } catch { ChildProcess.say("\(error)") }
      done.signal()
    }
    done.wait()
    queue.sync {}
  }

  /// On a thread that ends then.
  private func onThread(_ body: @escaping () throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let body = body
    Thread {
      do { try body() } catch { ChildProcess.say("\(error)") }
      done.signal()
    }.start()
    done.wait()
  }
}
