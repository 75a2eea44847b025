import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// A realm of a queue, in which projections are observed, and threads that write beside it.
private struct ProjectionWatch {
  let file: ScratchRealm
  let realm: Realm

  static func run(_ body: (ProjectionWatch) throws -> Void) throws {
    let file = ScratchRealm([ProjectedPerson.self, ProjectedAddress.self, ProjectedKinds.self])
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let realm = try Realm(configuration: file.configuration, queue: queue)
      try realm.write {
        realm.add(ProjectedPerson(1, "John", "Snow", city: "Winterfell"))
        realm.add(ProjectedPerson(2, "Arya", "Stark"))
      }
      try body(ProjectionWatch(file: file, realm: realm))
    }
  }

  func john() -> PersonProjection { realm.objects(PersonProjection.self)[0] }

  /// Writes on another thread and delivers.
  func change(_ body: @escaping @Sendable (ProjectedPerson, Realm) throws -> Void) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write {
        try body(realm.object(ofType: ProjectedPerson.self, forPrimaryKey: 1)!, realm)
      }
    }
    realm.refresh()
  }
}

/// What an observer was told: names with old and new values, or "deleted".
private final class ProjectionLog {
  private var entries: [[String]] = []
  var token: NotificationToken?

  func take() -> [[String]] {
    defer { entries = [] }
    return entries
  }

  func add<Root>(_ change: ObjectChange<some Projection<Root>>) {
    switch change {
    case .change(_, let properties):
      entries.append(
        properties.map {
          "\($0.name): \($0.oldValue.map { "\($0)" } ?? "-") > \($0.newValue.map { "\($0)" } ?? "-")"
        })
    case .deleted: entries.append(["deleted"])
    case .error: entries.append(["error"])
    }
  }
}

struct ProjectionObservationTests {
  @Test func projectedNamesAndValues() throws {
    try ProjectionWatch.run { watch in
      let log = ProjectionLog()
      log.token = watch.john().observe { [unowned log] in log.add($0) }
      watch.realm.refresh()
      #expect(log.take() == [])
      try watch.change { john, _ in john.birthday = Date(timeIntervalSince1970: 5) }
      #expect(log.take() == [["birthdayAsEpochtime: 1.0 > 5.0"]])
    }
  }

  @Test func severalPropertiesFromOne() throws {
    try ProjectionWatch.run { watch in
      let log = ProjectionLog()
      log.token = watch.john().observe { [unowned log] change in
        if case .change(let john, let properties) = change {
          #expect(john.lastNameCaps == "STARK")
          #expect(Set(properties.map(\.name)) == ["lastNameCaps", "fullName"])
          let caps = properties.first { $0.name == "lastNameCaps" }
          #expect(caps?.oldValue as? String == "SNOW" && caps?.newValue as? String == "STARK")
        }
        log.add(change)
      }
      try watch.change { john, _ in john.lastName = "Stark" }
      #expect(log.take().count == 1)
    }
  }

  @Test func onlyWhatIsProjected() throws {
    try ProjectionWatch.run { watch in
      let log = ProjectionLog()
      log.token = watch.john().observe { [unowned log] in log.add($0) }
      try watch.change { john, _ in john.money = 3 }
      #expect(log.take() == [])
      // What links lead to counts as far as it is projected.
      try watch.change { john, _ in john.address?.country = "North" }
      #expect(log.take() == [])
      try watch.change { john, _ in john.address?.city = "Wall" }
      #expect(log.take() == [["homeCity: - > Wall"]])
      try watch.change { john, _ in john.address = ProjectedAddress(value: ["city": "South"]) }
      #expect(log.take() == [["homeCity: - > South"]])
      try watch.change { john, _ in john.address = nil }
      #expect(log.take() == [["homeCity: - > -"]])
      // Of a projected collection, the collection itself.
      try watch.change { john, realm in
        john.friends.append(realm.object(ofType: ProjectedPerson.self, forPrimaryKey: 2)!)
      }
      let names = log.take()
      #expect(names.count == 1 && names[0].map { $0.prefix { $0 != ":" } } == ["friendsNames", "friends"])
      try watch.change { john, _ in john.friends[0].firstName = "No one" }
      #expect(log.take() == [])
    }
  }

