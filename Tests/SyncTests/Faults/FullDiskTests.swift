import Foundation
import LibC
import RealmSwift
import RealmSync
import Sync
import TestSupport
import Testing

/// An object with a counter and a text.
final class SyncTally: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted(counter: true) var count: Int
}

/// Sessions of processes whose files cannot grow, as on a full disk: a limit of the process makes the same calls fail.
@Suite struct FullDiskTests {
  /// Lets no file of this process grow beyond a size; nil for no limit. Writes fail then, instead of ending the process.
  private static func limitFiles(_ size: UInt64?) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  private static func size(_ path: String) throws -> UInt64 {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as! UInt64
  }

  private static func configuration(_ url: String, _ path: String) -> Realm.Configuration {
    Realm.Configuration(
      sync: SyncConfiguration(url: url, pollInterval: 0.5), fileURL: URL(filePath: path),
      objectTypes: [SyncTally.self])
  }

  @MainActor private static func waitUntilFull(_ session: SyncSession) async throws {
    try await eventually {
      if case .stopped(let reason) = session.health.status {
        reason.contains("Not enough space to write the Realm file")
      } else {
        false
      }
    }
  }

  private func database(_ rows: Int) throws -> SyncDatabase {
    let database = try SyncDatabase([SyncTally.self])
    try database.run(
      "insert into app.\"SyncTally\" (id, text) select n, md5(n::text) from generate_series(1, \(rows)) n"
    )
    return database
  }

  @Test func aDownloadThatFindsNoSpaceIsReportedAndRetried() async throws {
    let database = try database(10)
    let folder = ScratchFolder()
    await #expect(processExitsWith: .success) {
      [
        url = database.url as String, path = folder.path("full.realm") as String,
        server = database.server.connectionString(database: database.name) as String
      ] in
      try await FullDiskTests.download(url, path, server)
    }
  }

  @MainActor private static func download(_ url: String, _ path: String, _ server: String) async throws {
    let realm = try await Realm.open(configuration: configuration(url, path))
    let session = realm.syncSession!
    try await session.wait(for: .download)
    realm.refresh()
    limitFiles(try size(path))
    let outsider = try PostgresConnection(PostgresSettings(server))
    try outsider.runScript(
      "insert into app.\"SyncTally\" (id, text) select n, repeat(md5(n::text), 200) from generate_series(11, 3000) n"
    )
    try await waitUntilFull(session)
    realm.refresh()
    guard realm.objects(SyncTally.self).count == 10 else { exit(3) }
    // Nothing is left of it.
    try await Task.sleep(for: .seconds(1))
    try await waitUntilFull(session)
    limitFiles(nil)
    try await eventually { session.health.status == .current }
    realm.refresh()
    guard realm.objects(SyncTally.self).count == 3000 else { exit(4) }
    let findings = try await session.audit()
    guard findings.differences == 0 else { exit(5) }
    exit(0)
  }

  @Test func anUploadThatFindsNoSpaceIsReportedAndSentOnce() async throws {
    let database = try database(30_000)
    let folder = ScratchFolder()
    await #expect(processExitsWith: .success) {
      [url = database.url as String, path = folder.path("full.realm") as String] in
      try await FullDiskTests.upload(url, path)
    }
    #expect(try database.run("select count(*), sum(count) from app.\"SyncTally\"") == "30000|60000")
  }

  @MainActor private static func upload(_ url: String, _ path: String) async throws {
    let realm = try await Realm.open(configuration: configuration(url, path))
    let session = realm.syncSession!
    try await session.wait(for: .download)
    realm.refresh()
    session.suspend()
    for _ in 0..<2 {
      try realm.write { for tally in realm.objects(SyncTally.self) { tally.count += 1 } }
    }
    // The amounts of the counters are noted in the file before they are sent, which takes more than its free pages.
    limitFiles(try size(path))
    session.resume()
    try await waitUntilFull(session)
    limitFiles(nil)
    try await eventually { session.health.status == .current && session.health.waiting == 0 }
    let findings = try await session.audit()
    guard findings.differences == 0 else { exit(5) }
    exit(0)
  }
}
