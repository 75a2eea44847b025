import Storage
import Sync
import TestSupport
import Testing

/// Servers on which one statement takes longer than statements usually may.
@Suite struct SlowServerTests {
  private func connect(_ file: LinkedFile, _ settings: PostgresSettings) throws {
    var settings = settings
    settings.statementTimeout = 0.3
    file.client.connection = try PostgresConnection(settings)
    try file.client.contact()
  }

  @Test func aPushTakesAsLongAsTheServerNeeds() throws {
    let server = try LinkedServer()
    try server.rows(
      """
      create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(0.6); return null; end';
      create trigger wait after insert on app."Dog" execute function wait();
      """)
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(7)) }
    try connect(file, server.settings)
    #expect(try file.client.push())
    #expect(try server.rows("select id from app.\"Dog\"") == ["7"])
  }

  @Test func aPullTakesAsLongAsTheServerNeeds() throws {
    let server = try LinkedServer()
    try server.rows(
      """
      insert into app."Dog" (id) values (7);
      create function wait() returns boolean language plpgsql as 'begin perform pg_sleep(0.6); return true; end';
      create role slow login in role realm_user;
      alter table app."Dog" enable row level security;
      create policy slow on app."Dog" using ((select wait()));
      """)
    let file = try LinkedFile(server)
    try connect(file, server.settings(role: "slow"))
    #expect(try file.client.pull())
    try file.writer.advance()
    #expect(file.row(LinkedModel.dog, .int(7)) != nil)
    try server.rows("drop owned by slow; drop role slow")
  }
}
