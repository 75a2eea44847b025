import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// realm sync: databases for synchronised realms.
struct SyncCommandTests {
  private let folder = ScratchFolder()

  private static let dog = [
    DescribedProperty("id", .int, primaryKey: true), DescribedProperty("name", .string),
    DescribedProperty("likes", .int), DescribedProperty("owner", .string, optional: true),
  ]

  private func file(_ classes: [DescribedClass], _ name: String = "dogs.realm") throws -> String {
    let path = folder.path(name)
    _ = try Realm(
      configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), schema: .classes(classes)))
    return path
  }

  @Test func printedSQLPreparesADatabase() throws {
    let path = try file([DescribedClass("Dog", Self.dog)])
    let printed = try RealmProgram.run(
      "sync", "init", path, "--print", "--counter", "Dog.likes", "--routing", "Dog.owner")
    #expect(printed.status == 0 && printed.error == "")
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    try server.psql(printed.output, database: database)
    #expect(
      try server.psql(
        "select name, number, type, nullable, counter, routing from realm.property order by number",
        database: database) == """
          id|0|bigint|f|f|f
          name|1|text|f|f|f
          likes|2|bigint|f|t|f
          owner|3|text|t|f|t
          """)
    let status = try RealmProgram.run("sync", "status", server.connectionString(database: database))
    #expect(status == .init(status: 0, output: "No client has registered.\n"))
  }

  @Test(arguments: [
    (["status", "dogs.realm", "--jsonl"], "--jsonl"), (["audit", "dogs.realm", "--print"], "--print"),
    (["collect", "postgresql:///demo", "--url=x"], "--url"),
    (["allow", "postgresql:///demo", "Dog", "--counter", "Dog.likes"], "--counter"),
  ])
  func optionsOfOtherActionsAreRefused(words: [String], option: String) throws {
    let outcome = try RealmProgram.run(["sync"] + words)
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.error.contains("realm sync \(words[0]) has no option '\(option)'"), "\(outcome)")
  }

  @Test func helpHasALineForEachAction() throws {
    let output = try RealmProgram.run("sync", "--help").output
    for action in [
      "init", "push-schema", "allow", "status", "audit", "resync", "rejected", "collect", "rehistory",
    ] {
      #expect(output.contains("realm sync \(action) "), "\(action)")
    }
  }

  @Test func databasesArePreparedAndExtended() throws {
    let server = try PostgresServer.shared()
    let url = server.connectionString(database: try server.makeDatabase())
    let early = try RealmProgram.run("sync", "status", url)
    #expect(early.status == 3 && early.error.contains("is not prepared for sync: realm sync init does that."))

    let path = try file([DescribedClass("Dog", Self.dog)])
    let first = try RealmProgram.run("sync", "init", url, path)
    #expect(first.error == "")
    #expect(first.output == "1 class, 4 properties: 6 tables, 19 functions made. Nothing was uploaded.\n")
    let again = try RealmProgram.run("sync", "init", url, path)
    #expect(again.status == 3 && again.error.contains("realm sync push-schema adds to it"))
    #expect(
      try RealmProgram.run("sync", "push-schema", url, path)
        == .init(status: 0, output: "The server has all classes and properties.\n"))

    let larger = try file(
      [
        DescribedClass("Dog", Self.dog + [DescribedProperty("nick", .string)]),
        DescribedClass("Toy", [DescribedProperty("id", .UUID, primaryKey: true)]),
      ], "larger.realm")
    let printed = try RealmProgram.run("sync", "push-schema", url, larger, "--print")
    #expect(printed.output.hasPrefix("begin;\n\n"))
    #expect(
      try RealmProgram.run("sync", "push-schema", url, larger)
        == .init(status: 0, output: "+ Dog.nick text\n+ class Toy\n"))

    var changed = Self.dog
    changed[1] = DescribedProperty("name", .int)
    let refused = try RealmProgram.run(
      "sync", "push-schema", url, file([DescribedClass("Dog", changed)], "changed.realm"))
    #expect(refused.status == 3)
    #expect(
      refused.error
        == "realm: 'Dog.name' is a required bigint, and on the server a required text: add a new property instead.\n"
    )
  }

  @Test func functionsAndTriggersOfAnEarlierVersionAreReplaced() throws {
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    let url = server.connectionString(database: database)
    let path = try file([DescribedClass("Dog", Self.dog)])
    _ = try RealmProgram.run("sync", "init", url, path)
    try server.psql(
      """
      create or replace function realm.now_hlc() returns bigint language sql as 'select 1::bigint';
      drop trigger realm_gone on app."Dog"
      """, database: database)
    let printed = try RealmProgram.run("sync", "push-schema", url, path, "--print")
    #expect(printed.output.contains("create or replace function realm.now_hlc()"))
    #expect(
      try RealmProgram.run("sync", "push-schema", url, path)
        == .init(
          status: 0, output: "The functions and triggers were brought to the version of this program.\n"))
    #expect(try RealmProgram.run("sync", "push-schema", url, path, "--print").output == "")
    #expect(try server.psql("select realm.now_hlc() > 1", database: database) == "t")
    try server.psql("insert into app.\"Dog\" (id) values (1); delete from app.\"Dog\"", database: database)
    #expect(try server.psql("select id from app.\"Dog$gone\"", database: database) == "1")
    // What psql executes leaves nothing to do, either.
    try server.psql("drop function realm.cut_stamps() cascade", database: database)
    try server.psql(
      RealmProgram.run("sync", "push-schema", url, path, "--print").output, database: database)
    #expect(try RealmProgram.run("sync", "push-schema", url, path, "--print").output == "")
  }

  @Test func countersAndRoutingPropertiesAreNotAddedLater() throws {
    let server = try PostgresServer.shared()
    let url = server.connectionString(database: try server.makeDatabase())
    let path = try file([DescribedClass("Dog", Self.dog)])
    _ = try RealmProgram.run("sync", "init", url, path, "--routing", "Dog.owner")
    let refused = try RealmProgram.run(
      "sync", "push-schema", url, path, "--counter", "Dog.likes", "--routing", "Dog.owner,Dog.name")
    #expect(refused.status == 3 && refused.output == "")
    #expect(
      refused.error == """
        realm: 'Dog.name' is no routing property on the server, whose departures of 'Dog' lack it: leave it out of the \
        routing properties, or use a new class.
        'Dog.likes' is no counter on the server: add a new property that is a counter instead, or leave it out of the \
        counters.

        """)
    #expect(
      try RealmProgram.run("sync", "push-schema", url, path, "--routing", "Dog.owner").output
        == "The server has all classes and properties.\n")
  }

  @Test func clientsAreListedAndLateOnesNamed() throws {
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    let url = server.connectionString(database: database)
    _ = try RealmProgram.run("sync", "init", url, file([DescribedClass("Dog", Self.dog)]))
    try server.psql(
      """
      insert into realm.client (owner, applied, seen) values ('ada', 812, now()), ('kiosk7', 3, now() - interval '90 days');
      update realm.client set cursor = pg_current_snapshot(), lag = 9, lag_max = 41 where owner = 'ada';
      """, database: database)
    let status = try RealmProgram.run("sync", "status", url).output.split(separator: "\n")
    #expect(status.first?.hasPrefix("id 1 ada  applied 812  seen ") == true)
    #expect(status.first?.hasSuffix(" ago  lag 9 ms (max 41)") == true)
    #expect(status.last == "id 2 kiosk7  not seen for 90 days")
    try server.psql(
      """
      insert into app."Dog" (id) values (1); delete from app."Dog";
      """, database: database)
    // A cursor of its own: what the server's would be depends on transactions of other tests.
    try server.psql(
      """
      update realm.client set cursor = format('%s:%s:', n, n)::pg_snapshot
        from (select _rx::text::bigint + 1 as n from app."Dog$gone") g where owner = 'ada'
      """, database: database)
    #expect(
      try RealmProgram.run("sync", "collect", url, "--older", "60").output
        == "1 departure removed; 1 client will be audited: kiosk7\n")
    #expect(
      try RealmProgram.run("sync", "rehistory", url).output
        == "0 rows restamped; clients will be audited when they come\n")
  }

  @Test func classesAreRestricted() throws {
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    let url = server.connectionString(database: database)
    let path = try file([DescribedClass("Dog", Self.dog)])
    _ = try RealmProgram.run("sync", "init", url, path, "--routing", "Dog.owner")
    let condition = "owner = current_user"
    #expect(
      try RealmProgram.run("sync", "allow", url, "Dog", "--read", condition, "--write", condition)
        == .init(
          status: 0,
          output:
            "policies on 2 tables; each client compares its file with the database when it receives next\n"))
    #expect(
      try server.psql("select count(*) from pg_policies where schemaname = 'app'", database: database) == "5")
    let refused = try RealmProgram.run("sync", "allow", url, "Dog", "--read", "name = 'a'", "--write", "true")
    #expect(refused.status == 3)
    #expect(
      refused.error.contains("Conditions of 'Dog' can use its key and its routing properties: id, owner."),
      "\(refused)")
    let other = try RealmProgram.run("sync", "allow", url, "Dog", "--read", "true", "--write", "likes < 3")
    #expect(other.status == 3 && other.error.contains("A condition uses 'likes'. Conditions of 'Dog'"))
    let hidden = try RealmProgram.run(
      "sync", "allow", url, "Dog", "--read", "_died is null", "--write", "true")
    #expect(hidden.status == 3 && hidden.error.contains("Conditions of 'Dog' can use"), "\(hidden)")
    for subquery in [
      "exists (select from pg_roles r where r.rolname = owner)",
      "owner = (select max(r.rolname) from pg_roles r where r.rolname <> owner)",
    ] {
      let refused = try RealmProgram.run("sync", "allow", url, "Dog", "--read", subquery, "--write", "true")
      #expect(refused.status == 3 && refused.error.contains("A subquery of a condition refers to the row"))
    }
    // Nothing that was refused has changed anything.
    #expect(try server.psql("select policy_epoch from realm.server", database: database) == "1")
    let printed = try RealmProgram.run(
      "sync", "allow", url, "Dog", "--read", "owner in (select rolname from pg_roles)", "--write",
      "owner = any ((select array_agg(rolname) from pg_roles)::text[])", "--print")
    #expect(
      printed.status == 0 && printed.output.contains("create policy realm_read on \"app\".\"Dog$gone\""))
    #expect(try server.psql("select policy_epoch from realm.server", database: database) == "1")
    try server.psql(printed.output, database: database)
    #expect(try server.psql("select policy_epoch from realm.server", database: database) == "2")
    #expect(
      try RealmProgram.run("sync", "allow", url, "Cat", "--read", "true", "--write", "true").status == 3)
    #expect(try RealmProgram.run("sync", "allow", url, "Dog", "--read", "true").status == 2)
    #expect(try RealmProgram.run("sync", "allow", url).status == 2)
  }

  @Test func whatCannotBeSynchronisedIsNamed() throws {
    let path = try file([
      DescribedClass("Dog", [DescribedProperty("name", .string)]),
      DescribedClass("Person", [DescribedProperty("things", .any, in: .set)]),
    ])
    let outcome = try RealmProgram.run("sync", "init", path, "--print")
    #expect(outcome.status == 3 && outcome.output == "")
    #expect(
      outcome.error == """
        realm: 'Dog' has no primary key: add one, for example a UUID, or leave the class out.
        'Person' has no primary key: add one, for example a UUID, or leave the class out.

        """)
  }

  @Test func wrongArgumentsAreExplained() throws {
    let path = try file([DescribedClass("Dog", Self.dog)])
    #expect(
      try RealmProgram.run("sync", "start", path).error.contains("'start' is none of init, push-schema"))
    #expect(
      try RealmProgram.run("sync", "init", path).error.contains(
        "the file is missing: realm sync init URL FILE."))
    #expect(
      try RealmProgram.run("sync", "init", path, "--print", "--counter", "likes").error
        .contains("'likes' is no property with its class"))
    #expect(
      try RealmProgram.run("sync", "init", path, "--print", "--schema", "realm").error
        .contains("schema with the name 'realm'"))
    let insecure = try RealmProgram.run("sync", "status", "postgresql://host.invalid/x?sslmode=require")
    #expect(insecure.status == 3 && insecure.error.contains("sslmode=require"))
  }
}
