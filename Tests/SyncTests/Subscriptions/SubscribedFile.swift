import QueryEngine
import Storage
import Sync
import TestSupport

/// The class of the tests of subscriptions: dogs, with a colour and an owner that subscriptions and policies use.
enum SubscribedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "color", type: .string),
          Column(name: "owner", type: .string, isNullable: true), Column(name: "name", type: .string),
        ])
    ])

  static func make() throws -> SyncModel {
    try SyncModel.read(
      catalogue, routing: [PropertyName("Dog", "color"), PropertyName("Dog", "owner")])
  }

  /// Prepares a database, in which Ada reads the dogs of a and b and writes those of a, and Kim reads and writes those of b
  /// and c.
  static func install(_ connection: PostgresConnection) throws {
    let model = try make()
    let schema = ServerSchema(model)
    let roles = ["ada", "kim"].map {
      """
      do $$ begin create role subscribed_\($0) login in role realm_user;
        exception when duplicate_object or unique_violation then null; end $$
      """
    }
    let policies = schema.allow(
      model.classes[0],
      read:
        "owner = any ((select case current_user when 'subscribed_ada' then '{a,b}' else '{b,c}' end)::text[])",
      write:
        "owner = any ((select case current_user when 'subscribed_ada' then '{a}' else '{b,c}' end)::text[])")
    try connection.runScript((schema.initialSQL() + roles + policies).joined(separator: ";\n"))
  }
}

/// A subscription of the tests: a condition, and what it means.
struct SampleSubscription: Sendable {
  var condition: SubscriptionCondition
  /// - Parameter dog: Key, colour, owner and name.
  var selects: @Sendable (_ dog: [Value]) -> Bool

  static func color(_ color: String) -> SampleSubscription {
    SampleSubscription(condition: .value(SubscribedValue("color"), .compare(.equal, .string(color)))) {
      $0[1] == .string(color)
    }
  }

  static let all = SampleSubscription(condition: .constant(true)) { _ in true }

  static let firstKeys = SampleSubscription(
    condition: .value(SubscribedValue("id"), .compare(.less, .int(6)))
  ) { if case .int(let key) = $0[0] { key < 6 } else { false } }

  static let ownerless = SampleSubscription(
    condition: .value(SubscribedValue("owner"), .compare(.equal, .null))
  ) { $0[2] == .null }

  static let neitherRedNorOfB = SampleSubscription(
    condition: .not(
      .or([
        .value(SubscribedValue("color"), .text(TextCondition(.beginsWith, Array("re".utf8)))),
        .value(SubscribedValue("owner"), .isIn([.string("b")])),
      ]))
  ) { dog in
    if case .string(let color) = dog[1] { !color.hasPrefix("re") && dog[2] != .string("b") } else { false }
  }
}

/// A realm file with its client, which is restarted from the file at any time.
final class SubscribedFile {
  private let path: String
  private let model: SyncModel
  private(set) var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!
  private(set) var rejected: [RejectedObject] = []
  private(set) var subscriptions: [SampleSubscription]?

  init(_ path: String, _ subscriptions: [SampleSubscription]? = nil) throws {
    self.path = path
    model = try SubscribedModel.make()
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.setCatalogue(SubscribedModel.catalogue)
    try snapshot.commitWrite(durability: .deferred)
    try open()
    try subscribe(subscriptions)
  }

  private func open() throws {
    file = try DatabaseFile.open(path: path)
    try SyncClient.prepare(file, model, time: file.milliseconds())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, model, schema: "app", time: { SyncClock.systemMilliseconds() },
      report: { [unowned self] event in
        if case .rejected(let objects) = event { rejected += objects }
      })
  }

  /// Ends the client, as a killed process does, and starts another one from the file.
  func restart() throws {
    client.disconnect()
    (client, writer, file) = (nil, nil, nil)
    try open()
  }

  func subscribe(_ subscriptions: [SampleSubscription]?) throws {
    try writer.advance()
    self.subscriptions = subscriptions
    try writer.beginWrite()
    let former = try SubscriptionList.read(writer)
    var list: SubscriptionList?
    if let subscriptions {
      list = SubscriptionList()
      list!.version = (former?.version ?? 0) + 1
      list!.entries = subscriptions.map {
        .init(name: nil, className: "Dog", condition: $0.condition, created: 0, updated: 0)
      }
    }
    SubscriptionList.store(list, in: writer.writing!)
    writer.writing!.origin = .sync
    try writer.commitWrite(durability: .deferred)
  }

  func selects(_ dog: [Value]) -> Bool { subscriptions?.contains { $0.selects(dog) } ?? true }

  func write(_ body: (Snapshot) throws -> Void) throws {
    try writer.beginWrite()
    try body(writer)
    try writer.commitWrite(durability: .deferred)
  }

  func row(_ key: Int64) -> Int? { writer.firstRow(table: 0, column: 0, equalTo: IndexKey(.int(key))) }

  /// Creates or changes a dog.
  func put(_ key: Int64, color: String? = nil, owner: String?? = nil, name: String? = nil) throws {
    try write { snapshot in
      let table = snapshot.table(0)
      let found = row(key)
      let row = found ?? table.insertRow()
      if found == nil { table.setInteger(0, row, key) }
      if found == nil || color != nil { table.setString(1, row, color ?? "") }
      if let owner { table.setValue(2, row, owner.map(Value.string) ?? .null) }
      if found == nil || name != nil { table.setString(3, row, name ?? "") }
    }
  }

  func delete(_ key: Int64) throws {
    try write { snapshot in
      if let row = row(key) { snapshot.table(0).deleteRow(row) }
    }
  }

  /// The dogs of the file, by their keys.
  func dogs() throws -> [Int64: [Value]] {
    try writer.advance()
    let table = writer.table(0)
    var dogs: [Int64: [Value]] = [:]
    for row in 0..<table.rowLimit where table.isAlive(row) {
      let values = (0..<4).map { table.value($0, row) }
      if case .int(let key) = values[0] { dogs[key] = values }
    }
    return dogs
  }

  func keys() throws -> [Int64] { try dogs().keys.sorted() }

  /// Sends what is pending and receives what is new, on a connection that stays.
  func synchronise(_ settings: PostgresSettings) throws {
    if client.connection == nil {
      client.connection = try PostgresConnection(settings)
      try client.contact()
    }
    while try client.push() {}
    try client.pull()
    try client.pull()
  }
}
