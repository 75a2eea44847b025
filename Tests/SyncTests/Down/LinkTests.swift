import Storage
import Sync
import TestSupport
import Testing

/// Links between two files, a real server, and SQL programs.
@Suite struct LinkTests {
  private typealias Model = LinkedModel
  private static let badge = Value.uuid(Fixed16(high: 1, low: 2))
  private static let place = Value.objectId(Fixed12(high: 3, low: 4))

  @Test func linksAreTheKeysOfTheirTargetsOnTheServer() throws {
    let server = try LinkedServer()
    let first = try LinkedFile(server)
    try first.write { _ in
      first.create(Model.dog, .int(7))
      first.create(Model.tag, .string("it's"))
      first.create(Model.badge, Self.badge)
      first.create(Model.place, Self.place)
      let row = first.create(Model.person, .int(1))
      first.link(row, Model.dogLink, .int(7))
      first.link(row, Model.friend, .int(1))
      first.link(row, 4, .string("it's"))
      first.link(row, 5, Self.badge)
      first.link(row, 6, Self.place)
    }
    try first.transfer()
    #expect(
      try server.rows("select dog, friend, tag, badge, encode(place, 'hex') from app.\"Person\"")
        == ["7 1 it's 00000000-0000-0001-0000-000000000002 000000000000000300000004"])
    let targets = "select name, target from realm.property where class = 'Person' and target is not null"
    #expect(
      try Set(server.rows(targets))
        == ["dog Dog", "friend Person", "tag Tag", "badge Badge", "place Place", "collar_dog Dog"])
    let second = try LinkedFile(server)
    try second.pull()
    #expect(try second.linked(1) == .int(7) && second.linked(1, Model.friend) == .int(1))
    #expect(try second.linked(1, 4) == .string("it's"))
    #expect(try second.linked(1, 5) == Self.badge && second.linked(1, 6) == Self.place)
    try second.push()
    #expect(second.client.unresolvedCount == 0)
  }

  @Test func circlesArriveWhateverTheOrderOfTheirClasses() throws {
    let server = try LinkedServer()
    try server.rows(
      """
      insert into app."Person" (id, dog, friend) values (1, 7, 2), (2, 8, 1);
      insert into app."Dog" (id, owner) values (7, 2), (8, 1)
      """)
    let file = try LinkedFile(server)
    try file.pull()
    #expect(try file.linked(1) == .int(7) && file.linked(2) == .int(8))
    #expect(try file.linked(1, Model.friend) == .int(2) && file.linked(2, Model.friend) == .int(1))
    let owner = file.writer.table(Model.dog).value(2, try #require(file.row(Model.dog, .int(7))))
    #expect(owner == .link(table: Model.person, row: try #require(file.row(Model.person, .int(2)))))
    try file.push()
    #expect(file.client.unresolvedCount == 0)
    #expect(try !file.client.push())
  }

  @Test(arguments: [false, true]) func aLinkIsFilledInWhenItsTargetComes(isRestarted: Bool) throws {
    let server = try LinkedServer()
    try server.rows("insert into app.\"Person\" (id, dog) values (1, 7), (2, 8), (3, 7)")
    let file = try LinkedFile(server)
    try file.pull()
    #expect(try file.linked(1) == nil)
    #expect(file.client.unresolvedCount == 3)
    if isRestarted { try file.restart() }
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.linked(1) == .int(7) && file.linked(2) == nil && file.linked(3) == .int(7))
    #expect(file.client.unresolvedCount == 1)
    // The user can be the one who makes the target.
    try file.write { _ in file.create(Model.dog, .int(8)) }
    if isRestarted { try file.restart() }
    try file.transfer()
    #expect(try file.linked(2) == .int(8))
    #expect(file.client.unresolvedCount == 0)
    try file.push()
    #expect(try server.rows("select id, dog from app.\"Person\" order by id") == ["1 7", "2 8", "3 7"])
  }

  @Test func whatTheUserWritesReplacesAnUnresolvedLink() throws {
    let server = try LinkedServer()
    try server.rows("insert into app.\"Person\" (id, dog) values (1, 7), (2, 7)")
    let file = try LinkedFile(server)
    try file.pull()
    try file.write { _ in
      file.link(file.row(Model.person, .int(1))!, Model.dogLink, nil)
      file.create(Model.dog, .int(9))
      file.link(file.row(Model.person, .int(2))!, Model.dogLink, .int(9))
    }
    try file.transfer()
    #expect(try server.rows("select id, dog from app.\"Person\" order by id") == ["1 -", "2 9"])
    #expect(file.client.unresolvedCount == 0)
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.linked(1) == nil && file.linked(2) == .int(9))
  }

  @Test func anUnresolvedLinkIsNotSentAsNull() throws {
    let server = try LinkedServer()
    try server.rows("insert into app.\"Person\" (id, dog) values (1, 7)")
    let file = try LinkedFile(server)
    try file.pull()
    try file.write { $0.table(Model.person).setString(Model.name, file.row(Model.person, .int(1))!, "Ada") }
    try file.transfer()
    #expect(try server.rows("select name, dog from app.\"Person\"") == ["Ada 7"])
    #expect(file.client.unresolvedCount == 1)
  }
}
