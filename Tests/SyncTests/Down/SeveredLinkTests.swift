import Storage
import Sync
import TestSupport
import Testing

/// Links whose targets are deleted: they are null in every file, and stay on the server, so that they come back with the key.
@Suite struct SeveredLinkTests {
  private typealias Model = LinkedModel

  /// A server with two persons who link to a dog, and a file that has them.
  private func begin() throws -> (LinkedServer, LinkedFile) {
    let server = try LinkedServer()
    try server.rows(
      "insert into app.\"Person\" (id, dog) values (1, 7), (2, 7), (3, 8); insert into app.\"Dog\" (id) values (7), (8)"
    )
    let file = try LinkedFile(server)
    try file.pull()
    return (server, file)
  }

  private func links(_ server: LinkedServer) throws -> [String] {
    try server.rows("select id, dog from app.\"Person\" order by id")
  }

  @Test func aLinkWhoseTargetIsDeletedElsewhereIsNotSentAndComesBack() throws {
    let (server, file) = try begin()
    try server.rows("delete from app.\"Dog\" where id = 7")
    try file.pull()
    #expect(try file.linked(1) == nil && file.linked(2) == nil && file.linked(3) == .int(8))
    #expect(file.client.unresolvedCount == 2)
    try file.transfer()
    #expect(try links(server) == ["1 7", "2 7", "3 8"])
    try file.restart()
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.linked(1) == .int(7) && file.linked(2) == .int(7))
    #expect(file.client.unresolvedCount == 0)
  }

  @Test(arguments: [false, true]) func aLinkWhoseTargetTheUserDeletesIsNotSentAndComesBack(
    isRestarted: Bool
  ) throws {
    let (server, file) = try begin()
    try file.write { _ in file.delete(Model.dog, .int(7)) }
    if isRestarted { try file.restart() }
    try file.transfer()
    #expect(try file.linked(1) == nil)
    #expect(try links(server) == ["1 7", "2 7", "3 8"])
    #expect(try server.rows("select id from app.\"Dog\"") == ["8"])
    #expect(file.client.unresolvedCount == 2)
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.linked(1) == .int(7) && file.linked(2) == .int(7))
  }

  @Test func linksToSeveralObjectsThatAreDeletedTogetherAreReadAgain() throws {
    let (server, file) = try begin()
    try file.write { _ in
      file.delete(Model.dog, .int(7))
      file.delete(Model.dog, .int(8))
    }
    try file.transfer()
    try file.pull()
    #expect(try links(server) == ["1 7", "2 7", "3 8"])
    #expect(file.client.unresolvedCount == 3)
    try server.rows("insert into app.\"Dog\" (id) values (8)")
    try file.pull()
    #expect(try file.linked(1) == nil && file.linked(3) == .int(8))
  }

  @Test func anObjectThatIsDeletedAndMadeAgainKeepsItsLinks() throws {
    let (server, file) = try begin()
    try file.write { _ in
      file.delete(Model.dog, .int(7))
      file.create(Model.dog, .int(7))
    }
    try file.transfer()
    #expect(try file.linked(1) == .int(7) && file.linked(2) == .int(7))
    #expect(try links(server) == ["1 7", "2 7", "3 8"])
    let second = try LinkedFile(server)
    try second.pull()
    #expect(try second.linked(1) == .int(7))
  }

  @Test func aLinkThatWasWrittenAndSeveredBeforeItWasSentIsSent() throws {
    let (server, file) = try begin()
    try file.write { _ in file.link(file.row(Model.person, .int(3))!, Model.dogLink, .int(7)) }
    try file.write { _ in file.createPerson(4, dog: 7) }
    try file.write { _ in file.delete(Model.dog, .int(7)) }
    try file.transfer()
    #expect(try links(server) == ["1 7", "2 7", "3 7", "4 7"])
    #expect(file.client.unresolvedCount == 4)
  }

  @Test func aTargetThatComesBackDoesNotCancelAWriteThatWaits() throws {
    let (server, file) = try begin()
    try file.write { _ in file.link(file.row(Model.person, .int(3))!, Model.dogLink, .int(7)) }
    try server.rows("delete from app.\"Dog\" where id = 7")
    try file.pull()
    #expect(try file.linked(3) == nil)
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    try file.transfer()
    #expect(try links(server) == ["1 7", "2 7", "3 7"])
    try file.pull()
    #expect(try file.linked(3) == .int(7))
    #expect(file.client.unresolvedCount == 0)
  }

  /// While the link waits, its target is there, and is gone, and comes from the server in the end.
  @Test func aTargetThatWasDeletedAgainWhileItsLinkWaitedIsLinkedWhenItComes() throws {
    let (server, file) = try begin()
    try file.write { _ in file.link(file.row(Model.person, .int(3))!, Model.dogLink, .int(7)) }
    try file.write { _ in
      file.delete(Model.dog, .int(7))
      file.create(Model.dog, .int(7))
    }
    try server.rows("update app.\"Dog\" set age = 1 where id = 8")
    try file.pull()
    try file.write { _ in file.delete(Model.dog, .int(7)) }
    try server.rows("update app.\"Dog\" set age = 2 where id = 8")
    try file.pull()
    try file.transfer()
    #expect(try links(server) == ["1 7", "2 7", "3 7"])
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.linked(1) == .int(7) && file.linked(2) == .int(7) && file.linked(3) == .int(7))
    #expect(file.client.unresolvedCount == 0)
  }

  @Test func aWriteOfTheLinkAfterTheDeletionCounts() throws {
    let (server, file) = try begin()
    try file.write { _ in file.delete(Model.dog, .int(7)) }
    try file.write { _ in file.link(file.row(Model.person, .int(1))!, Model.dogLink, .int(8)) }
    try file.write { _ in file.link(file.row(Model.person, .int(2))!, Model.dogLink, nil) }
    try file.transfer()
    #expect(try links(server) == ["1 8", "2 -", "3 8"])
    #expect(file.client.unresolvedCount == 0)
  }

  @Test func aLinkToAnObjectThatTheServerRejectsIsUnresolved() throws {
    let (server, file) = try begin()
    try server.rows("alter table app.\"Dog\" add check (age < 100)")
    try file.write { snapshot in
      snapshot.table(Model.dog).setInteger(1, file.create(Model.dog, .int(9)), 500)
      file.createPerson(4, dog: 9)
    }
    try file.transfer()
    #expect(file.rejected.map(\.key) == [.int(9)])
    #expect(try file.linked(4) == nil)
    #expect(try links(server).last == "4 9")
    try server.rows("insert into app.\"Dog\" (id) values (9)")
    try file.pull()
    #expect(try file.linked(4) == .int(9))
  }

  @Test func entriesOfDeletedObjectsAreRemoved() throws {
    let (server, file) = try begin()
    try server.rows("delete from app.\"Dog\"")
    try file.pull()
    #expect(file.client.unresolvedCount == 3)
    try server.rows("delete from app.\"Person\" where id = 1")
    try file.write { _ in file.delete(Model.person, .int(2)) }
    try file.transfer()
    #expect(file.client.unresolvedCount == 1)
    try file.restart()
    #expect(file.client.unresolvedCount == 1)
  }

  @Test func readingEverythingAgainChangesNoLink() throws {
    let (server, file) = try begin()
    try server.rows("delete from app.\"Dog\" where id = 7")
    try file.transfer()
    file.client.requestFullPull()
    #expect(try !file.pull())
    #expect(file.client.unresolvedCount == 2)
    #expect(try !file.client.push())
  }
}
