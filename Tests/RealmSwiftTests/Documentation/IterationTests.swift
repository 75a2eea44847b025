import Foundation
import RealmSwift
import Testing

/// Loops over collections that change meanwhile, and objects that outlive what they came from.
@Suite struct IterationTests {
  final class Step: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var state: String
    @Persisted var words: List<String>
    @Persisted var tags: MutableSet<Int>
    @Persisted var table: Map<String, Int>
    @Persisted var any: AnyRealmValue
    @Persisted var next: Step?
    @Persisted(originProperty: "next") var previous: LinkingObjects<Step>
  }

  final class Plan: Object {
    @Persisted var steps: List<Step>
    @Persisted var stepSet: MutableSet<Step>
    @Persisted var stepMap: Map<String, Step?>
  }

  let file: ScratchRealm
  let realm: Realm
  let plan: Plan

  init() throws {
    file = ScratchRealm([Step.self, Plan.self])
    realm = try file.open()
    plan = Plan()
    for number in 0..<10 {
      let step = Step(value: ["number": number, "state": "new", "words": ["w\(number)"], "any": [number]])
      step.next = plan.steps.last
      step.tags.insert(number)
      step.table["t"] = number
      plan.steps.append(step)
      plan.stepSet.insert(step)
      plan.stepMap["s\(number)"] = step
    }
    let (realm, plan) = (realm, plan)
    try realm.write { realm.add(plan) }
  }

  private var steps: Results<Step> { realm.objects(Step.self) }

  @Test func writeForEachObject() throws {
    for step in steps { try realm.write { step.state = "done \(step.number)" } }
    #expect(steps.map(\.state) == (0..<10).map { "done \($0)" })
    for step in plan.steps { try realm.write { step.state = "list" } }
    #expect(steps.allSatisfy { $0.state == "list" })
    for step in plan.stepSet { try realm.write { step.state = "set" } }
    #expect(steps.allSatisfy { $0.state == "set" })
    for entry in plan.stepMap { try realm.write { entry.value?.state = "map" } }
    #expect(steps.allSatisfy { $0.state == "map" })
  }

  /// All are visited, though each change takes one out of the results.
  @Test func changesThatEndTheMatch() throws {
    let new = steps.where { $0.state == "new" }
    var visited: [Int] = []
    for step in new {
      visited.append(step.number)
      try realm.write { step.state = "old" }
    }
    #expect(visited == Array(0..<10))
    #expect(new.isEmpty)
    try realm.write {
      visited = []
      for step in steps.where({ $0.state == "old" }) {
        visited.append(step.number)
        step.state = "older"
      }
    }
    #expect(visited == Array(0..<10))
  }

  @Test func deletingInLoops() throws {
    for step in steps.where({ $0.number < 2 }) { try realm.write { realm.delete(step) } }
    #expect(steps.count == 8)
    try realm.write {
      for step in plan.steps where step.number < 4 { realm.delete(step) }
    }
    #expect(plan.steps.map(\.number) == Array(4..<10))
    try realm.write {
      for step in plan.stepSet where step.number < 6 { realm.delete(step) }
      for entry in plan.stepMap where (entry.value?.number ?? 9) < 8 { realm.delete(entry.value!) }
    }
    #expect(steps.map(\.number) == [8, 9])
    #expect(plan.stepMap.count == 10)
    #expect(plan.stepMap.values.compactMap { $0 }.count == 2)
  }

  /// A deleted object that still comes up is invalidated.
  @Test func deletedAhead() throws {
    var invalidated = 0
    try realm.write {
      for step in steps {
        if step.isInvalidated {
          invalidated += 1
        } else if step.number % 2 == 0 {
          realm.delete(steps.where { $0.number == step.number + 1 })
        }
      }
    }
    #expect(invalidated == 5)
    #expect(steps.map(\.number) == [0, 2, 4, 6, 8])
  }

  @Test func addingInLoops() throws {
    var visited = 0
    try realm.write {
      for step in steps {
        visited += 1
        realm.create(Step.self, value: [step.number + 100])
      }
      for step in plan.steps { plan.steps.append(step) }
    }
    #expect(visited == 10)
    #expect(steps.count == 20)
    #expect(plan.steps.count == 20)
  }

  @Test func nestedLoops() {
    var pairs = 0
    for a in steps {
      for b in steps where a.number < b.number {
        pairs += 1
        #expect(a.number != b.number)
      }
    }
    #expect(pairs == 45)
    for (a, b) in zip(steps, steps.dropFirst()) { #expect(b.number == a.number + 1) }
    let largest = steps.max { $0.number < $1.number }
    #expect(largest?.number == 9)
    #expect(steps.sorted { $0.number > $1.number }.map(\.number) == (0..<10).reversed())
    #expect(steps.reduce(0) { $0 + $1.number } == 45)
    #expect(steps.reversed().first?.number == 9)
    #expect(Array(steps.enumerated()).map { $0.element.number } == Array(0..<10))
    #expect(Dictionary(grouping: steps) { $0.number % 2 }[1]?.map(\.number) == [1, 3, 5, 7, 9])
  }

  /// What a loop takes out of its objects stays with their rows.
  @Test func partsKeptFromALoop() throws {
    var lists: [List<String>] = []
    var sets: [MutableSet<Int>] = []
    var maps: [Map<String, Int>] = []
    var nested: [AnyRealmValue] = []
    var inverse: [LinkingObjects<Step>] = []
    for step in steps {
      lists.append(step.words)
      sets.append(step.tags)
      maps.append(step.table)
      nested.append(step.any)
      inverse.append(step.previous)
    }
    #expect(lists.map { $0[0] } == (0..<10).map { "w\($0)" })
    #expect(sets.map { $0[0] } == Array(0..<10))
    #expect(maps.map { $0["t"] } == Array(0..<10))
    #expect(nested.map { $0.listValue?[0].intValue } == Array(0..<10))
    #expect(inverse.map { $0.first?.number } == (1..<10).map { $0 } + [nil])
    try realm.write {
      for (number, list) in lists.enumerated() { list.append("more \(number)") }
    }
    #expect(steps[3].words.last == "more 3")
  }

  /// A weak reference is that object or nothing, never the next one.
  @Test func weakReferencesFromALoop() {
    struct Seen {
      weak var step: Step?
      var number: Int
    }
    var seen: [Seen] = []
    for step in steps { seen.append(Seen(step: step, number: step.number)) }
    for step in plan.steps { seen.append(Seen(step: step, number: step.number)) }
    #expect(seen.map(\.number) == Array(0..<10) + Array(0..<10))
    for one in seen { #expect(one.step == nil || one.step?.number == one.number) }
  }

  /// Objects and collections keep their realm open.
  @Test func objectsOutliveTheirRealm() throws {
    func step() throws -> Step { try #require(try file.open().objects(Step.self).first) }
    func results() throws -> Results<Step> { try file.open().objects(Step.self).where { $0.number > 4 } }
    let step = try step()
    let results = try results()
    #expect(step.number == 0)
    #expect(results.count == 5)
    try step.realm?.write { step.state = "changed" }
    #expect(results.realm?.objects(Step.self).first?.state == "changed")
  }

  @Test func closedWithoutObjects() throws {
    let file = ScratchRealm([Step.self, Plan.self])
    var kept: Step?
    var list: List<String>?
    do {
      let realm = try file.open()
      kept = try realm.write {
        realm.create(Step.self, value: ["number": 1, "words": ["a"]] as [String: Any])
      }
      list = kept?.words
    }
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: file.configuration) }
    kept = nil
    #expect(list?.first == "a")
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: file.configuration) }
    list = nil
    #expect(try Realm.deleteFiles(for: file.configuration))
  }

  /// A long chain is added from one end, and goes with its objects.
  @Test func longChains() throws {
    var last: Step?
    for number in 1_000..<1_500 {
      let step = Step(value: [number])
      step.next = last
      last = step
    }
    try realm.write { realm.add(try #require(last)) }
    var length = 0
    var step = last
    while let current = step {
      length += 1
      step = current.next
    }
    #expect(length == 500)
    #expect(steps.count == 510)
    try realm.write { realm.create(Step.self, value: ["number": 1, "next": last as Any], update: .modified) }
    #expect(steps.count == 510)
  }
}