  @Test func someKeyPaths() throws {
    try ProjectionWatch.run { watch in
      let strings = ProjectionLog()
      let paths = ProjectionLog()
      let unknown = ProjectionLog()
      let john = watch.john()
      strings.token = john.observe(keyPaths: ["address.city"]) { [unowned strings] in strings.add($0) }
      paths.token = john.observe(keyPaths: [\PersonProjection.firstName, \.homeCity]) { [unowned paths] in
        paths.add($0)
      }
      unknown.token = john.observe(keyPaths: ["homeCity"]) { [unowned unknown] in unknown.add($0) }
      try watch.change { john, _ in
        john.firstName = "Jon"
        john.lastName = "Stark"
        john.address?.city = "Wall"
      }
      #expect(strings.take() == [["homeCity: - > Wall"]])
      #expect(paths.take() == [["firstName: John > Jon", "homeCity: - > Wall"]])
      #expect(unknown.take() == [])
      try watch.change { john, realm in realm.delete(john) }
      #expect(
        strings.take() == [["deleted"]] && paths.take() == [["deleted"]] && unknown.take() == [["deleted"]])
    }
  }

  @Test func writesOfTheSameRealm() throws {
    try ProjectionWatch.run { watch in
      let log = ProjectionLog()
      let john = watch.john()
      log.token = john.observe { [unowned log] in log.add($0) }
      watch.realm.refresh()
      try watch.realm.write { john.firstName = "Jon" }
      watch.realm.refresh()
      #expect(log.take() == [["firstName: - > Jon", "fullName: - > Jon Snow"]])
      log.token?.invalidate()
      try watch.change { john, _ in john.firstName = "J" }
      #expect(log.take() == [])
    }
  }

  @Test func results() throws {
    try ProjectionWatch.run { watch in
      var deletions: [Int] = []
      var insertions: [Int] = []
      var modifications: [Int] = []
      var initial: [String] = []
      let people = watch.realm.objects(PersonProjection.self).filter("id < 10")
      let token = people.observe { change in
        switch change {
        case .initial(let people): initial = people.map(\.firstName)
        case .update(let people, let deleted, let inserted, let modified):
          (deletions, insertions, modifications) = (deleted, inserted, modified)
          #expect(people[1].firstName == "Bran")
        case .error: Issue.record("error")
        }
      }
      watch.realm.refresh()
      #expect(initial == ["John", "Arya"])
      try watch.change { john, realm in
        john.firstName = "Jon"
        realm.delete(realm.object(ofType: ProjectedPerson.self, forPrimaryKey: 2)!)
        realm.add(ProjectedPerson(3, "Bran"))
      }
      #expect(deletions == [1] && insertions == [1] && modifications == [0])
      token.invalidate()
    }
  }

  @Test func resultsByKeyPaths() throws {
    try ProjectionWatch.run { watch in
      var modifications: [[Int]] = []
      let people = watch.realm.objects(PersonProjection.self)
      let token = people.observe(keyPaths: [\.lastNameCaps]) { change in
        if case .update(_, _, _, let modified) = change { modifications.append(modified) }
      }
      watch.realm.refresh()
      try watch.change { john, _ in john.firstName = "Jon" }
      try watch.change { john, _ in john.lastName = "Stark" }
      #expect(modifications == [[0]])
      token.invalidate()
    }
  }

  @Test func projectedCollections() throws {
    try ProjectionWatch.run { watch in
      var log: [String] = []
      let john = watch.john()
      try watch.realm.write { john.friends.append(watch.realm.objects(ProjectedPerson.self)[1]) }
      let token = john.friendsNames.observe { change in
        switch change {
        case .initial(let names): log.append("\(Array(names))")
        case .update(let names, let deletions, let insertions, let modifications):
          log.append("\(Array(names)) \(deletions) \(insertions) \(modifications)")
        case .error: log.append("error")
        }
      }
      watch.realm.refresh()
      try watch.change { john, _ in john.friends[0].firstName = "No one" }
      // What is not projected does not count.
      try watch.change { john, _ in john.friends[0].lastName = "Nobody" }
      try watch.change { john, realm in
        john.friends.insert(john, at: 0)
        john.firstName = "Jon"
      }
      try watch.change { john, _ in john.friends.remove(at: 1) }
      #expect(
        log == [
          #"["Arya"]"#, #"["No one"] [] [] [0]"#, #"["Jon", "No one"] [] [0] []"#, #"["Jon"] [1] [] []"#,
        ])
      token.invalidate()
    }
  }

  @Test func sections() throws {
    try ProjectionWatch.run { watch in
      var changes: [[IndexPath]] = []
      let sections = watch.realm.objects(PersonProjection.self).sectioned(by: \.lastNameCaps)
      let token = sections.observe(keyPaths: [\.firstName]) { change in
        if case .update(_, let deletions, let insertions, let modifications, _, _) = change {
          changes.append(deletions + insertions + modifications)
        }
      }
      watch.realm.refresh()
      try watch.change { john, _ in john.firstName = "Jon" }
      try watch.change { john, _ in john.money = 5 }
      #expect(changes == [[IndexPath(item: 0, section: 0)]])
      token.invalidate()
    }
  }

  @Test func objectsInMemory() async {
    let memory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PersonProjection(projecting: ProjectedPerson()).observe { _ in }
    }
    expectStop(memory, saying: "Only objects which are managed by a Realm support change notifications")
  }
}
