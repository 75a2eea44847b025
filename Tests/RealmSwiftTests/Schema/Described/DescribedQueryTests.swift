import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Queries, observers and threads with objects of described classes.
@Suite struct DescribedQueryTests {
  private let described: DescribedRealm
  private var realm: Realm { described.realm }

  init() throws {
    described = try DescribedRealm()
    try described.addPerson("Ann", dogs: 1...5)
    try described.addPerson("Ben", dogs: 6...9)
    try realm.write { described.dog("Ann 3")?.story = "once upon a time" }
  }

  private var dogs: Results<DynamicObject> { realm.dynamicObjects("Dog") }

  @Test func filters() throws {
    #expect(dogs.filter("age > 3 AND age < 7").count == 3)
    #expect(dogs.filter("name == 'Ann 3'").first?.age as? Int == 3)
    #expect(dogs.filter("story TEXT 'time'").count == 1)
    #expect(dogs.filter("ANY owners.name == 'Ben'").count == 4)
    #expect(dogs.filter("owners.@count == 1").count == 9)
    #expect(realm.dynamicObjects("Person").filter("ANY dogs.age == 7").first?.name as? String == "Ben")
    #expect(realm.dynamicObjects("Person").filter("dogs.@sum.age > 20").count == 1)
    #expect(realm.dynamicObjects("Person").filter("dogs.@count == 5").count == 1)
    let rex = try #require(described.dog("Ann 3"))
    #expect(realm.dynamicObjects("Person").filter("%@ IN dogs", rex).first?.name as? String == "Ann")
    #expect(throws: (any Error).self) { try dogs.filter(checking: "colour == 1") }
  }

  @Test func sortsAndAggregates() throws {
    #expect(dogs.sorted(byKeyPath: "age", ascending: false).first?.name as? String == "Ben 9")
    #expect(dogs.sorted(byKeyPath: "name").map { $0.age as? Int }.prefix(2) == [1, 2])
    #expect(dogs.sum(ofProperty: "age") as Int == 45 && dogs.max(ofProperty: "age") as Int? == 9)
    let person = try #require(realm.dynamicObjects("Person").first)
    let list = try #require(person.dogs as? List<DynamicObject>)
    #expect(list.sum(ofProperty: "age") as Int == 15 && list.filter("age == 2").count == 1)
    #expect(dogs.distinct(by: ["age"]).count == 9)
    let sections = dogs.sectioned(by: { ($0.age as? Int ?? 0) / 5 }, sortDescriptors: [.init(keyPath: "age")])
    #expect(sections.map(\.key) == [0, 1])
    #expect(list.description.contains("Ann 3") && person.description.hasPrefix("Person {"))
  }

  @Test func indexesAreUsed() throws {
    try realm.write {
      for number in 10..<3_000 { realm.dynamicCreate("Dog", value: ["name": "\(number)", "age": number]) }
    }
    #expect(dogs.filter("name == 'Ann 3'").explain().contains("index: dog_name"))
  }

  @Test func observers() throws {
    let queue = DispatchQueue(label: "observer")
    let configuration = described.file.described(.classes(Described.pets))
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let log = CollectionLog.observe(realm.dynamicObjects("Dog").filter("age >= 5"))
      let links = CollectionLog.observe(realm.dynamicObjects("Person"), keyPaths: ["dogs.age"])
      let dog = try #require(realm.dynamicObject(ofType: "Dog", forPrimaryKey: "Ann 5"))
      var changes: [PropertyChange] = []
      let token = dog.observe { (change: ObjectChange<DynamicObject>) in
        if case .change(_, let all) = change { changes += all }
      }
      realm.refresh()
      try onOtherThread {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.dynamicObject(ofType: "Dog", forPrimaryKey: "Ann 5")?.age = 50 }
      }
      realm.refresh()
      #expect(
        log.take() == [
          .initial(count: 5), .update(deletions: [], insertions: [], modifications: [0]),
        ])
      #expect(
        links.take() == [.initial(count: 2), .update(deletions: [], insertions: [], modifications: [0])])
      #expect(changes.map(\.name) == ["age"] && changes.first?.newValue as? Int == 50)
      token.invalidate()
      log.token?.invalidate()
      links.token?.invalidate()
    }
  }

  @Test func frozenObjects() throws {
    let person = try #require(realm.dynamicObjects("Person").first)
    let frozen = person.freeze()
    #expect(frozen.realm == realm.freeze())
    try realm.write { person.name = "other" }
    nonisolated(unsafe) let sent = frozen
    let names = try onOtherThread { () -> [String?] in
      let dogs = sent.dogs as? List<DynamicObject>
      let owners = dogs?.first?.owners as? LinkingObjects<DynamicObject>
      return [sent.name as? String, dogs?.last?.name as? String, owners?.first?.name as? String]
    }
    #expect(names == ["Ann", "Ann 5", "Ann"])
    #expect(frozen.thaw()?.name as? String == "other")
    #expect(dogs.freeze().filter("ANY owners.name == 'Ben'").count == 4)
  }

  @Test func references() throws {
    let dog = ThreadSafeReference(to: try #require(described.dog("Ann 2")))
    let all = ThreadSafeReference(to: dogs.filter("age > 4"))
    let list = ThreadSafeReference(
      to: try #require(realm.dynamicObjects("Person").first?.dogs as? List<DynamicObject>))
    let configuration = described.file.described(.classes(Described.pets))
    let references = (dog, all, list)
    let result = try onOtherThread {
      let realm = try Realm(configuration: configuration)
      return [
        realm.resolve(references.0)?.age as? Int, realm.resolve(references.1)?.count,
        realm.resolve(references.2)?.count,
      ]
    }
    #expect(result == [2, 5, 5])
  }

  @Test func manyThreadsWrite() throws {
    let configuration = described.file.described(.classes(Described.pets))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      autoreleasepool {
        let realm = try! Realm(configuration: configuration)
        for number in 0..<20 {
          try! realm.write {
            realm.dynamicCreate("Dog", value: ["name": "\(thread)-\(number)", "age": number * 7_919 % 3_001])
          }
        }
      }
    }
    realm.refresh()
    #expect(dogs.count == 89)
  }

  @Test func aCopyOfTheFile() throws {
    let url = described.file.folder.appending(path: "copy.realm")
    try realm.writeCopy(toFile: url)
    let copy = try Realm(configuration: Realm.Configuration(fileURL: url, schema: .classes(Described.pets)))
    #expect(copy.dynamicObjects("Dog").filter("ANY owners.name == 'Ben'").count == 4)
  }
}
