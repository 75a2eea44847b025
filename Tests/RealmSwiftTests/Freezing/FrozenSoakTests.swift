import Foundation
import TestSupport
import Testing

import struct Synchronization.Atomic

@testable import RealmSwift

/// Many threads read the same frozen things at once, which they also use for the first time at once, while others
/// write. Run under the thread sanitizer by `make test-tsan`.
@Suite struct FrozenSoakTests {
  typealias Crate = FreezeTests.FrozenCrate

  /// What all threads have in common, without anything having been asked of it before.
  private struct Shared: @unchecked Sendable {
    let realm: Realm
    let crate: Crate
    let labels: List<String>
    let tags: MutableSet<Int>
    let prices: Map<String, Double>
    let children: List<Crate>
    let parents: LinkingObjects<Crate>
    let nested: List<AnyRealmValue>
    let all: Results<Crate>
    let chosen: Results<Crate>
    let sorted: Results<Crate>
    let sortedLabels: Results<String>
    let sections: SectionedResults<Int, Crate>
    let hidden: AnyRealmCollection<Crate>

    init(_ live: Realm) {
      let crate = live.object(ofType: Crate.self, forPrimaryKey: 5)!
      let all = live.objects(Crate.self)
      realm = live.freeze()
      self.crate = crate.freeze()
      labels = crate.labels.freeze()
      tags = crate.tags.freeze()
      prices = crate.prices.freeze()
      children = crate.children.freeze()
      parents = crate.parents.freeze()
      nested = crate.anything.listValue!.freeze()
      self.all = all.freeze()
      chosen = all.where { $0.name.in(["crate 2", "crate 6"]) }.freeze()
      sorted = all.sorted(by: \.name, ascending: false).freeze()
      sortedLabels = crate.labels.sorted(ascending: false).freeze()
      sections = all.sectioned(
        by: { $0.id % 3 }, sortDescriptors: [SortDescriptor(keyPath: "id")]
      ).freeze()
      hidden = AnyRealmCollection(crate.children.filter("id >= 2")).freeze()
    }

    /// Reads everything; returns what is not as it should be.
    func problems(_ round: Int) -> [String] {
      var problems: [String] = []
      func check(_ condition: Bool, _ line: Int = #line) {
        if !condition { problems.append("line \(line) in round \(round)") }
      }
      check(crate.id == 5 && crate.name == "crate 5" && crate.best!.id == 4 && crate.best!.best!.id == 3)
      check(crate.seal!.text == "seal 5" && Array(crate.seal!.marks) == [5, 6])
      check(crate.labels.count == 5 && crate.labels[3] == "label 3" && crate.labels == labels)
      check(labels[round % 5] == "label \(round % 5)" && Array(labels).count == 5)
      check(labels.index(of: "label 2") == 2)
      check(Set(tags) == Set(0..<5) && tags.contains(round % 5) && !tags.contains(9))
      check(prices["price 4"] == 4 && prices.count == 5 && prices.keys.contains("price 1"))
      check(children.map(\.id) == Array(0..<5) && children[round % 5].id == round % 5)
      check(parents.count == 4 && parents.map(\.id) == [6, 7, 8, 9] && parents[0].name == "crate 6")
      check(crate.parents.filter("id > 7").count == 2)
      check(nested[0] == .int(5) && nested[1].dictionaryValue!["key"] == .string("value 5"))
      check(all.count == 10 && all[round % 10].isFrozen && all.map(\.id).reduce(0, +) == 45)
      check(chosen.map(\.id) == [2, 6] && chosen.count == 2)
      check(sorted.first!.id == 9 && sorted[9].id == 0 && sorted.map(\.id) == (0..<10).reversed())
      check(sortedLabels.first == "label 4")
      check(sections.allKeys == [0, 1, 2] && sections[1].map(\.id) == [1, 4, 7])
      check(hidden.map(\.id) == [2, 3, 4] && hidden.count == 3)
      check(all.where { $0.name == "crate \(round % 10)" }.map(\.id) == [round % 10])
      check(all.filter("ANY children.id == 8").map(\.id) == [9] && all.sum(of: \.id) == 45)
      check(all.filter("parents.@count > 4").count == 5)
      check(all.filter("name ENDSWITH 'one'").sorted(by: \.name).map(\.id) == [])
      check(realm.object(ofType: Crate.self, forPrimaryKey: round % 10)!.name == "crate \(round % 10)")
      check(realm.object(ofType: Crate.self, forPrimaryKey: 1_000) == nil)
      check(realm.dynamicObjects("FrozenCrate")[2]["name"] as? String == "crate 2")
      check(crate.hash == crate.freeze().hash && crate == crate.freeze() && crate.isSameObject(as: all[5]))
      check(crate.description.contains("crate 5"))
      check(crate.value(forKeyPath: "best.name") as? String == "crate 4")
      return problems
    }
  }

