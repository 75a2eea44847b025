import Foundation
import RealmSwift
import TestSupport
import Testing

/// An array that starts from what is observed first, and applies each change, must always equal the collection.
@Suite struct ReplayTests {
  /// After so many steps everything is observed anew.
  private static let stepsOfRound = 100
  /// A collection is compared with what was replayed after so many steps.
  private static let stepsOfCheck = 10

  private static func observeAll(_ realm: Realm) -> [Replay] {
    let dogs = realm.objects(WatchedDog.self)
    let keepers = realm.objects(WatchedKeeper.self)
    let dog = Replay.remembering(realm, \WatchedDog.content)
    let keeper = Replay.remembering(realm, \WatchedKeeper.content)
    var replays = [
      Replay.observe("all dogs", dogs, dog),
      Replay.observe("all keepers", keepers, keeper),
      Replay.observe("young", dogs.where { $0.age < 5 }, dog),
      Replay.observe("by toy", dogs.filter("toy.price > 5 AND age > 2"), dog),
      Replay.observe("by count", dogs.filter("toys.@count > 1 OR ANY toys.price == 3"), dog),
      Replay.observe("with keepers", dogs.filter("ANY keepers.name BEGINSWITH 'k1'"), dog),
      Replay.observe("sorted", dogs.sorted(byKeyPath: "age"), dog),
      Replay.observe(
        "sorted by two", dogs.sorted(by: ["name", SortDescriptor(keyPath: "age", ascending: false)]), dog),
      Replay.observe("filtered, sorted", dogs.where { $0.age > 3 }.sorted(byKeyPath: "toy.price"), dog),
      Replay.observe("distinct", dogs.sorted(byKeyPath: "id").distinct(by: ["age"]), dog),
      Replay.observe("any collection", AnyRealmCollection(dogs.where { $0.age == 7 }), dog),
    ]
    replays += observeKeyPaths(realm, dogs, keepers)
    for keeper in keepers.suffix(2) { replays += observeCollections(of: keeper, dog) }
    for dog in dogs.suffix(2) {
      replays += [
        Replay.observe("linking objects", dog.keepers, keeper),
        Replay.observe("linking objects' words", dog.admirers, keyPaths: ["words"]) { "\(Array($0.words))" },
      ]
    }
    for list in dogs.lazy.compactMap(\.any.listValue).prefix(3) {
      replays.append(Replay.observe("list within a value", list) { "\($0.intValue ?? -1)" })
    }
    for map in dogs.lazy.compactMap(\.any.dictionaryValue).prefix(3) {
      replays.append(Replay.observe("dictionary within a value", map) { "\($0.intValue ?? -1)" })
    }
    return replays
  }

  private static func observeCollections(
    of keeper: WatchedKeeper, _ dog: @escaping (WatchedDog) -> String
  ) -> [Replay] {
    let number: (Int) -> String = { "\($0)" }
    return [
      Replay.observe("list", keeper.dogs, dog),
      Replay.observe("set", keeper.dogSet, dog),
      Replay.observe("map", keeper.dogMap) { $0.map(dog) ?? "nil" },
      Replay.observe("list, keepers' names", keeper.dogs, keyPaths: ["keepers.name"]) { names($0.keepers) },
      Replay.observe("map, ages", keeper.dogMap, keyPaths: ["age"]) { $0.map { "\($0.age)" } ?? "nil" },
      Replay.observe("filtered list", keeper.dogs.where { $0.age < 9 }, dog),
      Replay.observe("sorted list", keeper.dogs.sorted(byKeyPath: "name"), dog),
      Replay.observe("numbers", keeper.numbers, number),
      Replay.observe("sorted numbers", keeper.numbers.sorted(), number),
      Replay.observe("distinct numbers", keeper.numbers.distinct(), number),
      Replay.observe("words", keeper.words) { $0 },
      Replay.observe("scores", keeper.scores, number),
      Replay.observe("mixed", keeper.mixed) { $0.object(WatchedDog.self).map(dog) ?? "\($0.intValue ?? -1)" },
    ]
  }

