import Foundation
import RealmSwift
import TestSupport
import Testing

/// Results of a class some of whose objects were deleted, and filtered results of many objects, against an array.
@Suite struct ResultsWithGapsTests {
  @Test(arguments: [91, 92, 93] as [UInt64])
  func areThoseOfAnArray(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let scratch = ScratchRealm.ofCollections()
    let realm = scratch.realm
    var model = Model(realm)
    for step in 0..<25 {
      realm.beginWrite()
      let before = model
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        model.change(realm, &random)
        if Bool.random(using: &random) { model.check(&random, "seed \(seed), step \(step), writing") }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        realm.cancelWrite()
        model = before
      } else {
        try realm.commitWrite()
      }
      model.check(&random, "seed \(seed), step \(step)")
    }
  }

  /// Ages are numbered; every second walker weighs nothing.
  private struct Model {
    let all: Results<Walker>
    let light: Results<Walker>
    var ages: [Int] = []
    var next = 0

    init(_ realm: Realm) {
      all = realm.objects(Walker.self)
      light = all.where { $0.weight == 0 }
    }

    mutating func change(_ realm: Realm, _ random: inout SeededGenerator) {
      if !ages.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
        let position = ages.indices.randomElement(using: &random)!
        realm.delete(all[position])
        ages.remove(at: position)
        return
      }
      for _ in 0..<Int.random(in: 1...300, using: &random) {
        realm.add(Walker("\(next)", age: next, weight: Double(next % 2)))
        ages.append(next)
        next += 1
      }
    }

    func check(_ random: inout SeededGenerator, _ comment: Comment) {
      Self.check(all, ages, &random, comment)
      Self.check(light, ages.filter { $0 % 2 == 0 }, &random, comment)
      #expect(light.sum(of: \.age) == ages.filter { $0 % 2 == 0 }.reduce(0, +), comment)
    }

    private static func check(
      _ results: Results<Walker>, _ ages: [Int], _ random: inout SeededGenerator, _ comment: Comment
    ) {
      #expect(results.count == ages.count, comment)
      for _ in 0..<5 {
        guard let position = ages.indices.randomElement(using: &random) else { break }
        #expect(results[position].age == ages[position], comment)
        #expect(results.index(of: results[position]) == position, comment)
      }
      #expect(results.first?.age == ages.first && results.last?.age == ages.last, comment)
      #expect(results.prefix(3).map(\.age) == Array(ages.prefix(3)), comment)
      var walked: [Int?] = []
      for walker in results { walked.append(walker.age) }
      #expect(walked == ages, comment)
    }
  }

  /// Few objects of very many rows are kept as a list.
  @Test func fewObjectsAreLeft() throws {
    let scratch = ScratchRealm.ofCollections()
    let realm = scratch.realm
    let all = realm.objects(Walker.self)
    try realm.write {
      for age in 0..<6_000 { realm.add(Walker("\(age)", age: age)) }
      #expect(all.count == 6_000 && all[500].age == 500)
      realm.delete(all.where { $0.age >= 7 && $0.age < 5_990 })
      #expect(all.map { $0.age! } == Array(0..<7) + Array(5_990..<6_000))
    }
    #expect(
      all[7].age == 5_990 && all.last?.age == 5_999 && realm.freeze().objects(Walker.self)[16].age == 5_999
    )
  }

  /// A walk goes over what was there when it began.
  @Test func walksDoNotSeeWhatComesOrGoes() throws {
    let scratch = ScratchRealm.ofCollections()
    let realm = scratch.realm
    let all = realm.objects(Walker.self)
    try realm.write {
      for age in 0..<3000 { realm.add(Walker("\(age)", age: age)) }
      realm.delete(all.where { $0.age < 10 })
    }
    for results in [all, all.where { $0.age > 5 }] {
      var seen: [Int?] = []
      realm.beginWrite()
      for walker in results {
        if seen.isEmpty {
          realm.add(Walker("new", age: 5000))
          realm.delete(all.where { $0.age == 2000 || $0.age == 2999 })
        }
        seen.append(walker.isInvalidated ? nil : walker.age)
      }
      realm.cancelWrite()
      #expect(seen == (10..<3000).map { $0 == 2000 || $0 == 2999 ? nil : $0 })
    }
  }

  /// What was known of the version before is not that of the one that is read then.
  @Test func invalidatedRealmsAreReadAnew() throws {
    let scratch = ScratchRealm.ofCollections()
    let realm = scratch.realm
    let all = realm.objects(Walker.self)
    try realm.write {
      for age in 0..<3000 { realm.add(Walker("\(age)", age: age)) }
      realm.delete(all.where { $0.age < 10 })
    }
    for round in 0..<3 {
      #expect(all[5].age == 15 + round && all.count == 2990 - round)
      realm.invalidate()
      #expect(all.last?.age == 2999 && all[5].age == 15 + round)
      realm.invalidate()
      let configuration = scratch.configuration
      try onOtherThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.delete(other.objects(Walker.self).where { $0.age == 10 + round }) }
      }
      realm.refresh()
    }
    #expect(all.map { $0.age! } == Array(13..<3000))
  }

  /// Each snapshot counts its changes, and none may take what another has found for its own.
  @Test func whatWasFoundBeforeInvalidatingIsForgotten() throws {
    let scratch = ScratchRealm.ofCollections()
    let configuration = scratch.configuration
    scratch.write { for age in 0..<10 { scratch.realm.add(Walker("\(age)", age: age)) } }
    try onOtherThread {
      let realm = try Realm(configuration: configuration)
      let results = [
        realm.objects(Walker.self), realm.objects(Walker.self).where { $0.age >= 0 },
        realm.objects(Walker.self).sorted(byKeyPath: "age"),
      ]
      for count in [10, 9, 8] {
        for walkers in results { #expect(walkers.map { $0.age! } == Array(0..<count)) }
        try onOtherThread {
          let other = try Realm(configuration: configuration)
          try other.write { other.delete(other.objects(Walker.self).last!) }
        }
        realm.invalidate()
      }
      for walkers in results { #expect(walkers.count == 7 && walkers.last?.age == 6) }
    }
  }

  /// What is found late is found once, whoever asks first.
  @Test func frozenResultsAreReadByManyThreads() throws {
    let scratch = ScratchRealm.ofCollections()
    let realm = scratch.realm
    try realm.write {
      for age in 0..<5000 { realm.add(Walker("\(age)", age: age, weight: Double(age % 2))) }
      realm.delete(realm.objects(Walker.self).where { $0.age < 100 })
    }
    for _ in 0..<20 {
      let frozen = realm.freeze()
      nonisolated(unsafe) let all = frozen.objects(Walker.self)
      nonisolated(unsafe) let light = all.where { $0.weight == 0 }
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        let position = number * 1000
        #expect(all[position].age == position + 100)
        #expect(light[position / 2].age == position + 100)
        #expect(all.index(of: all[4899 - number]) == 4899 - number)
        #expect(light.map { $0.age! } == stride(from: 100, to: 5000, by: 2).map { $0 })
      }
    }
  }
}
