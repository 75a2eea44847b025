import Storage
import Sync
import TestSupport
import Testing

/// Links in sets and maps whose targets are missing: the elements stay on the server, and come back with the key.
@Suite struct LinkedElementTests {
  private enum Model {
    static let catalogue = Catalogue(tables: [
      TableDescription(
        name: "Band",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "members", type: .link, collection: .set, target: 1),
          Column(name: "roles", type: .link, collection: .map, isNullable: true, target: 1),
        ]),
      TableDescription(name: "Fan", columns: [Column(name: "id", type: .uuid, isPrimaryKey: true)]),
    ])
    static let (band, fan, members, roles) = (0, 1, 1, 2)
    static func make() throws -> SyncModel { try SyncModel.read(catalogue) }
  }

  private final class Server: ModelServer {
    init() throws { try super.init(Model.make()) }

    func elements() throws -> [String] {
      try rows("select right(value::text, 1) from app.\"Band.members\" order by 1")
        + rows("select key, right(value::text, 1) from app.\"Band.roles\" order by 1")
    }
  }

  private final class File: ClientFile {
    init(_ server: Server) throws {
      try super.init(Model.catalogue, Model.make(), settings: server.settings)
    }

    func fan(_ number: Int) -> Int? { row(Model.fan, LinkedElementTests.key(number)) }

    /// What the band has: the last digits of the fans' keys.
    func elements() throws -> [String] {
      try writer.advance()
      guard let row = row(Model.band, .int(1)) else { return ["no band"] }
      let bands = writer.table(Model.band)
      func digit(_ link: Value) -> String {
        guard case .link(_, let row) = link, case .uuid(let id) = writer.table(Model.fan).value(0, row) else {
          return "-"
        }
        return "\(id.low & 15)"
      }
      return bands.elements(Model.members, row).map(digit).sorted()
        + bands.elements(Model.roles, row).enumerated().map {
          "\(bands.key(Model.roles, row, at: $0)) \(digit($1))"
        }
    }
  }

  static func key(_ number: Int) -> Value { .uuid(.init(high: 0, low: UInt64(number))) }

  private static func literal(_ number: Int) -> String { "'00000000-0000-0000-0000-00000000000\(number)'" }

  /// A server with a band of three fans, of which the third is missing, and a file that has them.
  private func begin() throws -> (Server, File) {
    let server = try Server()
    try server.rows(
      """
      insert into app."Fan" (id) values (\(Self.literal(1))), (\(Self.literal(2)));
      insert into app."Band" (id) values (1);
      insert into app."Band.members" (owner, value)
        values (1, \(Self.literal(1))), (1, \(Self.literal(2))), (1, \(Self.literal(3)));
      insert into app."Band.roles" (owner, key, value)
        values (1, 'a', \(Self.literal(1))), (1, 'c', \(Self.literal(3))), (1, 'n', null)
      """)
    let file = try File(server)
    try file.pull()
    return (server, file)
  }

  private static let all = ["1", "2", "3", "a 1", "c 3", "n -"]

  @Test func elementsWithoutTargetsAreUnseenAndAppearWithThem() throws {
    let (server, file) = try begin()
    #expect(try file.elements() == ["1", "2", "a 1", "c -", "n -"])
    try file.transfer()
    #expect(try server.elements() == Self.all)
    try file.restart()
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(3)))")
    try file.pull()
    #expect(try file.elements() == Self.all)
    #expect(file.client.unresolvedCount == 0)
  }

  @Test func aTargetThatTheUserCreatesIsLinkedAgain() throws {
    let (server, file) = try begin()
    try file.write { _ in _ = file.create(Model.fan, Self.key(3)) }
    try file.transfer()
    #expect(try file.elements() == Self.all)
    #expect(try server.elements() == Self.all)
  }

  @Test(arguments: [false, true]) func elementsWhoseTargetIsDeletedStayOnTheServer(isUser: Bool) throws {
    let (server, file) = try begin()
    if isUser {
      try file.write { _ in file.delete(Model.fan, Self.key(1)) }
      try file.restart()
      try file.transfer()
    } else {
      try server.rows("delete from app.\"Fan\" where id = \(Self.literal(1))")
      try file.transfer()
    }
    #expect(try file.elements() == ["2", "a -", "c -", "n -"])
    #expect(try server.elements() == Self.all)
    #expect(try server.rows("select count(*) from app.\"Fan\"") == ["1"])
    file.client.requestFullPull()
    #expect(try !file.pull())
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(1)))")
    try file.pull()
    #expect(try file.elements() == ["1", "2", "a 1", "c -", "n -"])
  }

  @Test func targetsThatAreDeletedTogetherAreReadAgain() throws {
    let (server, file) = try begin()
    try file.write { snapshot in
      snapshot.table(Model.band).setMapValue(
        Model.roles, file.row(Model.band, .int(1))!, key: "b", .link(table: Model.fan, row: file.fan(2)!))
    }
    try file.transfer()
    try file.write { _ in
      file.delete(Model.fan, Self.key(1))
      file.delete(Model.fan, Self.key(2))
    }
    try file.transfer()
    try file.pull()
    #expect(try server.elements() == ["1", "2", "3", "a 1", "b 2", "c 3", "n -"])
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(2)))")
    try file.pull()
    #expect(try file.elements() == ["2", "a -", "b 2", "c -", "n -"])
  }

  /// The link waits until its addition has been sent, and another element of the server changes what is kept of the set.
  @Test func anAddedElementWhoseTargetIsMadeAgainAppearsWhenItHasBeenSent() throws {
    let (server, file) = try begin()
    try file.write { snapshot in
      let row = file.row(Model.band, .int(1))!
      let fan = file.create(Model.fan, Self.key(4))
      snapshot.table(Model.band).insertIntoSet(Model.members, row, .link(table: Model.fan, row: fan))
    }
    try file.write { _ in
      file.delete(Model.fan, Self.key(4))
      _ = file.create(Model.fan, Self.key(4))
    }
    try server.rows("insert into app.\"Band.members\" (owner, value) values (1, \(Self.literal(5)))")
    try file.pull()
    try file.transfer()
    try file.transfer()
    #expect(try server.elements() == ["1", "2", "3", "4", "5", "a 1", "c 3", "n -"])
    #expect(try file.elements() == ["1", "2", "4", "a 1", "c -", "n -"])
  }

  /// While the entry waits, its target is there, and is gone, and comes from the server in the end.
  @Test func aTargetThatWasDeletedAgainWhileItsEntryWaitedIsLinkedWhenItComes() throws {
    let (server, file) = try begin()
    try file.write { snapshot in
      let fan = file.create(Model.fan, Self.key(4))
      snapshot.table(Model.band).setMapValue(
        Model.roles, file.row(Model.band, .int(1))!, key: "d", .link(table: Model.fan, row: fan))
    }
    try file.write { _ in
      file.delete(Model.fan, Self.key(4))
      _ = file.create(Model.fan, Self.key(4))
    }
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(5)))")
    try file.pull()
    try file.write { _ in file.delete(Model.fan, Self.key(4)) }
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(6)))")
    try file.pull()
    try file.transfer()
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(4)))")
    try file.pull()
    #expect(try file.elements() == ["1", "2", "a 1", "c -", "d 4", "n -"])
  }

  @Test func aRemovedElementWhoseTargetIsDeletedAfterwardsIsRemovedOnTheServer() throws {
    let (server, file) = try begin()
    try file.write { snapshot in
      let row = file.row(Model.band, .int(1))!
      let link = Value.link(table: Model.fan, row: file.fan(1)!)
      let position = snapshot.table(Model.band).position(Model.members, row, ofElement: link).position
      snapshot.table(Model.band).removeElements(Model.members, row, position..<position + 1)
    }
    try file.write { _ in file.delete(Model.fan, Self.key(1)) }
    try file.transfer()
    #expect(try server.elements() == ["2", "3", "a 1", "c 3", "n -"])
  }

  @Test func writingAnEntryWhoseTargetIsMissingReplacesIt() throws {
    let (server, file) = try begin()
    try file.write { snapshot in
      let row = file.row(Model.band, .int(1))!
      snapshot.table(Model.band).setMapValue(Model.roles, row, key: "c", .null)
    }
    try file.transfer()
    #expect(try server.elements().contains("c -"))
    try server.rows("insert into app.\"Fan\" (id) values (\(Self.literal(3)))")
    try file.pull()
    #expect(try file.elements() == ["1", "2", "3", "a 1", "c -", "n -"])
  }
}