  @Test func everythingFromManyThreads() throws {
    let file = try FreezeTests.file()
    let realm = try file.open()
    let problems = Mutex<[String]>([])
    let isDone = Atomic(false)
    let writerEnded = DispatchSemaphore(value: 0)
    Thread {
      let realm = try! file.open()
      var number = 0
      while !isDone.load(ordering: .relaxed) {
        try! realm.write {
          for crate in realm.objects(Crate.self) {
            crate.name = "written \(number)"
            crate.labels.append("written")
            crate.prices["written"] = Double(number)
          }
          realm.create(Crate.self, value: ["id": 100 + number])
        }
        number += 1
      }
      writerEnded.signal()
    }.start()
    for round in 0..<30 {
      // The content that the threads expect, in a version of its own each time.
      try realm.write {
        for crate in realm.objects(Crate.self) {
          if crate.id >= 10 {
            realm.delete(crate)
            continue
          }
          crate.name = "crate \(crate.id)"
          crate.labels.removeSubrange(crate.id..<crate.labels.count)
          crate.prices.removeObject(for: "written")
        }
      }
      let shared = Shared(realm)
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        let found = shared.problems(round) + shared.problems(round + 1)
        if !found.isEmpty { problems.withLock { $0 += found } }
      }
    }
    isDone.store(true, ordering: .relaxed)
    writerEnded.waitOrStop()
    #expect(problems.withLock { $0 } == [])
  }

  /// Threads freeze the versions that they write, and read those of the others.
  @Test func versionsOfManyThreads() throws {
    let file = try FreezeTests.file()
    struct Frozen: @unchecked Sendable { let crate: Crate, name: String, count: Int }
    let frozen = Mutex<[Frozen]>([])
    let problems = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      func check(_ condition: Bool, _ what: @autoclosure () -> String) {
        if condition { return }
        let what = what()
        problems.withLock { $0.append(what) }
      }
      let realm = try! file.open()
      let crate = realm.object(ofType: Crate.self, forPrimaryKey: 5)!
      for round in 0..<25 {
        let name = "\(thread) \(round)"
        try! realm.write {
          crate.name = name
          crate.labels.append(name)
        }
        let copy = Frozen(crate: crate.freeze(), name: name, count: crate.labels.count)
        let others = frozen.withLock { all in
          if all.count > 20 { all.removeFirst(10) }
          all.append(copy)
          return all
        }
        for other in others {
          let (name, labels) = (other.crate.name, other.crate.labels)
          check(
            name == other.name && labels.count == other.count && labels.last == other.name,
            "\(name), \(labels.count) labels, last \(labels.last ?? "none"): \(other.name), \(other.count)")
        }
        if round % 5 == 0 {
          // It shows the version that the thread wrote, and another thread may have frozen a newer one meanwhile.
          let thawed = others[0].crate.thaw()!
          check(thawed.labels.last == name, "thawed \(thawed.labels.last ?? "none"): \(name)")
          realm.refresh()
          let count = thawed.labels.count
          check(count >= others[0].count, "refreshed \(count) labels: \(others[0].count)")
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
    let realm = try file.open()
    realm.refresh()
    #expect(realm.object(ofType: Crate.self, forPrimaryKey: 5)!.labels.count == 5 + 6 * 25)
  }

  /// Two threads that freeze one version get the same realm.
  @Test func freezingAtOnce() throws {
    let file = try FreezeTests.file()
    for _ in 0..<20 {
      try file.open().write {
        try! file.open().create(Crate.self, value: ["id": Int.random(in: 1_000..<1 << 40)])
      }
      let found = Mutex<[UncheckedRealm]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        let realm = try! file.open()
        realm.refresh()
        let frozen = UncheckedRealm(realm: realm.freeze())
        found.withLock { $0.append(frozen) }
      }
      let realms = found.withLock { $0.map(\.realm) }
      #expect(realms.allSatisfy { $0 == realms[0] })
    }
  }

  private struct UncheckedRealm: @unchecked Sendable { let realm: Realm }
}
