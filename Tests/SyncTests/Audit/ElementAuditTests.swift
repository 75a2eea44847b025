import Foundation
import Storage
import Sync
import TestSupport
import Testing

/// Objects with a collection of each kind.
private enum CollectedModel {
  static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Owner",
      columns: [
        Column(name: "id", type: .int, isPrimaryKey: true),
        Column(name: "any", type: .mixed, isNullable: true),
        Column(name: "notes", type: .string, collection: .list),
        Column(name: "dogs", type: .link, collection: .list, target: 1),
        Column(name: "things", type: .mixed, collection: .list, isNullable: true),
        Column(name: "rooms", type: .link, collection: .list, target: 2),
        Column(name: "tags", type: .string, collection: .set, isNullable: true),
        Column(name: "friends", type: .link, collection: .set, target: 1),
        Column(name: "dates", type: .date, collection: .set),
        Column(name: "scores", type: .int, collection: .map),
        Column(name: "labels", type: .mixed, collection: .map, isNullable: true),
      ]),
    TableDescription(name: "Dog", columns: [Column(name: "name", type: .string, isPrimaryKey: true)]),
    TableDescription(name: "Room", isEmbedded: true, columns: [Column(name: "size", type: .int)]),
  ])
  static let collections = [
    "notes", "dogs", "things", "rooms", "tags", "friends", "dates", "scores", "labels",
  ]
}

/// A file with many elements, as the server has them, and the rows that its client receives.
private final class CollectedFile: ClientFile {
  static let ownerCount = 400
  let outsider: PostgresConnection
  var receivedRows = 0

  init() throws {
    let model = try SyncModel.read(CollectedModel.catalogue)
    let server = try ModelServer(model)
    outsider = server.outsider
    try super.init(CollectedModel.catalogue, model, settings: server.settings)
    try outsider.runScript(Self.content)
    let connection = CuttingConnection(try PostgresConnection(server.settings), cut: nil) { $0 }
    connection.noteRow = { [unowned self] _, _ in receivedRows += 1 }
    client.connection = connection
    try client.contact()
    try client.pull()
  }

  deinit { client.disconnect() }

  private static var content: String {
    func insert(_ name: String, _ columns: String, _ values: String...) -> String {
      values.map {
        "insert into app.\"Owner.\(name)\" (owner, \(columns)) select n, \($0) from generate_series(1, \(ownerCount)) n;"
      }.joined()
    }
    func json(_ type: String, _ value: String) -> String {
      "jsonb_build_object('t', '\(type)', 'v', \(value))"
    }
    return """
      insert into app."Dog" (name) select 'dog ' || n from generate_series(1, 10) n;
      insert into app."Owner" (id, "any") select n, \(json("int", "n")) from generate_series(1, \(ownerCount)) n;
      """ + insert("notes", "value", "'first ' || n", "'second'")
        + insert("dogs", "value", "'dog ' || n % 10 + 1", "'missing'")
        + insert(
          "things", "value", json("double", "(n || '.5')::numeric"), "null",
          json("list", "jsonb_build_array(\(json("string", "'é\"' || n")), null)"))
        + insert("rooms", "value", json("dictionary", "jsonb_build_object('size', \(json("int", "n")))"))
        + insert("tags", "value", "'tag ' || n", "null") + insert("friends", "value", "'dog 3'", "'missing'")
        + insert("dates", "value", "'2026-11-27 01:02:03.456789'::timestamptz + n * interval '1.000001 s'")
        + insert("scores", "key, value", "'a', n", "'b', 5")
        + insert(
          "labels", "key, value", "'x', " + json("date", "'2026-11-26T11:10:00.123456Z'"), "'y', null",
          "'z', jsonb_build_object('t', 'link', 'v', 'dog 4', 'class', 'Dog')")
  }

  /// Changes the server as a program does that goes round the triggers.
  func corrupt(_ sql: String) throws {
    try outsider.runScript("begin; set local session_replication_role = replica; \(sql); commit")
  }

  /// What the file has of an object: the elements of lists in their order, those of the others sorted.
  func elements(_ key: Int64) throws -> [String] {
    try writer.advance()
    let table = writer.table(0)
    let row = row(0, .int(key))!
    return (2...10).map { column in
      let elements = (0..<table.count(column, row)).map { position in
        let value = text(table.element(column, row, at: position))
        return column > 8 ? "\(table.key(column, row, at: position)) \(value)" : value
      }
      return (column > 5 ? elements.sorted() : elements).joined(separator: ", ")
    }
  }

  private func text(_ value: Value) -> String {
    if case .link(let table, let row) = value {
      table == 1 ? writer.table(1).string(0, row) : "\(writer.table(2).value(0, row))"
    } else {
      "\(value)"
    }
  }
}

