import Storage
import Sync
import TestSupport
import Testing

/// Elements of objects that the subscriptions of a file do not select.
@Suite struct SubscribedElementsTests {
  private static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "color", type: .string),
          Column(name: "name", type: .string),
          Column(name: "toys", type: .string, collection: .set),
          Column(name: "tricks", type: .int, collection: .map),
          Column(name: "walks", type: .string, collection: .list),
        ])
    ])

  private let server: ModelServer
  private let file: SubscribedFile

  init() throws {
    let model = try SyncModel.read(Self.catalogue, routing: [PropertyName("Dog", "color")])
    server = try ModelServer(model)
    file = try SubscribedFile(server.settings, [.color("red")], catalogue: Self.catalogue, model: model)
    try server.rows(
      """
      insert into app."Dog" (id, color) values (1, 'red'), (2, 'blue');
      insert into app."Dog.toys" (owner, value) select n, v from generate_series(1, 2) n, unnest('{ball,rope}'::text[]) v;
      insert into app."Dog.tricks" (owner, key, value) select n, 'sit', n from generate_series(1, 2) n;
      insert into app."Dog.walks" (owner, value) select n, 'park' from generate_series(1, 2) n
      """)
  }

  /// Connects the client, and returns the keys of the objects that rows have arrived of in the body.
  private func arrived(_ body: () throws -> Void) throws -> Set<ExactValue> {
    var owners: Set<ExactValue> = []
    let connection = CuttingConnection(try PostgresConnection(server.settings), cut: nil) { $0 }
    connection.noteRow = { sql, row in
      if !sql.contains("bit_xor") { owners.insert(ExactValue(row[0])) }
    }
    file.client.connection = connection
    try file.client.contact()
    try body()
    file.client.disconnect()
    return owners
  }

  /// Numbers of elements: toys, tricks and walks.
  private func counts(_ key: Int64) throws -> [Int]? {
    try file.writer.advance()
    let table = file.writer.table(0)
    return file.row(key).map { row in (3...5).map { table.count($0, row) } }
  }

  private let both: Set = [ExactValue(.int(1)), ExactValue(.int(2))]

  @Test func elementsOfOthersAreNotSent() throws {
    var differences: Int?
    let one: Set = [ExactValue(.int(1))]
    #expect(try arrived { try file.client.pull() } == one)
    #expect(try counts(1) == [2, 1, 1])
    try server.rows(
      """
      insert into app."Dog.toys" (owner, value) values (1, 'stick'), (2, 'stick');
      delete from app."Dog.toys" where value = 'ball'; delete from app."Dog.tricks";
      insert into app."Dog.walks" (owner, value) values (1, 'wood'), (2, 'wood'); delete from app."Dog.walks" where value = 'park'
      """)
    #expect(try arrived { try file.client.pull() } == one)
    #expect(try counts(1) == [2, 0, 1])
    // Equal elements are compared by their hashes.
    #expect(try arrived { differences = try file.client.audit()?.differences } == [] && differences == 0)
    try server.outsider.runScript(
      "begin; set local session_replication_role = replica; delete from app.\"Dog.toys\" where value = 'rope'; commit"
    )
    #expect(try arrived { differences = try file.client.audit()?.differences } == one && differences == 1)
    #expect(try counts(1) == [1, 0, 1])
    try server.rows("update app.\"Dog\" set color = 'red' where id = 2")
    #expect(try arrived { try file.client.pull() }.contains(ExactValue(.int(2))))
    #expect(try counts(2) == [1, 0, 1])
  }

  @Test func anotherSubscriptionBringsAllElements() throws {
    _ = try arrived { try file.client.pull() }
    try file.subscribe([.all])
    #expect(try arrived { try file.client.pull() } == both)
    #expect(try counts(1) == [2, 1, 1] && counts(2) == [2, 1, 1])
    try file.subscribe([.color("blue")])
    _ = try arrived { try file.client.pull() }
    #expect(try counts(1) == nil && counts(2) == [2, 1, 1])
  }

  /// An object that waits for its changes to be sent, although no subscription selects it any more, keeps its elements until then.
  @Test(arguments: [false, true]) func whatIsAboutToLeaveKeepsItsElements(isWhole: Bool) throws {
    _ = try arrived { try file.client.pull() }
    try file.write { $0.table(0).setString(2, file.row(1)!, "Rex") }
    try server.rows("update app.\"Dog\" set color = 'blue' where id = 1")
    if isWhole { file.client.requestFullPull() }
    _ = try arrived { try file.client.pull() }
    #expect(try counts(1) == [2, 1, 1])
    _ = try arrived { try file.synchronise() }
    #expect(try counts(1) == nil)
    #expect(try server.rows("select name from app.\"Dog\" where id = 1") == ["Rex"])
    #expect(try server.rows("select count(*) from app.\"Dog.toys\" where owner = 1") == ["2"])
  }

  @Test func anObjectLeavesAWholePullAlsoIfOnlyItsElementsWaited() throws {
    _ = try arrived { try file.client.pull() }
    try file.write { $0.table(0).appendElement(5, file.row(1)!, .string("wood")) }
    try server.rows("update app.\"Dog\" set color = 'blue' where id = 1")
    file.client.requestFullPull()
    _ = try arrived { try file.client.pull() }
    #expect(try counts(1) == [2, 1, 2])
    _ = try arrived { try file.synchronise() }
    #expect(try counts(1) == nil)
    #expect(try server.rows("select count(*) from app.\"Dog.walks\" where owner = 1") == ["2"])
  }

  @Test func whatTheServerHasEmptiedIsEmptiedByAWholePull() throws {
    _ = try arrived { try file.client.pull() }
    try file.write { $0.table(0).setString(2, file.row(1)!, "Rex") }
    try server.rows("delete from app.\"Dog.toys\"; delete from app.\"Dog.walks\"")
    file.client.requestFullPull()
    _ = try arrived { try file.client.pull() }
    #expect(try counts(1) == [0, 1, 0])
  }
}