  /// With key paths an observer sees what lies at their ends and on their way.
  private static func observeKeyPaths(
    _ realm: Realm, _ dogs: Results<WatchedDog>, _ keepers: Results<WatchedKeeper>
  ) -> [Replay] {
    let keeperNames = Replay.remembering(realm) { (dog: WatchedDog) in names(dog.keepers) }
    return [
      Replay.observe("names", dogs, keyPaths: ["name"], \.name),
      Replay.observe("toys", dogs, keyPaths: ["toy"]) { ids([$0.toy].compactMap { $0 }) },
      Replay.observe("prices", dogs, keyPaths: ["toy.price", "toys.price"]) {
        "\($0.toy?.price ?? -1) \(Array($0.toys.map(\.price)))"
      },
      Replay.observe("keepers", dogs, keyPaths: ["keepers"]) { ids($0.keepers) },
      Replay.observe("keepers' names", dogs, keyPaths: ["keepers.name"], keeperNames),
      Replay.observe("admirers' words", dogs.where { $0.age < 9 }, keyPaths: ["admirers.words"]) {
        $0.admirers.map { "\(Array($0.words))" }.joined(separator: ";")
      },
      Replay.observe(
        "keepers of both kinds", dogs.sorted(byKeyPath: "name"), keyPaths: ["setKeepers", "mapKeepers"]
      ) {
        ids($0.setKeepers) + "/" + ids($0.mapKeepers)
      },
      Replay.observe("dogs with the toy", dogs, keyPaths: ["toy.dogs.age"]) {
        "\($0.toy.map { Array($0.dogs.map(\.age)) } ?? [])"
      },
      Replay.observe("keepers of dogs", keepers, keyPaths: ["dogs.keepers.name"]) {
        $0.dogs.map(keeperNames).joined(separator: ";")
      },
      Replay.observe("toys' dogs' keepers", keepers, keyPaths: ["favourite.toy.dogs.keepers.favourite.name"])
      {
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

  /// What needs to be told of must be told.
  @Test(arguments: TestLength.seeds([1, 2, 3, 4], short: 2)) func replay(seed: UInt64) async throws {
    let steps = TestLength.count(1500, long: 5000)
    print("seed \(seed)")
    let file = ScratchRealm(watchedClasses)
    let configuration = file.configuration
    var writing = RandomWatchedWrites(seed: seed)
    let writer = try file.open()
    try writer.write { for _ in 0..<30 { writing.change(writer) } }
    let queue = DispatchQueue(label: "observer")
    nonisolated(unsafe) var replays: [Replay] = []
    nonisolated(unsafe) let observed = try queue.sync {
      try Realm(configuration: configuration, queue: queue)
    }
    var updates: [String: Int] = [:]
    for step in 0..<steps {
      if step % Self.stepsOfRound == 0 {
        // Those of objects that were deleted have nothing to tell any more.
        queue.sync {
          for replay in replays { updates[replay.name, default: 0] += replay.updates }
          replays = Self.observeAll(observed)
          observed.refresh()
          for replay in replays { #expect(replay.isStarted, "\(replay.name)") }
        }
      }
      // Now and then several transactions are told at once, and the observing realm writes, too.
      for _ in 0..<(step % 7 == 0 ? 3 : 1) {
        if step % 11 == 5 {
          nonisolated(unsafe) var random = writing
          try queue.sync {
            try observed.write { for _ in 0..<random.count { random.change(observed) } }
          }
          writing = random
          writer.refresh()
        } else {
          try writer.write { for _ in 0..<writing.count { writing.change(writer) } }
        }
      }
      let faults = queue.sync {
        observed.refresh()
        for (number, replay) in replays.enumerated() where (step + number) % Self.stepsOfCheck == 0 {
          replay.check()
        }
        return replays.flatMap(\.faults)
      }
      if let fault = faults.first {
        Issue.record("seed \(seed), step \(step): \(fault)")
        break
      }
    }
    queue.sync {
      for replay in replays { updates[replay.name, default: 0] += replay.updates }
      replays = []
    }
    for (name, count) in updates { #expect(count > steps / 500, "\(name)") }
  }
}
