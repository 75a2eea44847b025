import Storage
import Sync
import TestSupport
import Testing

/// Links and mixed values in embedded objects.
@Suite struct EmbeddedLinkTests {
  private typealias Model = LinkedModel
  /// Columns of `Collar`.
  private static let (dog, thing) = (0, 1)

  /// A server with persons whose collars link to a dog, and a file that has them.
  private func begin() throws -> (LinkedServer, LinkedFile) {
    let server = try LinkedServer()
    try server.rows(
      """
      insert into app."Person" (id, collar, collar_dog, collar_thing)
        values (1, true, 7, '{"t": "link", "v": 8, "class": "Dog"}'), (2, true, 7, null), (3, false, null, null);
      insert into app."Dog" (id) values (7), (8)
      """)
    let file = try LinkedFile(server)
    try file.pull()
    return (server, file)
  }

  private func collar(_ file: LinkedFile, _ person: Int64) throws -> Int? {
    try file.writer.advance()
    let row = try #require(file.row(Model.person, .int(person)))
    return file.writer.table(Model.person).link(Model.collarLink, row)
  }

  /// The key of the dog that a column of a collar links to.
  private func linked(_ file: LinkedFile, _ person: Int64, _ column: Int = dog) throws -> Value? {
    guard let row = try collar(file, person),
      case .link(let table, let target) = file.writer.table(Model.collar).value(column, row)
    else { return nil }
    return file.writer.table(table).value(0, target)
  }

  private func links(_ server: LinkedServer) throws -> [String] {
    try server.rows("select id, collar, collar_dog from app.\"Person\" order by id")
  }

  @Test func linksInEmbeddedObjectsArrive() throws {
    let (server, file) = try begin()
    #expect(try linked(file, 1) == .int(7) && linked(file, 1, Self.thing) == .int(8))
    #expect(try linked(file, 2) == .int(7) && collar(file, 3) == nil)
    let row = try #require(try collar(file, 2))
    try file.write { $0.table(Model.collar).setLink(Self.dog, row, file.row(Model.dog, .int(8))) }
    try file.transfer()
    #expect(try links(server) == ["1 t 7", "2 t 8", "3 f -"])
    #expect(file.client.unresolvedCount == 0)
  }

  @Test func theyAreSeveredAndComeBack() throws {
    let (server, file) = try begin()
    try server.rows("delete from app.\"Dog\" where id = 7")
    try file.pull()
    #expect(try linked(file, 1) == nil && linked(file, 2) == nil)
    #expect(file.client.unresolvedCount == 2)
    try file.write { _ in file.delete(Model.dog, .int(8)) }
    try file.transfer()
    try file.pull()
    #expect(try linked(file, 1, Self.thing) == nil)
    #expect(file.client.unresolvedCount == 3)
    #expect(try links(server) == ["1 t 7", "2 t 7", "3 f -"])
    try file.restart()
    try server.rows("insert into app.\"Dog\" (id) values (7), (8)")
    try file.pull()
    #expect(try linked(file, 1) == .int(7) && linked(file, 2) == .int(7))
    #expect(try linked(file, 1, Self.thing) == .int(8))
    #expect(file.client.unresolvedCount == 0)
  }

  @Test func theTargetThatReturnsDoesNotCancelAWriteThatWaits() throws {
    let (server, file) = try begin()
    let row = try #require(try collar(file, 2))
    try file.write { $0.table(Model.collar).setLink(Self.dog, row, file.row(Model.dog, .int(8))) }
    try server.rows("delete from app.\"Dog\" where id = 8")
    try file.pull()
    try server.rows("insert into app.\"Dog\" (id) values (8)")
    try file.pull()
    try file.transfer()
    #expect(try links(server)[1] == "2 t 8")
    try server.rows("update app.\"Dog\" set age = 1")
    try file.pull()
    #expect(try linked(file, 2) == .int(8))
  }

  @Test func whatAnEmbeddedObjectLinkedToIsForgottenWithIt() throws {
    let (server, file) = try begin()
    try server.rows("delete from app.\"Dog\"")
    try file.pull()
    #expect(file.client.unresolvedCount == 3)
    try file.write { snapshot in
      for key in 1...2 {
        let row = file.row(Model.person, .int(Int64(key)))!
        snapshot.table(Model.person).setLink(Model.collarLink, row, nil)
      }
    }
    try file.restart()
    try file.transfer()
    #expect(try links(server) == ["1 f -", "2 f -", "3 f -"])
    #expect(file.client.unresolvedCount == 0)
  }
}
