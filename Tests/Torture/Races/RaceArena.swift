import Foundation
import RealmSwift
import TestSupport

/// One of several accounts between which money is moved: there is always the same amount.
final class RaceAccount: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var balance = 0
  @Persisted var name = ""
  @Persisted var partners: List<RaceAccount>
}

/// What the racing threads share: the files, the queues, and what they hand to each other.
final class RaceArena: Sendable {
  static let accountCount = 24
  static let total = accountCount * 100

  /// Something that any thread may have.
  enum Handed: @unchecked Sendable {
    case realm(Realm)
    case accounts(Results<RaceAccount>)
    case account(RaceAccount)
    case partners(List<RaceAccount>)
    case reference(ThreadSafeReference<Results<RaceAccount>>, configuration: Int)
    case objectReference(ThreadSafeReference<RaceAccount>, configuration: Int)
    case token(NotificationToken)
    case watcher(RaceWatcher)
  }

  let configurations: [Realm.Configuration]
  let queues = (0..<3).map { DispatchQueue(label: "race \($0)") }
  private let handed = Mutex<[Handed?]>(Array(repeating: nil, count: 16))

  init(folder: String) throws {
    configurations =
      (0..<3).map { number in
        Realm.Configuration(
          fileURL: URL(fileURLWithPath: "\(folder)/race\(number).realm"), objectTypes: [RaceAccount.self],
          durability: number == 0 ? .full : .relaxed)
      }
      + [
        Realm.Configuration(
          inMemoryIdentifier: "race-\(ProcessInfo.processInfo.processIdentifier)",
          objectTypes: [RaceAccount.self])
      ]
  }

  /// Puts something into a place, and returns what was there.
  func exchange(_ place: Int, _ new: Handed?) -> Handed? {
    handed.withLock { handed in
      defer { handed[place] = new }
      return handed[place]
    }
  }

  /// What is in a place, which stays there for others to use at the same time. References can be used only once, and
  /// are given to one alone.
  func look(_ place: Int) -> Handed? {
    handed.withLock { handed in
      let found = handed[place]
      switch found {
      case .reference, .objectReference: handed[place] = nil
      default: break
      }
      return found
    }
  }

  var placeCount: Int { handed.withLock(\.count) }

  /// Lets go of everything, and waits for the queues.
  func close() {
    for place in 0..<placeCount { _ = exchange(place, nil) }
    for queue in queues { queue.sync {} }
  }

  /// Opens a realm, and sees to it that there are accounts in it.
  func open(_ configuration: Int, queue: DispatchQueue? = nil) throws -> Realm {
    let realm = try Realm(configuration: configurations[configuration], queue: queue)
    if realm.objects(RaceAccount.self).isEmpty {
      try realm.write {
        guard realm.objects(RaceAccount.self).isEmpty else { return }
        let accounts = (0..<Self.accountCount).map { RaceAccount(value: ["id": $0, "balance": 100]) }
        realm.add(accounts)
        for account in accounts { account.partners.append(objectsIn: accounts.prefix(account.id % 5)) }
      }
    }
    return realm
  }

  /// Moves money from an account to another.
  static func move(_ amount: Int, from: Int, to: Int, in realm: Realm) {
    guard let giver = realm.object(ofType: RaceAccount.self, forPrimaryKey: from),
      let taker = realm.object(ofType: RaceAccount.self, forPrimaryKey: to)
    else { return ChildProcess.say("account \(from) or \(to) is missing") }
    giver.balance -= amount
    taker.balance += amount
    taker.name = "got \(amount) of \(from)"
  }

  /// Complains when the accounts are not as they always are.
  static func check(_ accounts: Results<RaceAccount>, _ where: String) {
    var sum = 0
    var count = 0
    for account in accounts {
      sum += account.balance
      count += 1
    }
    // Before the first transaction of all.
    if count == 0 { return }
    if count != accountCount || sum != total { ChildProcess.say("\(`where`): \(count) accounts with \(sum)") }
  }
}

/// Watches the accounts of a realm of a queue.
final class RaceWatcher: @unchecked Sendable {
  private let token: NotificationToken

  init(_ realm: Realm) {
    token = realm.objects(RaceAccount.self).observe { change in
      switch change {
      case .initial(let accounts), .update(let accounts, _, _, _): RaceArena.check(accounts, "observer")
      case .error(let error): ChildProcess.say("observer: \(error)")
      }
    }
  }

  deinit { token.invalidate() }
}
