import Foundation
import LibC
import RealmSwift
import RealmSync
import TestSupport
import Testing

/// Sessions whose server fails while they run, through the interface of the library.
@MainActor @Suite struct SessionFaultTests {
  private func names(_ database: SyncDatabase) throws -> [String] {
    try database.run("select id || ' ' || name from app.\"SyncDog\" order by id").split(separator: "\n")
      .map(String.init)
  }

  private func names(_ realm: Realm) -> [String] {
    realm.refresh()
    return realm.objects(SyncDog.self).sorted(byKeyPath: "id").map { "\($0.id) \($0.name)" }
  }

  private func add(_ id: Int, to realm: Realm) throws {
    try realm.write { _ = realm.create(SyncDog.self, value: ["id": id, "name": "dog"]) }
  }

  /// Writes in two realms while the server fails again and again; then both have the same as the server.
  private func converge(_ database: SyncDatabase, _ fail: (Int) throws -> Void) async throws {
    let realms = try await database.openCurrent("first.realm", "second.realm")
    for round in 0..<6 {
      for (number, realm) in realms.enumerated() {
        for place in 0..<5 { try add(round * 10 + number * 5 + place, to: realm) }
      }
      try fail(round)
      if round % 2 == 0 { try await realms[0].syncSession!.wait(for: .upload) }
    }
    try await exchange(realms)
    let expected = (0..<60).map { "\($0) dog" }
    #expect(try names(database) == expected)
    for realm in realms { #expect(names(realm) == expected) }
  }

  @Test func sessionsGoOnAfterTheirBackendsWereTerminated() async throws {
    let database = try SyncDatabase()
    try await converge(database) { _ in try database.server.terminateBackends(of: database.name) }
  }

  @Test func sessionsGoOnAfterTheServerHasCrashed() async throws {
    let server = try PostgresServer(isDurable: true)
    try await converge(SyncDatabase(server: server)) { _ in
      server.stop(.immediate)
      try server.start()
    }
  }

  private func isBehind(_ session: SyncSession) -> Bool {
    if case .behind = session.health.status { true } else { false }
  }

  @Test func answersThatAreSwallowedAreNoticed() async throws {
    let database = try SyncDatabase()
    let proxy = try PostgresProxy(database.server)
    var configuration = database.configuration("realm.realm")
    configuration.syncConfiguration = SyncConfiguration(
      url: proxy.connectionString(database: database.name), pollInterval: 1)
    let realm = try await Realm.open(configuration: configuration)
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    let acknowledged = session.health.acknowledgedVersion
    proxy.behaviour = .swallowAnswers
    try add(1, to: realm)
    try await eventually { isBehind(session) }
    // What the server has is not acknowledged before an answer says so.
    #expect(session.health.acknowledgedVersion == acknowledged)
    proxy.behaviour = .cut
    try await eventually { session.connectionStatus != .connected }
    proxy.behaviour = .forward
    session.suspend()
    session.resume()
    try await session.wait(for: .upload)
    #expect(try names(database) == ["1 dog"])
    proxy.stop()
  }

  @Test func aBackendThatIsStoppedIsNoticed() async throws {
    let database = try SyncDatabase()
    let realm = try await database.open("realm.realm")
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    let backends = try database.run(
      "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    ).split(separator: "\n").compactMap { pid_t($0) }
    #expect(backends.count == 2)
    for backend in backends { kill(backend, SIGSTOP) }
    defer { for backend in backends { kill(backend, SIGCONT) } }
    try add(1, to: realm)
    try await eventually { isBehind(session) }
    for backend in backends { kill(backend, SIGCONT) }
    try await session.wait(for: .upload)
    #expect(try names(database) == ["1 dog"])
  }

  /// The server accepts no push, but is read as before. A trigger that names a column which is not there fails like a schema that
  /// has changed.
  @Test(arguments: ["53100", "42703"])
  func pullsGoOnWhileTheServerAcceptsNoPush(state: String) async throws {
    let database = try SyncDatabase()
    try database.run(
      """
      create function app.refuse() returns trigger language plpgsql as $$ begin
        if current_setting('realm.push', true) = 'on' then raise exception 'no space' using errcode = '\(state)'; end if;
        return new;
      end $$;
      create trigger refuse before insert on app."SyncDog" for each row execute function app.refuse()
      """)
    let realm = try await database.open("realm.realm")
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    try add(1, to: realm)
    for id in 10..<15 {
      try database.run("insert into app.\"SyncDog\" (id, name) values (\(id), 'outside')")
      try await session.wait(for: .download)
      #expect(names(realm) == ["1 dog"] + (10...id).map { "\($0) outside" })
    }
    #expect(session.health.waiting == 1)
    guard case .offline(_, let reason) = session.health.status else {
      Issue.record("\(session.health.status)")
      return
    }
    #expect(reason.contains("no space"))
    try database.run("drop trigger refuse on app.\"SyncDog\"")
    try await session.wait(for: .upload)
    try await session.wait(for: .download)
    #expect(try names(database) == names(realm) && names(realm).count == 6)
    if case .offline = session.health.status { Issue.record("\(session.health.status)") }
  }
}
