import Foundation
import RealmSwift
import Testing

/// An array that starts from what is observed first, and applies each change, must always equal the collection.
@Suite struct ReplayTests {
  /// One observed collection with its replayed contents.
  private final class Replay {
    let name: String
    private let current: () -> [String]
    private(set) var copy: [String] = []
    private(set) var isStarted = false
    private(set) var updates = 0
    var token: NotificationToken?

    init(_ name: String, _ current: @escaping () -> [String]) {
      self.name = name
      self.current = current
    }

    func receive(_ update: (deletions: [Int], insertions: [Int], modifications: [Int])?) {
      let now = current()
      guard let update else {
        copy = now
        isStarted = true
        return
      }
      updates += 1
      #expect(Set(update.deletions).isDisjoint(with: update.modifications), "\(name)")
      let deleted = Set(update.deletions)
      let modified = Set(update.modifications)
      var kept: [(content: String, isModified: Bool)] = []
      for (position, content) in copy.enumerated() where !deleted.contains(position) {
        kept.append((content, modified.contains(position)))
      }
      for position in update.insertions.sorted() {
        guard position <= kept.count else {
          Issue.record("\(name): inserted at \(position) of \(kept.count)")
          return
        }
        kept.insert(("", true), at: position)
      }
      guard kept.count == now.count else {
        Issue.record("\(name): \(kept.count) elements, not \(now.count), after \(update)")
        copy = now
        return
      }
      copy = zip(kept, now).map { $0.isModified ? $1 : $0.content }
    }

    func check(_ step: Int, seed: UInt64) {
      let now = current()
      if copy != now {
        let place = zip(copy, now).enumerated().first { $0.element.0 != $0.element.1 }
        Issue.record(
          "\(name) differs at step \(step), seed \(seed): \(copy.count) and \(now.count) elements, \(String(describing: place))"
        )
      }
    }
  }

  private final class Keys<Key> {
    var keys: [Key] = []
  }

  private static func observe<C: RealmCollection>(
    _ name: String, _ collection: C, keyPaths: [String]? = nil, _ content: @escaping (C.Element) -> String
  ) -> Replay {
    let replay = Replay(name) { collection.isInvalidated ? [] : collection.map(content) }
    replay.token = collection.observe(keyPaths: keyPaths) { [unowned replay] change in
      switch change {
      case .initial: replay.receive(nil)
      case .update(_, let deletions, let insertions, let modifications):
        replay.receive((deletions, insertions, modifications))
      case .error: Issue.record("error")
      }
    }
    return replay
  }

  private static func observe<Key: _MapKey, Value>(
    _ name: String, _ map: Map<Key, Value>, _ content: @escaping (Value) -> String
  ) -> Replay {
    let keys = Keys<Key>()
    let replay = Replay(name) { map.isInvalidated ? [] : map.values.map(content) }
    replay.token = map.observe { [unowned replay] change in
      switch change {
      case .initial(let map):
        keys.keys = map.keys
        replay.receive(nil)
      case .update(let map, let deletions, let insertions, let modifications):
        let old = keys.keys
        keys.keys = map.isInvalidated ? [] : map.keys
        replay.receive(
          (
            deletions.compactMap { old.firstIndex(of: $0) },
            insertions.compactMap { keys.keys.firstIndex(of: $0) },
            modifications.compactMap { old.firstIndex(of: $0) }
          ))
      case .error: Issue.record("error")
      }
    }
    return replay
  }

  private static func observeAll(_ realm: Realm) -> [Replay] {
    let dogs = realm.objects(WatchedDog.self)
    let keepers = realm.objects(WatchedKeeper.self)
    let dog: (WatchedDog) -> String = \.content
    let number: (Int) -> String = { "\($0)" }
    var replays = [
      observe("all dogs", dogs, dog),
      observe("all keepers", keepers, \.content),
      observe("young", dogs.where { $0.age < 5 }, dog),
      observe("by toy", dogs.filter("toy.price > 5 AND age > 2"), dog),
      observe("by count", dogs.filter("toys.@count > 1 OR ANY toys.price == 3"), dog),
      observe("with keepers", dogs.filter("ANY keepers.name BEGINSWITH 'k1'"), dog),
      observe("sorted", dogs.sorted(byKeyPath: "age"), dog),
      observe(
        "sorted by two", dogs.sorted(by: ["name", SortDescriptor(keyPath: "age", ascending: false)]), dog),
      observe("filtered, sorted", dogs.where { $0.age > 3 }.sorted(byKeyPath: "toy.price"), dog),
      observe("distinct", dogs.sorted(byKeyPath: "id").distinct(by: ["age"]), dog),
      observe("any collection", AnyRealmCollection(dogs.where { $0.age == 7 }), dog),
    ]
    replays += observeKeyPaths(dogs, keepers)
    for keeper in keepers.prefix(2) {
      let id = keeper.id
      replays += [
        observe("list \(id)", keeper.dogs, dog),
        observe("set \(id)", keeper.dogSet, dog),
        observe("map \(id)", keeper.dogMap) { $0?.content ?? "nil" },
        observe("list \(id), keepers' names", keeper.dogs, keyPaths: ["keepers.name"]) {
          names($0.keepers)
        },
        observe("filtered list \(id)", keeper.dogs.where { $0.age < 9 }, dog),
        observe("sorted list \(id)", keeper.dogs.sorted(byKeyPath: "name"), dog),
        observe("numbers \(id)", keeper.numbers, number),
        observe("sorted numbers \(id)", keeper.numbers.sorted(), number),
        observe("distinct numbers \(id)", keeper.numbers.distinct(), number),
        observe("words \(id)", keeper.words) { $0 },
        observe("scores \(id)", keeper.scores, number),
        observe("mixed \(id)", keeper.mixed) {
          $0.object(WatchedDog.self)?.content ?? "\($0.intValue ?? -1)"
        },
      ]
    }
    for dog in dogs.prefix(2) {
      replays.append(observe("linking objects", dog.keepers, \.content))
    }
    return replays
  }

