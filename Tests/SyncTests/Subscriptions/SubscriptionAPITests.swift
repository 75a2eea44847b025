import Foundation
import RealmSwift
import RealmSync
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// A tree of the tests of subscriptions. The database has another name for the kind.
final class SubscribedTree: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var kind: String
  @Persisted var height: Double

  override static func propertiesMapping() -> [String: String] { ["kind": "species"] }
}

/// Subscriptions through the interface of the library.
@MainActor @Suite struct SubscriptionAPITests {
  private let folder = ScratchFolder()
  private let database: SyncDatabase

  init() throws {
    database = try SyncDatabase(
      [SubscribedTree.self], routing: [PropertyName("SubscribedTree", "species")])
    try database.run(
      "insert into app.\"SubscribedTree\" (id, species, height) values (1, 'oak', 3), (2, 'elm', 4), (3, 'fir', 5)"
    )
  }

  private func configuration(
    _ file: String, rerunOnOpen: Bool = false, _ initial: (@Sendable (SyncSubscriptionSet) -> Void)?
  ) -> Realm.Configuration {
    Realm.Configuration(
      sync: SyncConfiguration(
        url: database.url, initialSubscriptions: initial,
        rerunOnOpen: rerunOnOpen, pollInterval: 1),
      fileURL: folder.file(file), objectTypes: [SubscribedTree.self])
  }

  private func ids(_ realm: Realm) -> [Int] {
    realm.refresh()
    return realm.objects(SubscribedTree.self).map(\.id).sorted()
  }

  /// Opens a file whose server cannot be reached, so that its objects go on following the former subscriptions.
  private func openOffline(_ initial: (@Sendable (SyncSubscriptionSet) -> Void)?) throws -> Realm {
    var configuration = configuration("offline.realm", initial)
    configuration.syncConfiguration = SyncConfiguration(
      url: "host='\(folder.path("nowhere"))' user='postgres' dbname='nowhere'", initialSubscriptions: initial)
    return try Realm(configuration: configuration)
  }

  @Test func subscriptionsThatWereTakenAwayAndComeBackAreNotTakenForAppliedOnes() async throws {
    let first: @Sendable (SyncSubscriptionSet) -> Void = {
      $0.append(QuerySubscription<SubscribedTree> { $0.kind == "oak" })
    }
    try await follow(first)
    try autoreleasepool { _ = try openOffline(nil) }
    try autoreleasepool {
      let realm = try openOffline { $0.append(QuerySubscription<SubscribedTree> { $0.kind == "fir" }) }
      #expect(realm.subscriptions.state == .pending)
    }
  }

  private func follow(_ initial: @escaping @Sendable (SyncSubscriptionSet) -> Void) async throws {
    let realm = try await Realm.open(configuration: configuration("offline.realm", initial))
    try await realm.syncSession!.wait(for: .download)
    #expect(realm.subscriptions.state == .complete)
  }

