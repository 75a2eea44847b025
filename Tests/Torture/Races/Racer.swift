import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// What one of the racing threads does.
struct Racer {
  private let arena: RaceArena
  private var generator: SeededGenerator
  /// Realms of this thread that are kept open for a while.
  private var kept: [Realm?] = [nil, nil]

  init(_ arena: RaceArena, number: Int, seed: UInt64) {
    self.arena = arena
    generator = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
  }

  private mutating func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  /// One step, whatever it is.
  mutating func act() {
    do {
      switch random(99) {
      case 0..<30: try readAndFreeze()
      case 30..<50: useWhatWasHanded()
      case 50..<58: _ = arena.exchange(random(arena.placeCount), nil)
      case 58..<66: try refer()
      case 66..<76: try write()
      case 76..<82: kept[random(kept.count)] = nil
      case 82..<87: kept[random(kept.count)]?.invalidate()
      case 87..<90: kept[random(kept.count)]?.refresh()
      case 90..<96: try observe()
      case 96..<98: try writeLater()
      default: openElsewhere()
      }
    } catch {
      ChildProcess.say("\(error)")
    }
  }

  private mutating func open() throws -> (realm: Realm, configuration: Int) {
    // Most of them go for the same file.
    let configuration = random(2) == 0 ? 1 : random(arena.configurations.count)
    let realm = try arena.open(configuration)
    if random(4) == 0 { kept[random(kept.count)] = realm }
    return (realm, configuration)
  }

  /// Realms come and go as quickly as possible: that of this thread, and the frozen one that all threads share.
  func openAndRelease() {
    do {
      let realm = try Realm(configuration: arena.configurations[1])
      if !realm.freeze().isFrozen { ChildProcess.say("a frozen realm is live") }
    } catch {
      ChildProcess.say("\(error)")
    }
  }

  private mutating func readAndFreeze() throws {
    let (realm, _) = try open()
    let frozen = realm.freeze()
    let accounts = frozen.objects(RaceAccount.self)
    RaceArena.check(accounts, "frozen realm")
    let place = random(arena.placeCount)
    switch random(6) {
    case 0: _ = arena.exchange(place, .realm(frozen))
    case 1: _ = arena.exchange(place, .accounts(accounts))
    case 2: if let account = accounts.first { _ = arena.exchange(place, .account(account)) }
    case 3: if let account = accounts.last { _ = arena.exchange(place, .partners(account.partners)) }
    default: break  // Perhaps the last reference to it.
    }
  }

  private mutating func useWhatWasHanded() {
    switch arena.look(random(arena.placeCount)) {
    case .realm(let frozen):
      RaceArena.check(frozen.objects(RaceAccount.self), "handed realm")
      RaceArena.check(frozen.thaw().objects(RaceAccount.self), "thawed realm")
    case .accounts(let accounts):
      RaceArena.check(accounts, "handed accounts")
      if let live = accounts.thaw() { RaceArena.check(live.freeze(), "accounts thawed and frozen") }
    case .account(let account):
      let (id, thawed) = (account.id, account.thaw()?.id)
      if id < 0 || thawed != id {
        ChildProcess.say("the thawed account \(id) is \(thawed.map { "\($0)" } ?? "gone")")
      }
    case .partners(let partners):
      if partners.contains(where: { $0.id >= 5 }) { ChildProcess.say("a list has other partners") }
      let (count, thawed) = (partners.count, partners.thaw()?.count)
      if thawed != count {
        let place = "\(partners.realm?.configuration.fileURL?.lastPathComponent ?? "memory")"
        ChildProcess.say(
          "a list of \(count) partners in \(place) is \(thawed.map { "one of \($0)" } ?? "gone") when it is thawed"
        )
      }
    case .reference(let reference, let configuration):
      guard let realm = try? arena.open(configuration) else {
        return ChildProcess.say("no realm to resolve in")
      }
      if let accounts = realm.resolve(reference) { RaceArena.check(accounts, "resolved accounts") }
    case .objectReference(let reference, let configuration):
      guard let realm = try? arena.open(configuration) else {
        return ChildProcess.say("no realm to resolve in")
      }
      if realm.resolve(reference)?.isInvalidated != false { ChildProcess.say("a resolved account is gone") }
    case .token(let token): token.invalidate()
    case .watcher, nil: break
    }
  }

  private mutating func refer() throws {
    let (realm, configuration) = try open()
    let accounts = realm.objects(RaceAccount.self)
    let place = random(arena.placeCount)
    if random(2) == 0 {
      _ = arena.exchange(place, .reference(ThreadSafeReference(to: accounts), configuration: configuration))
    } else if let account = accounts.first {
      _ = arena.exchange(
        place, .objectReference(ThreadSafeReference(to: account), configuration: configuration))
    }
  }

  private mutating func write() throws {
    let (realm, _) = try open()
    let (amount, from, to) = (random(10), random(RaceArena.accountCount), random(RaceArena.accountCount))
    if random(5) == 0 {
      realm.beginWrite()
      RaceArena.move(amount, from: from, to: to, in: realm)
      realm.cancelWrite()
    } else {
      try realm.write { RaceArena.move(amount, from: from, to: to, in: realm) }
    }
  }

  private mutating func observe() throws {
    let (arena, place, configuration) = (arena, random(arena.placeCount), random(arena.configurations.count))
    let queue = arena.queues[random(arena.queues.count)]
    let watchesRealm = random(2) == 0
    queue.async {
      do {
        let realm = try arena.open(configuration, queue: queue)
        // Released by whoever takes the place next, on any thread.
        _ = arena.exchange(
          place, watchesRealm ? .token(realm.observe { _, _ in }) : .watcher(RaceWatcher(realm)))
      } catch {
        ChildProcess.say("\(error)")
      }
    }
  }

  private mutating func writeLater() throws {
    let (arena, configuration) = (arena, random(arena.configurations.count))
    let queue = arena.queues[random(arena.queues.count)]
    let (amount, from, to) = (random(10), random(RaceArena.accountCount), random(RaceArena.accountCount))
    queue.async {
      do {
        let realm = try arena.open(configuration, queue: queue)
        realm.writeAsync {
          RaceArena.move(amount, from: from, to: to, in: realm)
        } onComplete: { error in
          if let error { ChildProcess.say("\(error)") }
        }
      } catch {
        ChildProcess.say("\(error)")
      }
    }
  }

  /// A thread that ends at once, and a queue that opens a realm in the background.
  private mutating func openElsewhere() {
    let (arena, configuration) = (arena, random(arena.configurations.count))
    if random(2) == 0 {
      Thread {
        do {
          RaceArena.check(try arena.open(configuration).freeze().objects(RaceAccount.self), "short thread")
        } catch {
          ChildProcess.say("\(error)")
        }
      }.start()
    } else {
      Realm.asyncOpen(
        configuration: arena.configurations[configuration],
        callbackQueue: arena.queues[random(arena.queues.count)]
      ) { result in
        switch result {
        case .success(let realm): RaceArena.check(realm.objects(RaceAccount.self), "realm opened elsewhere")
        case .failure(let error): ChildProcess.say("\(error)")
        }
      }
    }
  }
}