/// Audits of lists, sets and maps: only groups that differ are received.
@Suite struct ElementAuditTests {
  /// Changes of a collection of the object with a key, which the file is not told of.
  private static func changes(_ key: Int64) -> [(collection: String, sql: String)] {
    func change(_ collection: String, _ sql: String) -> (collection: String, sql: String) {
      let table = sql.replacingOccurrences(of: "TABLE", with: "app.\"Owner.\(collection)\"")
      return (collection, table.replacingOccurrences(of: "KEY", with: "\(key)"))
    }
    let room = """
      '{"t": "dictionary", "v": {"size": {"t": "int", "v": 77}}}'
      """
    let values = [
      ("notes", "'changed'"), ("dogs", "'dog 9'"), ("things", "'{\"t\": \"int\", \"v\": 3}'"),
      ("rooms", room),
    ]
    let lists = values.flatMap { name, value in
      [
        change(
          name,
          "update TABLE set value = \(value) where owner = KEY and _el = (select min(_el) from TABLE where owner = KEY)"
        ),
        change(
          name, "delete from TABLE where owner = KEY and _el = (select min(_el) from TABLE where owner = KEY)"
        ),
        change(
          name,
          "insert into TABLE (owner, _el, _key, value, _rx) select KEY, 1 + max(_el), max(_key::text)::bytea, \(value), '3' from TABLE where owner = KEY"
        ),
      ]
    }
    return lists + [
      change("notes", "update TABLE set _key = '\\x01' where owner = KEY and value = 'second'"),
      change("tags", "update TABLE set value = 'changed' where owner = KEY and value is null"),
      change("tags", "delete from TABLE where owner = KEY"),
      change("tags", "insert into TABLE (owner, value, _rx) values (KEY, 'new', '3')"),
      change("friends", "update TABLE set value = 'dog 8' where owner = KEY and value = 'dog 3'"),
      change("friends", "delete from TABLE where owner = KEY and value = 'dog 3'"),
      change("friends", "insert into TABLE (owner, value, _rx) values (KEY, 'dog 5', '3')"),
      change("dates", "update TABLE set value = value + interval '1 microsecond' where owner = KEY"),
      change("dates", "delete from TABLE where owner = KEY"),
      change("dates", "insert into TABLE (owner, value, _rx) values (KEY, '2000-01-01', '3')"),
      change("scores", "update TABLE set value = 6 where owner = KEY and key = 'b'"),
      change("scores", "delete from TABLE where owner = KEY and key = 'a'"),
      change("scores", "insert into TABLE (owner, key, value, _rx) values (KEY, 'c', 1, '3')"),
      change(
        "labels", "update TABLE set value = '{\"t\": \"int\", \"v\": 1}' where owner = KEY and key = 'z'"),
      change("labels", "delete from TABLE where owner = KEY and key = 'x'"),
      change("labels", "insert into TABLE (owner, key, value, _rx) values (KEY, 'new', null, '3')"),
    ]
  }

  @Test func equalElementsAreNotReceived() throws {
    let file = try CollectedFile()
    // All elements were received once.
    #expect(file.receivedRows > 16 * CollectedFile.ownerCount)
    file.receivedRows = 0
    #expect(try file.client.audit()?.differences == 0)
    // A row for each group of some 256 elements, for nine collections.
    #expect(file.receivedRows < CollectedFile.ownerCount / 8, "\(file.receivedRows) rows")
    #expect(try file.elements(7)[3] == "int(7)")
  }

  @Test func theObjectWhoseElementsDifferIsFound() throws {
    let file = try CollectedFile()
    let count = Self.changes(0).count
    let keys = (1...Int64(count + 5)).map { $0 }
    var expected = try keys.map { try file.elements($0) }
    for index in 0..<count {
      let change = Self.changes(Int64(index + 1))[index]
      let comment: Comment = "\(change.sql)"
      try file.corrupt(change.sql)
      try file.client.pull()
      #expect(try file.elements(keys[index]) == expected[index], comment)
      file.receivedRows = 0
      #expect(try file.client.audit()?.differences == 1, comment)
      #expect(file.receivedRows < 2 * CollectedFile.ownerCount, comment)
      let found = try file.elements(keys[index])
      let different = zip(CollectedModel.collections, zip(expected[index], found)).filter { $1.0 != $1.1 }
      #expect(different.map(\.0) == [change.collection], comment)
      expected[index] = found
      #expect(try keys.map { try file.elements($0) } == expected, comment)
      #expect(try file.client.audit()?.differences == 0, comment)
    }
    // Without hashes nothing else is found.
    file.client.requestFullPull()
    try file.client.pull()
    #expect(try keys.map { try file.elements($0) } == expected)
  }

  @Test func valuesThatAreSpelledOtherwiseAreNoDifferences() throws {
    let file = try CollectedFile()
    try file.corrupt(
      """
      update app."Owner.things" set value = '{"v": 7.500, "t": "double"}' where owner = 7 and value ->> 't' = 'double';
      update app."Owner" set "any" = '{"t": "int", "v": 7, "more": 1}' where id = 7
      """)
    #expect(try file.client.audit()?.differences == 0)
  }

  @Test func pendingElementsAreNoDifferences() throws {
    let file = try CollectedFile()
    try file.write { snapshot in
      let table = snapshot.table(0)
      let row = file.row(0, .int(7))!
      table.appendElement(2, row, .string("mine"))
      table.removeElements(3, row, 0..<1)
      table.insertIntoSet(6, row, .string("mine"))
      table.setMapValue(9, row, key: "a", .int(-1))
      table.setMapValue(9, row, key: "mine\0", .int(-1))
    }
    let mine = try file.elements(7)
    #expect(try file.client.audit()?.differences == 0)
    #expect(try file.elements(7) == mine)
    try file.client.push()
    try file.client.pull()
    #expect(try file.client.audit()?.differences == 0)
  }

  @Test func aFileThatHasEverythingComparesElementsToo() throws {
    let file = try CollectedFile()
    try file.outsider.runScript("select realm.rehistory()")
    try file.corrupt("delete from app.\"Owner.scores\" where owner = 7 and key = 'a'")
    file.client.disconnect()
    let connection = CuttingConnection(try PostgresConnection(file.settings!), cut: nil) { $0 }
    connection.noteRow = { [unowned file] _, _ in file.receivedRows += 1 }
    file.client.connection = connection
    try file.client.contact()
    #expect(file.resets == [.historyChanged])
    file.receivedRows = 0
    try file.client.pull()
    #expect(file.client.isPullApplied && file.receivedRows < 2 * CollectedFile.ownerCount)
    #expect(try file.elements(7)[7] == "b int(5)")
  }
}
