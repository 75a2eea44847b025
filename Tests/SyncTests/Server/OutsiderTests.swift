import Sync
import TestSupport
import Testing

/// Rows that SQL programs write by statements of every kind, with the rights of the owner and of a member, arrive in files.
@Suite(.serialized) struct OutsiderTests {
  static let scripts: [(name: String, sql: String)] = [
    ("insert", "insert into app.\"Dog\" (id, name) values (200, 'inserted'), (201, 'inserted')"),
    ("bulk update", "update app.\"Dog\" set age = id, nick = 'all' where id > 3"),
    ("bulk deletion", "delete from app.\"Dog\" where id % 3 = 0"),
    (
      "on conflict",
      """
      insert into app."Dog" (id, name) select n, 'again' from generate_series(1, 40) n
        on conflict (id) do update set name = excluded.name where "Dog".id > 10
      """
    ),
    (
      "savepoints",
      """
      begin; insert into app."Dog" (id, name) values (300, 'kept'); savepoint a;
      update app."Dog" set name = 'lost'; delete from app."Dog" where id = 1; rollback to savepoint a;
      savepoint b; insert into app."Dog" (id, name) values (301, 'kept too'); release savepoint b; commit
      """
    ),
    ("another key", "update app.\"Dog\" set id = id + 1000 where id between 20 and 25"),
    (
      "deletion and insertion",
      "begin; delete from app.\"Dog\" where id = 2; insert into app.\"Dog\" (id) values (2); commit"
    ),
    ("rollback", "begin; update app.\"Dog\" set name = 'lost'; rollback"),
    (
      "two-phase commit",
      "begin; insert into app.\"Dog\" (id) values (400); prepare transaction 'outsider'; commit prepared 'outsider'"
    ),
    (
      "a function",
      "do $$ begin for n in 500..510 loop insert into app.\"Dog\" (id) values (n); end loop; end $$"
    ),
  ]

  @Test(arguments: ["postgres", "outsider_role"]) func whatAScriptWritesArrives(role: String) throws {
    let server = try ModelServer(SimulatedModel.make())
    if role != "postgres" { try server.outsider.makeRole(role) }
    let program = try PostgresConnection(server.settings(role: role))
    try program.runScript("insert into app.\"Dog\" (id, name) select n, 'dog' from generate_series(1, 30) n")
    let file = try SimulatedFile()
    file.settings = server.settings
    try file.transfer()
    func check(_ name: String) throws {
      try file.pull()
      let columns = "concat_ws(' ', id, name)"
      #expect(try file.dogs() == server.rows("select \(columns) from app.\"Dog\"").sorted(), "\(name)")
      #expect(try file.client.audit()?.differences == 0, "\(name)")
      #expect(try !file.client.push(), "\(name)")
    }
    for (name, sql) in Self.scripts {
      // A prepared transaction cannot be written as one script, which is one transaction.
      for statement in sql.contains("$$") ? [sql] : sql.split(separator: ";").map(String.init) {
        try program.runScript(statement)
      }
      try check(name)
    }
    let copied = try program.copyIn("copy app.\"Dog\" (id, name) from stdin (format binary)") { writer in
      for number in 600..<620 {
        try writer.row(fields: 2) {
          writer.integer(Int64(number))
          try writer.text("copied")
        }
      }
    }
    #expect(copied == 20)
    try check("copy")
  }
}
