import Storage
import Sync
import TestSupport
import Testing

/// Lists and maps of mixed values between files, a real server, and SQL programs.
@Suite struct MixedListTests {
  private final class Server: ModelServer {
    init() throws { try super.init(MixedModel.make()) }

    func things() throws -> [String] {
      try rows("select value->>'t' from app.\"Box.things\" order by _key, _el")
    }
  }

  private final class File: ClientFile {
    init(_ server: Server) throws {
      try super.init(MixedModel.catalogue, MixedModel.make(), settings: server.settings)
    }

    var box: Int { row(MixedModel.box, .int(1))! }

    /// Changes the box.
    func edit(_ body: (Table) throws -> Void) throws { try write { try body($0.table(MixedModel.box)) } }

    func link() -> Value { .link(table: MixedModel.toy, row: row(MixedModel.toy, MixedListTests.toy)!) }

    func things() throws -> [Value] {
      try writer.advance()
      return writer.table(MixedModel.box).elements(MixedModel.things, box)
    }

    func label(_ key: String) throws -> Value? {
      try writer.advance()
      let boxes = writer.table(MixedModel.box)
      let found = boxes.position(MixedModel.labels, box, ofKey: key)
      return found.isFound ? boxes.element(MixedModel.labels, box, at: found.position) : nil
    }
  }

  private static let toy = Value.uuid(.init(high: 0, low: 7))

  /// A server and two files with a box: a number, a list with a link to a toy, and the link alone; the labels `n` and `toy`.
  private func begin() throws -> (Server, File, File) {
    let server = try Server()
    let (first, second) = (try File(server), try File(server))
    try first.write { snapshot in
      let boxes = snapshot.table(MixedModel.box)
      first.create(MixedModel.toy, Self.toy)
      let row = first.create(MixedModel.box, .int(1))
      let link = first.link()
      boxes.insertElements(MixedModel.things, row, at: 0, [.int(5), .list([link, .string("a")]), link])
      boxes.setMapValue(MixedModel.labels, row, key: "n", .double(-0.0))
      boxes.setMapValue(MixedModel.labels, row, key: "toy", link)
    }
    try transfer(first, second)
    return (server, first, second)
  }

  private func transfer(_ files: File...) throws {
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    for file in files {
      #expect(try !file.client.push())
      try file.writer.advance()
    }
  }

  @Test func valuesWithLinksArrive() throws {
    let (server, first, second) = try begin()
    #expect(try server.things() == ["int", "list", "link"])
    for file in [first, second] {
      let link = file.link()
      #expect(try file.things().areExactly([.int(5), .list([link, .string("a")]), link]))
      #expect(try file.label("toy") == link)
      #expect(try file.label("n")?.isExactly(.double(-0.0)) == true)
      #expect(try file.client.audit()?.differences == 0)
    }
  }

  @Test(arguments: [false, true]) func linksWhoseTargetIsDeletedAreNullAndComeBack(isUser: Bool) throws {
    let (server, first, second) = try begin()
    if isUser {
      try first.write { _ in first.delete(MixedModel.toy, Self.toy) }
    } else {
      try server.rows("delete from app.\"Toy\"")
    }
    try transfer(first, second)
    // The list changes, and its unresolved elements stay.
    try first.edit { boxes in
      boxes.moveElement(MixedModel.things, first.box, from: 2, to: 0)
      boxes.appendElement(MixedModel.things, first.box, .bool(true))
    }
    try first.restart()
    try transfer(first, second)
    #expect(try server.things() == ["link", "int", "list", "bool"])
    for file in [first, second] {
      #expect(try file.things() == [.null, .int(5), .list([.null, .string("a")]), .bool(true)])
      #expect(try file.label("toy") == .null)
    }
    try server.rows("insert into app.\"Toy\" (id) values ('00000000-0000-0000-0000-000000000007')")
    try transfer(first, second)
    for file in [first, second] {
      let link = file.link()
      #expect(try file.things() == [link, .int(5), .list([link, .string("a")]), .bool(true)])
      #expect(try file.label("toy") == link)
    }
  }

  @Test func linksToAnObjectThatIsMadeAgainComeBackAlsoWhenTheListWasChangedMeanwhile() throws {
    let (server, first, second) = try begin()
    try first.write { _ in first.delete(MixedModel.toy, Self.toy) }
    try transfer(first, second)
    try first.write { _ in first.create(MixedModel.toy, Self.toy) }
    // Nothing of it is sent, so that nothing of the list is received.
    try first.edit { $0.appendElement(MixedModel.things, first.box, .bool(true)) }
    try first.edit { $0.removeElements(MixedModel.things, first.box, 3..<4) }
    try transfer(first, second)
    #expect(try server.things() == ["int", "list", "link"])
    for file in [first, second] {
      let link = file.link()
      #expect(try file.things() == [.int(5), .list([link, .string("a")]), link])
      #expect(try file.label("toy") == link)
    }
  }

  @Test func writingNullOverALinkWhoseTargetIsMissingReplacesIt() throws {
    let (server, first, second) = try begin()
    try server.rows("delete from app.\"Toy\"")
    try transfer(first, second)
    try first.edit { boxes in
      boxes.replaceElement(MixedModel.things, first.box, at: 2, .null)
      boxes.setMapValue(MixedModel.labels, first.box, key: "toy", .null)
    }
    try transfer(first, second)
    #expect(try server.things() == ["int", "list", "-"])
    #expect(try server.rows("select key from app.\"Box.labels\" where value is null") == ["toy"])
  }

  @Test func concurrentEditsOfTwoElementsAreBothKept() throws {
    let (server, first, second) = try begin()
    try first.edit { $0.replaceElement(MixedModel.things, first.box, at: 0, .string("x")) }
    try second.edit { boxes in
      boxes.removeElements(MixedModel.things, second.box, 1..<2)
      boxes.setMapValue(MixedModel.labels, second.box, key: "n", .list([.int(1)]))
    }
    try transfer(first, second)
    #expect(try server.things() == ["string", "link"])
    for file in [first, second] {
      #expect(try file.things() == [.string("x"), file.link()])
      #expect(try file.label("n") == .list([.int(1)]))
    }
  }

  @Test func aValueThatCannotBeReadChangesNothing() throws {
    let (server, first, second) = try begin()
    try server.rows(
      """
      update app."Box.things" set value = '5' where value->>'t' = 'int';
      insert into app."Box.labels" (owner, key, value) values (1, 'odd', '{"t": "what", "v": 1}')
      """)
    try transfer(first, second)
    for file in [first, second] {
      #expect(try file.things().first == .int(5) && file.label("odd") == nil)
      for _ in 0..<2 { #expect(try file.client.audit()?.differences == 0) }
      #expect(file.unreadable.map(\.property).sorted() == ["labels", "things"])
      #expect(file.unreadable.contains { "\($0)".contains("the element with the key 'odd' of 'Box.labels'") })
    }
    try first.edit { $0.appendElement(MixedModel.things, first.box, .int(6)) }
    try transfer(first, second)
    #expect(try server.rows("select count(*) from app.\"Box.things\" where value = '5'") == ["1"])
    #expect(try second.things().last == .int(6))
    let third = try File(server)
    try transfer(third)
    #expect(try third.things().first == .null && third.things().count == 4)
    #expect(try server.rows("select count(*) from app.\"Box.things\" where value = '5'") == ["1"])
  }
}
