import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// Sections and projections that are observed on queues and by actors.
struct SectionsElsewhereTests {
  private actor Watcher {
    private var entries: [String] = []

    func add(_ entry: String) { entries.append(entry) }

    func entries(_ count: Int) async throws -> [String] {
      try await eventually { entries.count >= count }
      return entries
    }
  }

  private static func text<C: Collection>(_ change: SectionedResultsChange<C>) -> String {
    switch change {
    case .initial(let sections): "\(sections.count)"
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      "\(deletions) \(insertions) \(modifications) \(Array(inserted)) \(Array(deleted))"
    }
  }

  @Test func sectionsOnAQueue() throws {
    let file = ScratchRealm([SectionBook.self, SectionShop.self])
    let queue = DispatchQueue(label: "observer")
    let inbox = AsyncJournal()
    let realm = try file.open()
    try realm.write { for title in ["a1", "a2", "b"] { realm.add(SectionBook(title)) } }
    let sections = realm.objects(SectionBook.self).sectioned(by: \.firstLetter)
    let token = sections.observe(on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      inbox.add(Self.text(change))
    }
    #expect(try inbox.wait(for: 1) == ["2"])
    let sectionToken = sections[0].observe(keyPaths: [\.pages], on: queue) {
      inbox.add("section " + Self.text($0))
    }
    #expect(try inbox.wait(for: 2).last == "section 2")
    try realm.write { realm.add(SectionBook("c")) }
    #expect(try inbox.wait(for: 3).last == "[] [[2, 0]] [] [2] []")
    token.invalidate()
    try realm.write { realm.delete(realm.objects(SectionBook.self).filter("title == 'a1'")) }
    #expect(try inbox.wait(for: 4).last == "section [[0, 0]] [] [] [] []")
    sectionToken.invalidate()
    queue.sync {}
  }

  @Test func sectionsOfAnActor() async throws {
    let file = ScratchRealm([SectionBook.self, SectionShop.self])
    let configuration = file.configuration
    let watcher = Watcher()
    let token = try await Self.observe(configuration, watcher)
    #expect(try await watcher.entries(1) == ["1"])
    try onOtherThread {
      let realm = try file.open()
      try realm.write { realm.add(SectionBook("b")) }
    }
    #expect(try await watcher.entries(2).last == "[] [[1, 0]] [] [1] []")
    token.invalidate()
  }

  @MainActor private static func observe(
    _ configuration: Realm.Configuration, _ watcher: Watcher
  ) async throws -> NotificationToken {
    let realm = try await Realm(configuration: configuration)
    try realm.write { realm.add(SectionBook("a")) }
    let sections = realm.objects(SectionBook.self).sectioned(by: \.firstLetter)
    return await sections.observe(on: watcher) {
      (watcher: isolated Watcher, change: SectionedResultsChange<SectionedResults<String, SectionBook>>) in
      watcher.add(text(change))
    }
  }

  @Test func projectionsOnAQueue() throws {
    let file = ScratchRealm([ProjectedPerson.self, ProjectedAddress.self, ProjectedKinds.self])
    let queue = DispatchQueue(label: "observer")
    let inbox = AsyncJournal()
    let realm = try file.open()
    try realm.write { realm.add(ProjectedPerson(1, "John", "Snow", city: "Winterfell")) }
    let john = realm.objects(PersonProjection.self)[0]
    let token = john.observe(keyPaths: [\.homeCity], on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      switch change {
      case .change(let john, let properties):
        #expect(!john.isFrozen && john.rootObject.address?.city == "Wall")
        inbox.add("\(properties.map(\.name)) \(properties[0].newValue ?? "-")")
      case .deleted: inbox.add("deleted")
      case .error: inbox.add("error")
      }
    }
    queue.sync {}
    try realm.write {
      john.firstName = "Jon"
      john.rootObject.address?.city = "Wall"
    }
    #expect(try inbox.wait(for: 1) == [#"["homeCity"] Wall"#])
    try realm.write { realm.delete(john.rootObject) }
    #expect(try inbox.wait(for: 2).last == "deleted")
    token.invalidate()
    queue.sync {}
  }
}
