import Foundation
import LibC
import TestSupport
import Testing

/// The server that tests start.
@Suite struct PostgresServerTests {
  @Test func aServerCanBeStoppedAndStarted() throws {
    let server = try PostgresServer()
    let database = try server.makeDatabase()
    try server.psql("create table t as select 5 as a", database: database)
    for mode in [PostgresServer.StopMode.fast, .immediate] {
      server.stop(mode)
      #expect(throws: (any Error).self) { try server.psql("select 1") }
      try server.start()
    }
    #expect(try server.psql("select current_user") == "postgres")
  }

  @Test func releasingAServerRemovesItsFolder() throws {
    var server: PostgresServer? = try PostgresServer()
    let folder = try #require(server?.folder)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/data"))
    server = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func killingTheTestsRemovesTheirServers() async throws {
    // Both processes know this one's number.
    let note = "/tmp/openrealm-postgres-note-\(getpid())"
    defer { unlink(note) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let server = try PostgresServer()
      let process = try server.psql("select pg_read_file('postmaster.pid', 0, 20)").split(separator: "\n")[0]
      try "\(server.folder) \(process)".write(
        toFile: "/tmp/openrealm-postgres-note-\(getppid())", atomically: true, encoding: .utf8)
      kill(getpid(), SIGKILL)
    }
    let words = try String(contentsOfFile: note, encoding: .utf8).split(separator: " ").map(String.init)
    let process = try #require(Int32(words[1]))
    try await eventually { !FileManager.default.fileExists(atPath: words[0]) }
    try await eventually { kill(process, 0) != 0 || isZombie(process) }
  }

  /// Whether a process has ended, and its parent has not taken note of it.
  private func isZombie(_ process: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return status.contains(") Z ")
  }

  /// Both lock two tables, in opposite orders: PostgreSQL ends one of them.
  @Test func statementsThatADeadlockEndedAreRunAgain() async throws {
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    try server.psql("create table a (n int); create table b (n int)", database: database)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (first, second) in [("a", "b"), ("b", "a")] {
        group.addTask {
          try server.psql(
            "lock table \(first); select pg_sleep(0.5); lock table \(second); insert into a values (1)",
            database: database)
        }
      }
      try await group.waitForAll()
    }
    #expect(try server.psql("select count(*) from a", database: database) == "2")
  }

  @Test func rolesWithPasswordsNeedThem() throws {
    let server = try PostgresServer.shared()
    try server.makeRole("trusted")
    try server.makeRole("guarded", password: "r1ght")
    #expect(try server.psql("select current_user", role: "trusted") == "trusted")
    #expect(throws: (any Error).self) { try server.psql("select 1", role: "guarded") }
  }
}