  @Test func onlyWhatIsSubscribedToComesAndUpdatesAreFollowed() async throws {
    let realm = try await Realm.open(
      configuration: configuration("trees.realm") { subscriptions in
        subscriptions.append(QuerySubscription<SubscribedTree>(name: "oaks") { $0.kind == "oak" })
      })
    try await realm.syncSession!.wait(for: .download)
    #expect(ids(realm) == [1])
    let subscriptions = realm.subscriptions
    #expect(subscriptions.count == 1 && subscriptions.state == .complete)
    #expect(subscriptions.first(named: "oaks")?.name == "oaks")
    let former = realm.subscriptions
    try await subscriptions.update {
      subscriptions.append(QuerySubscription<SubscribedTree>(where: "kind IN %@", ["elm", "oak"]))
    }
    #expect(ids(realm) == [1, 2])
    #expect(subscriptions.state == .complete && former.state == .superseded)
    #expect(subscriptions.first(ofType: SubscribedTree.self) { $0.kind == "oak" }?.name == "oaks")
    #expect(subscriptions.map(\.name) == ["oaks", nil])
    try await subscriptions.update {
      subscriptions.first(named: "oaks")!.updateQuery(toType: SubscribedTree.self) {
        $0.kind.starts(with: "f")
      }
      subscriptions.removeAll(unnamedOnly: true)
    }
    #expect(ids(realm) == [3])
    #expect(subscriptions.first!.createdAt <= subscriptions.first!.updatedAt)
    try await subscriptions.update { subscriptions.removeAll(ofType: SubscribedTree.self) }
    #expect(ids(realm) == [] && subscriptions.isEmpty)
    try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedTree>()) }
    #expect(ids(realm) == [1, 2, 3])
  }

  @Test func refusedSubscriptionsAreReportedAndTheObjectsStay() async throws {
    let realm = try await Realm.open(
      configuration: configuration("trees.realm") {
        $0.append(QuerySubscription<SubscribedTree> { $0.id < 3 })
      })
    // Only what was applied once can stay.
    try await realm.syncSession!.wait(for: .download)
    let subscriptions = realm.subscriptions
    // No routing property: the server says so.
    var error = await #expect(throws: Realm.Error.self) {
      try await subscriptions.update {
        subscriptions.append(QuerySubscription<SubscribedTree>(name: "high") { $0.height > 3 })
      }
    }
    #expect(error?.code == .subscriptionFailed)
    #expect(error?.localizedDescription.contains("SubscribedTree.height") == true)
    #expect(subscriptions.state == .error(error!))
    #expect(ids(realm) == [1, 2])
    // No server is asked for what no server can evaluate, and nothing is stored.
    error = await #expect(throws: Realm.Error.self) {
      try await subscriptions.update {
        subscriptions.removeAll()
        subscriptions.append(QuerySubscription<SubscribedTree>(where: "kind ==[c] 'OAK'"))
      }
    }
    #expect(error?.localizedDescription.contains("[c] and [d]") == true)
    #expect(subscriptions.count == 2)
    try await subscriptions.update { subscriptions.remove(named: "high") }
    #expect(subscriptions.state == .complete)
  }

  @Test func resultsAreSubscribedToAndUnsubscribed() async throws {
    let realm = try await Realm.open(configuration: configuration("trees.realm") { _ in })
    let elms = try await realm.objects(SubscribedTree.self).where { $0.kind == "elm" }.subscribe(timeout: 60)
    #expect(elms.map(\.id) == [2])
    try database.run("insert into app.\"SubscribedTree\" (id, species, height) values (7, 'elm', 3)")
    try await elms.subscribe(waitForSync: .always)
    #expect(elms.map(\.id) == [2, 7])
    #expect(realm.subscriptions.count == 1)
    elms.unsubscribe()
    #expect(realm.subscriptions.count == 0)
    let subscriptions = realm.subscriptions
    try await eventually { subscriptions.state == .complete }
    #expect(ids(realm) == [])
    realm.syncSession!.suspend()
    let error = await #expect(throws: Realm.Error.self) {
      _ = try await elms.subscribe(name: "late", timeout: 0.2)
    }
    #expect(error?.localizedDescription.contains("timed out after 0.2 seconds") == true)
    #expect(realm.subscriptions.first(named: "late") != nil)
  }

  @Test func subscriptionsStayInTheFileAndInitialOnesRunOnceOrAtEachOpening() async throws {
    let first: @Sendable (SyncSubscriptionSet) -> Void = {
      $0.append(QuerySubscription<SubscribedTree>(name: "first"))
    }
    let second: @Sendable (SyncSubscriptionSet) -> Void = {
      $0.append(QuerySubscription<SubscribedTree>(name: "second") { $0.id == 1 })
    }
    func names(_ configuration: Realm.Configuration) throws -> [String?] {
      try autoreleasepool { try Realm(configuration: configuration).subscriptions.map(\.name) }
    }
    #expect(try names(configuration("trees.realm", first)) == ["first"])
    #expect(try names(configuration("trees.realm", second)) == ["first"])
    #expect(try names(configuration("trees.realm", rerunOnOpen: true, second)) == ["first", "second"])
    #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: configuration("others.realm") {
          $0.append(QuerySubscription<SubscribedTree>(where: "noSuchProperty == 3"))
        })
    }
  }

  @Test func aRealmWithoutInitialSubscriptionsIsSynchronisedAsAWhole() async throws {
    let realm = try await Realm.open(configuration: configuration("trees.realm", nil))
    try await realm.syncSession!.wait(for: .download)
    #expect(ids(realm) == [1, 2, 3])
    let subscriptions = realm.subscriptions
    let failure = Mutex<String?>(nil)
    subscriptions.update(
      { subscriptions.append(QuerySubscription<SubscribedTree>()) },
      onComplete: { error in failure.withLock { $0 = error?.localizedDescription } })
    #expect(failure.withLock { $0 }?.contains("initialSubscriptions") == true)
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration("trees.realm") { _ in }) }
    try realm.write {
      let refused = Mutex<String?>(nil)
      subscriptions.update({}, onComplete: { error in refused.withLock { $0 = error?.localizedDescription } })
      #expect(refused.withLock { $0 }?.contains("write transaction") == true)
    }
  }

  @Test func localRealmsHaveNoSubscriptions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "local", objectTypes: []))
      _ = realm.subscriptions
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("This Realm was not configured with flexible sync"))
  }
}