  /// With key paths an observer sees what lies at their ends and on their way.
  private static func observeKeyPaths(
    _ dogs: Results<WatchedDog>, _ keepers: Results<WatchedKeeper>
  ) -> [Replay] {
    [
      observe("names", dogs, keyPaths: ["name"], \.name),
      observe("toys", dogs, keyPaths: ["toy"]) { ids([$0.toy].compactMap { $0 }) },
      observe("prices", dogs, keyPaths: ["toy.price", "toys.price"]) {
        "\($0.toy?.price ?? -1) \(Array($0.toys.map(\.price)))"
      },
      observe("keepers", dogs, keyPaths: ["keepers"]) { ids($0.keepers) },
      observe("keepers' names", dogs, keyPaths: ["keepers.name"]) { names($0.keepers) },
      observe("admirers' words", dogs.where { $0.age < 9 }, keyPaths: ["admirers.words"]) {
        $0.admirers.map { "\(Array($0.words))" }.joined(separator: ";")
      },
      observe(
        "keepers of both kinds", dogs.sorted(byKeyPath: "name"), keyPaths: ["setKeepers", "mapKeepers"]
      ) {
        ids($0.setKeepers) + "/" + ids($0.mapKeepers)
      },
      observe("dogs with the toy", dogs, keyPaths: ["toy.dogs.age"]) {
        "\($0.toy.map { Array($0.dogs.map(\.age)) } ?? [])"
      },
      observe("keepers of dogs", keepers, keyPaths: ["dogs.keepers.name"]) {
        $0.dogs.map { names($0.keepers) }.joined(separator: ";")
      },
      observe("toys' dogs' keepers", keepers, keyPaths: ["favourite.toy.dogs.keepers.favourite.name"]) {
        ($0.favourite?.toy?.dogs).map { $0.map { favourites($0.keepers) }.joined(separator: ";") } ?? "-"
      },
    ]
  }

  private static func ids(_ objects: some Sequence<some Object>) -> String {
    objects.map { "\($0["id"] ?? "-")" }.joined(separator: ",")
  }

  private static func names(_ keepers: some Sequence<WatchedKeeper>) -> String {
    keepers.map { "\($0.id) \($0.name)" }.joined(separator: ",")
  }

  private static func favourites(_ keepers: some Sequence<WatchedKeeper>) -> String {
    keepers.map { $0.favourite?.name ?? "-" }.joined(separator: ",")
  }

  /// What needs to be told of must be told. `REPLAY_STEPS` makes it longer.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func replay(seed: UInt64) async throws {
    let steps = ProcessInfo.processInfo.environment["REPLAY_STEPS"].flatMap { Int($0) } ?? 700
    print("seed \(seed)")
    let file = try TestRealm(watchedClasses)
    let configuration = file.configuration
    var writing = RandomWatchedWrites(seed: seed)
    let writer = try file.open()
    try writer.write { for _ in 0..<30 { writing.change(writer) } }
    let queue = DispatchQueue(label: "observer")
    nonisolated(unsafe) var replays: [Replay] = []
    nonisolated(unsafe) var observed: Realm?
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      observed = realm
      replays = Self.observeAll(realm)
      realm.refresh()
      for replay in replays { #expect(replay.isStarted) }
    }
    for step in 0..<steps {
      // Now and then several transactions are told at once, and the observing realm writes, too.
      for _ in 0..<(step % 7 == 0 ? 3 : 1) {
        if step % 11 == 5 {
          nonisolated(unsafe) var random = writing
          try queue.sync {
            let realm = observed!
            try realm.write { for _ in 0..<random.count { random.change(realm) } }
          }
          writing = random
          writer.refresh()
        } else {
          try writer.write { for _ in 0..<writing.count { writing.change(writer) } }
        }
      }
      queue.sync {
        observed!.refresh()
        for replay in replays { replay.check(step, seed: seed) }
      }
    }
    queue.sync {
      // Those of keepers that were deleted soon have little to tell.
      #expect(replays.filter { $0.updates > 3 }.count > replays.count / 2)
      #expect(replays.reduce(0) { $0 + $1.updates } > steps)
      replays = []
      observed = nil
    }
  }
}
