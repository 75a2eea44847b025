import Dispatch
import Foundation
import RealmSwift
import Storage
import Sync
import Synchronization

/// Synchronises the files of realms with a PostgreSQL database.
struct PostgresSynchroniser: FileSynchroniser {
  let url: String
  let schema: String
  let password: SyncConfiguration.Password
  let classes: [String]?
  let initialSubscriptions: (@Sendable (SyncSubscriptionSet) -> Void)?
  let rerunsSubscriptions: Bool
  let pollInterval: TimeInterval
  let auditInterval: TimeInterval
  let openTimeout: TimeInterval
  let allowsInsecureConnection: Bool
  let onRejected: (@Sendable ([Rejection]) -> Void)?
  let onReset: (@Sendable (ResetReason) -> Void)?

  func check(_ configuration: Realm.Configuration) throws {
    if configuration.inMemoryIdentifier != nil {
      throw Realm.Error(.fail, "An in-memory realm cannot be synchronised: open a file.")
    }
    if configuration.readOnly {
      throw Realm.Error(.fail, "A realm that is opened read-only cannot be synchronised.")
    }
    if configuration.durability == .relaxed {
      throw Realm.Error(
        .fail,
        "A realm with relaxed durability cannot be synchronised: nothing is sent that a power failure could "
          + "still undo. Use Realm.Durability.full.")
    }
    _ = try settings()
  }

  func isEquivalent(to other: any FileSynchroniser) -> Bool {
    guard let other = other as? PostgresSynchroniser else { return false }
    return url == other.url && schema == other.schema && classes.map(Set.init) == other.classes.map(Set.init)
      && (initialSubscriptions == nil) == (other.initialSubscriptions == nil)
  }

  func synchronise(
    _ file: DatabaseFile, _ snapshot: Snapshot, _ configuration: Realm.Configuration
  ) throws -> any FileSynchronisation {
    let names =
      classes ?? configuration.objectTypes.map { $0.filter { !$0.isEmbedded() }.map { $0.className() } }
    let counters = configuration.counters.filter { names?.contains($0.className) ?? true }
      .map { PropertyName($0.className, $0.column) }
    let model = try model(snapshot.catalogue, names, Set(counters))
    let server = RunningSession.Server(
      url: url, schema: schema, hasSubscriptions: initialSubscriptions != nil)
    let running = try RunningSession.open(file) {
      try SyncClient.prepare(file, model, time: SyncClock.systemMilliseconds())
      try SubscriptionDraft.prepare(file, initial: initialSubscriptions, isRerun: rerunsSubscriptions)
      return RunningSession(file, SyncSession(try loop(file, model)), server, model)
    }
    guard running.server == server, running.synchronises(model) else {
      throw Realm.Error(
        .fail,
        "The Realm file at path '\(file.path)' is being synchronised with another server, without some of the "
          + "classes or properties, or with subscriptions in one realm only. Use the same sync configuration for all realms of a file."
      )
    }
    return running
  }

  private func model(
    _ catalogue: Catalogue, _ names: [String]?, _ counters: Set<PropertyName>
  ) throws -> SyncModel {
    do {
      return try SyncModel.read(catalogue, classes: names, counters: counters)
    } catch {
      throw Realm.Error(.schemaMismatch, "The realm cannot be synchronised:\n\(error)")
    }
  }

  private func loop(_ file: DatabaseFile, _ model: SyncModel) throws -> SyncLoop {
    let settings = try settings()
    let loop = SyncLoop(
      file, pollInterval: pollInterval, auditInterval: auditInterval,
      makeClient: { _ in
        let client = try SyncClient(
          file, model, schema: schema, time: { SyncClock.systemMilliseconds() },
          report: { tell($0, file.path) })
        client.record.address = settings.address
        return client
      },
      connect: { try SessionConnections.open(settings, schema: schema, $0.interrupter) })
    guard loop.start() else { throw Realm.Error(.fail, "The system has no thread for synchronisation.") }
    return loop
  }

  private func tell(_ event: SyncEvent, _ path: String) {
    switch event {
    case .rejected(let objects): onRejected?(objects.map { Rejection($0) })
    case .reset(let cause): onReset?(ResetReason(cause))
    case .unreadable(let values): for value in values { Logger.shared.log(.error, "Sync: \(value)") }
    case .audited(let findings):
      // Each difference is a fault of this library, or of what has gone round the triggers of the server.
      if findings.differences > 0 {
        Logger.shared.log(
          .error,
          "Sync: \(findings.differences) differences of '\(path)' from the server have been repaired; \(findings.objects) objects of the server were compared"
        )
      }
    }
  }

  private func settings() throws -> PostgresSettings {
    let source: PostgresPassword =
      switch password {
      case .environment: .environment
      case .passFile(let url): .passFile(url.path)
      case .provider(let provide): .provider { _ in try waiting(for: provide) }
      }
    do {
      return try PostgresSettings(
        url, password: source, allowsInsecureConnection: allowsInsecureConnection)
    } catch {
      throw Realm.Error(.fail, error.message)
    }
  }
}

/// Waits, on the thread of a session, for what a task returns.
private func waiting(for provide: @escaping @Sendable () async throws -> String) throws -> String {
  let result = Mutex<Result<String, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  // The closure outlives no frame: this one waits for it.
  let work: @Sendable () async -> Void = {
    do {
      let password = try await provide()
      result.withLock { $0 = .success(password) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  Task { await work() }
  done.wait()
  return try result.withLock { $0! }.get()
}

/// A reference of realms to the session of their file. All realms of the file in this process have the same session, which the
/// program may keep while no realm is open.
final class RunningSession: FileSynchronisation {
  /// What a file is synchronised with.
  struct Server: Sendable, Hashable {
    var url: String
    var schema: String
    var hasSubscriptions: Bool
  }

  let file: DatabaseFile
  let session: SyncSession
  let server: Server
  private let model: SyncModel
  private static let running = Mutex<[Entry]>([])

  private struct Entry: Sendable {
    let file: ObjectIdentifier
    weak var session: SyncSession?
    let server: Server
    let model: SyncModel
  }

  init(_ file: DatabaseFile, _ session: SyncSession, _ server: Server, _ model: SyncModel) {
    (self.file, self.session, self.server, self.model) = (file, session, server, model)
  }

  /// Whether all classes and properties of a model are synchronised, counters as such.
  func synchronises(_ other: SyncModel) -> Bool {
    other.classes.allSatisfy { syncClass in
      guard let known = model[syncClass.name] else { return false }
      return syncClass.properties.allSatisfy { known[$0.name] == $0 }
        && syncClass.collections.allSatisfy { known.collections.contains($0) }
    }
  }

  /// Returns the session of a file, and makes it if there is none.
  static func open(_ file: DatabaseFile, _ make: () throws -> RunningSession) throws -> RunningSession {
    if let known = running.withLock({ find(file, in: $0) }) { return known }
    let made = try make()
    let other = running.withLock { running -> RunningSession? in
      if let other = find(file, in: running) { return other }
      running.removeAll { $0.session == nil || $0.file == ObjectIdentifier(file) }
      running.append(
        Entry(file: ObjectIdentifier(file), session: made.session, server: made.server, model: made.model))
      return nil
    }
    return other ?? made
  }

  private static func find(_ file: DatabaseFile, in running: [Entry]) -> RunningSession? {
    guard let entry = running.first(where: { $0.file == ObjectIdentifier(file) }), let session = entry.session
    else { return nil }
    return RunningSession(file, session, entry.server, entry.model)
  }
}
