import Foundation
import Sync
import TestSupport
import Testing

/// The generated SQL as a whole: names, types of keys, rights, maintenance.
@Suite struct InstallationTests {
  /// Names that mean something in SQL, in the generated text, or in the language of its functions.
  private static let names = [
    "n", "op", "at", "st", "died", "lo", "hi", "x", "t", "s", "d", "g", "u", "o", "v", "key", "dead",
    "deletion",
    "known", "excluded", "new", "old", "what", "select", "user", "a\"b", "it's", "$1", "$realm$", "\\", "ä b",
    "; --",
  ]

  private static func properties(_ names: [String]) -> [SyncProperty] {
    names.enumerated().map { SyncProperty(name: $1, column: $0 + 1, number: $0 + 1, type: .bigint) }
  }

  @Test(arguments: [("lo", ServerType.bigint), ("k", .text), ("t", .objectId), ("id\"", .uuid)])
  func namesAndKeysOfAllKindsAreMerged(keyName: String, type: ServerType) throws {
    let propertyNames = Self.names.filter { $0 != keyName }
    let className = "C\"l$a$$s's $realm$ \(keyName)"
    let item = SyncClass(
      name: className, table: 0, key: SyncProperty(name: keyName, column: 0, number: 0, type: type),
      properties: Self.properties(propertyNames))
    let kennel = try Kennel([item])
    let names = ServerNames(schema: "app", className: className)
    let key = SQLText.identifier(keyName)
    let value =
      switch type {
      case .objectId: "'\\x0123456789abcdef01234567'"
      case .uuid: "'01234567-89AB-cdef-0123-456789abcdef'"
      case .text: "'it''s'"
      default: "-5"
      }
    let told =
      switch type {
      case .objectId: "0123456789abcdef01234567"
      case .uuid: "01234567-89ab-cdef-0123-456789abcdef"
      case .text: "it's"
      default: "-5"
      }
    let columns = propertyNames.map { SQLText.identifier($0) }
    func push(_ columns: [String], _ values: String) throws -> [String] {
      try kennel.connection.runScript("begin; select realm.begin_push(); select \(names.stage)()")
      try kennel.connection.runScript(
        "insert into \(names.input) (\(columns.joined(separator: ", "))) values (\(values))")
      try kennel.connection.runScript("select realm.apply(\(SQLText.literal(className)))")
      defer { try? kennel.connection.commit() }
      return try kennel.rows(
        "select class = \(SQLText.literal(className)), key, reason from pg_temp.\"$out\"")
    }
    let numbers = propertyNames.indices.map { "\($0)" }.joined(separator: ", ")
    #expect(try push(["_op", key, "_at"] + columns, "'i', \(value), 10, \(numbers)") == [])
    let stamps = propertyNames.map { _ in "20" }.joined(separator: ",")
    let one = propertyNames.map { _ in "1" }.joined(separator: ", ")
    #expect(try push(["_op", key, "_st"] + columns, "'u', \(value), '{\(stamps)}', \(one)") == [])
    let sum = columns.joined(separator: " + ")
    #expect(try kennel.rows("select \(sum) from \(names.table)") == ["\(propertyNames.count)"])
    try kennel.connection.runScript("update \(names.table) set \(columns[0]) = 5")
    #expect(try push(["_op", key, "_at"], "'d', \(value), 30") == [])
    #expect(try push(["_op", key, "_at"], "'i', \(value), 25") == ["t \(told) lost"])
    #expect(try kennel.rows("select count(*), max(_died) from \(names.departures)") == ["1 30"])
    #expect(try kennel.rows("select count(*) from \(names.table)") == ["0"])
    try kennel.connection.runScript("alter table \(names.table) add constraint n check (\(columns[0]) < 9)")
    #expect(
      try push(["_op", key, "_at", columns[0]], "'i', \(value), 40, 9")
        .map { $0.split(separator: " ").prefix(4).joined(separator: " ") } == ["t \(told) rejected 23514"])
  }

  @Test func everyTypeHasAColumnWithItsZero() throws {
    let types = ServerType.allCases
    let item = SyncClass(
      name: "All", table: 0, key: SyncProperty(name: "id", column: 0, number: 0, type: .bigint),
      properties: types.enumerated().flatMap { index, type in
        [false, true].enumerated().map { half, isOptional in
          let number = index * 2 + half + 1
          return SyncProperty(
            name: "p\(number)", column: number, number: number, type: type, isOptional: isOptional)
        }
      })
    let kennel = try Kennel([item])
    try kennel.connection.runScript("insert into app.\"All\" (id) values (1)")
    let required = types.indices.map { "p\($0 * 2 + 1) is not null" }.joined(separator: " and ")
    let optional = types.indices.map { "p\($0 * 2 + 2) is null" }.joined(separator: " and ")
    #expect(try kennel.rows("select \(required), \(optional) from app.\"All\"") == ["t t"])
  }

  @Test func aClassWithNothingButAKeyIsMerged() throws {
    var item = Kennel.dog
    item.properties = []
    let kennel = try Kennel([item])
    func push(_ values: String) throws {
      try kennel.connection.runScript(
        """
        begin; select realm.begin_push(); select app."Dog$stage"();
        insert into pg_temp."Dog$in" (_op, id, _at) values \(values); select realm.apply('Dog'); commit
        """)
    }
    try push("('i', 1, 10), ('u', 2, 10)")
    try push("('i', 1, 20)")
    try kennel.connection.runScript("update app.\"Dog\" set id = 3; insert into app.\"Dog\" values (4)")
    #expect(try kennel.rows("select id from app.\"Dog\" order by id") == ["3", "4"])
  }

  @Test func rolesMayDoWhatTheyNeedAndNoMore() throws {
    let kennel = try Kennel()
    let member = try kennel.connect(as: "kennel_member")
    let stranger = try kennel.connect(as: "kennel_stranger", isMember: false)
    func refusal(_ sql: String, _ connection: PostgresConnection) -> String? {
      do throws(PostgresError) {
        try connection.runScript(sql)
        return nil
      } catch { return error.sqlState }
    }
    #expect(try kennel.push([.created(1, at: 10), .deleted(2, at: 10)], member) == [])
    #expect(
      try kennel.rows("insert into realm.client default values returning id, owner", member) == [
        "1 kennel_member"
      ])
    try kennel.connection.runScript("insert into realm.client default values")
    #expect(try kennel.rows("select owner from realm.client", member) == ["kennel_member"])
    #expect(refusal("update realm.client set owner = 'postgres'", member) == "42501")
    for sql in [
      "select realm.collect('1 day')", "select realm.rehistory()", "delete from app.\"Dog$gone\"",
      "update realm.server set horizon = '5'", "truncate app.\"Dog\"", "create table app.x (id int)",
      "select app.\"Dog$died\"(1)", "insert into realm.property values ('Dog', 'x', 9, 'bigint', false)",
    ] { #expect(refusal(sql, member) == "42501", "\(sql)") }
    #expect(refusal("select * from app.\"Dog\"", stranger) == "42501")
    // A program that is no client needs the rights to what it does, and none for what the triggers do.
    try kennel.connection.runScript(
      "grant usage on schema app to kennel_stranger; grant insert, delete, select on app.\"Dog\" to kennel_stranger"
    )
    #expect(
      refusal("insert into app.\"Dog\" (id) values (7); delete from app.\"Dog\" where id = 7", stranger)
        == nil)
    #expect(try kennel.rows("select count(*) from app.\"Dog$gone\" where id = 7") == ["1"])
  }

  /// Functions with the rights of the owner must not find operators of the caller.
  @Test func operatorsOfACallerAreNotExecutedAsTheOwner() throws {
    let kennel = try Kennel()
    let thief = try kennel.connect(as: "kennel_thief")
    try kennel.connection.runScript("create schema trap authorization kennel_thief")
    try thief.runScript(
      """
      create table trap.caught (who text); grant all on trap.caught to public; grant usage on schema trap to public;
      create function trap.equal(bigint, bigint) returns boolean language plpgsql as $$
        begin insert into trap.caught values (current_user); return $1 operator(pg_catalog.=) $2; end $$;
      create operator trap.= (leftarg = bigint, rightarg = bigint, function = trap.equal);
      set search_path = trap, pg_catalog;
      select id from app."Dog" where id = 1;
      insert into app."Dog" (id) values (1); update app."Dog" set id = 2; delete from app."Dog";
      select app."Dog$bury"(array[1::bigint], array[1::bigint]); select app."Dog$dead"(array[1::bigint])
      """)
    #expect(try kennel.rows("select distinct who from trap.caught where who <> 'kennel_thief'") == [])
  }

  @Test func departuresThatNoClientNeedsAreCollected() throws {
    let kennel = try Kennel()
    try kennel.push(.created(1, at: 10), .created(2, at: 10))
    try kennel.push(.deleted(1, at: 20))
    // A cursor of its own: what the server's would be depends on transactions of other tests.
    try kennel.connection.runScript(
      """
      insert into realm.client (cursor)
        select format('%s:%s:', n, n)::pg_snapshot
          from (select _rx::text::bigint + 1 as n from app."Dog$gone") g union all select null
      """)
    try kennel.push(.deleted(2, at: 20))
    func collect() throws -> [String] { try kennel.rows("select realm.collect('60 days')") }
    // A client has not told what it has seen.
    #expect(try collect() == ["0"])
    #expect(try kennel.rows("select horizon from realm.server") == ["0"])
    try kennel.connection.runScript(
      "update realm.client set seen = now() - interval '61 days' where cursor is null")
    #expect(try collect() == ["1"])
    #expect(try kennel.rows("select id from app.\"Dog$gone\"") == ["2"])
    // What was collected lies below the horizon, and the cursor that has seen it does not.
    #expect(
      try kennel.rows(
        """
        select horizon > '0', pg_snapshot_xmin(cursor) >= horizon from realm.server, realm.client where cursor is not null
        """) == ["t t"])
  }

  @Test func aRestoredDatabaseGetsAHistoryOfItsOwn() throws {
    let kennel = try Kennel()
    try kennel.push(.created(1, at: 10, name: "a"), .created(2, at: 10))
    try kennel.push(.edited(1, name: ("b", 20)), .deleted(2, at: 20))
    try kennel.connection.runScript(
      """
      insert into realm.client (cursor) values (pg_current_snapshot());
      begin; select realm.begin_push(); alter table app."Dog" disable trigger user;
      update app."Dog" set _rx = '999999999', _rin = '999999999'; update app."Dog$gone" set _rx = '999999999';
      alter table app."Dog" enable trigger user; update realm.server set system_identifier = 5; commit
      """)
    let history = try kennel.rows("select history from realm.server")
    #expect(try kennel.rows("select realm.rehistory()") == ["1"])
    #expect(try kennel.dog(1) == ["b 0 0 - 10 {20,NULL,NULL,NULL}"])
    #expect(
      try kennel.rows(
        """
        select d._rx < '999999999', d._rin = d._rx, g._rx = d._rx, c.cursor is null, s.system_identifier <> 5
          from app."Dog" d, app."Dog$gone" g, realm.client c, realm.server s
        """) == ["t t t t t"])
    #expect(try kennel.rows("select history from realm.server") != history)
  }

  @Test(arguments: [
    ("app", true), ("my objects", true), ("realm", false), ("pg_x", false), ("", false),
    (String(repeating: "s", count: 58), false),
  ])
  func schemasThatCannotBeUsedAreRefused(name: String, isAccepted: Bool) {
    #expect((ServerSchema.refusal(ofSchema: name) == nil) == isAccepted)
  }

  /// The generated text for readers. After a change on purpose, delete the file: the test writes it again, and fails once.
  @Test(arguments: [Kennel.dog, Kennel.person]) func theTextIsTheOneThatWasReviewed(given: SyncClass) throws {
    let statements = ServerSchema(SyncModel(classes: [given])).initialSQL()
    let text = statements.map { $0 + ";\n" }.joined(separator: "\n")
    let file = Repository.folder.appending(path: "Tests/SyncTests/Server/Golden/\(given.name).sql")
    if !FileManager.default.fileExists(atPath: file.path) {
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(file.path) was missing and has been written")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }
}
