import QueryEngine
import Storage
import Sync

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

  /// Lets Ada read the dogs of a and b and write those of a, and lets Kim read and write those of b and c.
  static func allowRoles(_ connection: PostgresConnection) throws {
    let model = try make()
    for name in ["ada", "kim"] { try connection.makeRole("subscribed_\(name)") }
    let policies = ServerSchema(model).allow(
      model.classes[0],
      read:
        "owner = any ((select case current_user when 'subscribed_ada' then '{a,b}' else '{b,c}' end)::text[])",
      write:
        "owner = any ((select case current_user when 'subscribed_ada' then '{a}' else '{b,c}' end)::text[])")
    try connection.runScript(policies.joined(separator: ";\n"))
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

/// A database with the class, and with the policies of its two roles.
final class SubscribedServer: ModelServer {
  init() throws {
    try super.init(SubscribedModel.make())
    try SubscribedModel.allowRoles(outsider)
  }

  /// - Parameter name: The name of a role, `ada` or `kim`; nil for the owner.
  func settings(of name: String?) throws -> PostgresSettings {
    try name.map { try settings(role: "subscribed_\($0)") } ?? settings
  }
}

/// A file with the class and with subscriptions, and its client.
final class SubscribedFile: ClientFile {
  private(set) var subscriptions: [SampleSubscription]?

  init(
    _ settings: PostgresSettings, _ subscriptions: [SampleSubscription]? = nil,
    catalogue: Catalogue = SubscribedModel.catalogue, model: SyncModel? = nil, encryptionKey: [UInt8]? = nil
  ) throws {
    try super.init(
      catalogue, model ?? SubscribedModel.make(), settings: settings, encryptionKey: encryptionKey)
    try subscribe(subscriptions)
  }

  func subscribe(_ subscriptions: [SampleSubscription]?) throws {
    try writer.advance()
    self.subscriptions = subscriptions
    try Writer(writer).begin()
    let former = try SubscriptionList.read(writer)
    var list: SubscriptionList?
    if let subscriptions {
      list = SubscriptionList()
      list!.version = (former?.version ?? 0) + 1
      list!.entries = subscriptions.map {
        .init(name: nil, className: "Dog", condition: $0.condition, created: 0, updated: 0)
      }
    }
    SubscriptionList.store(list, in: Writer(writer).transaction)
    Writer(writer).transaction.origin = .sync
    try Writer(writer).commit(durability: .deferred)
  }

  func selects(_ dog: [Value]) -> Bool { subscriptions?.contains { $0.selects(dog) } ?? true }

  func row(_ key: Int64) -> Int? { row(0, .int(key)) }

  /// Creates or changes a dog.
  func put(_ key: Int64, color: String? = nil, owner: String?? = nil, name: String? = nil) throws {
    try write { snapshot in
      let table = snapshot.table(0)
      let found = row(key)
      let row = found ?? create(0, .int(key))
      if found == nil || color != nil { table.setString(1, row, color ?? "") }
      if let owner { table.setValue(2, row, owner.map(Value.string) ?? .null) }
      if found == nil || name != nil { table.setString(3, row, name ?? "") }
    }
  }

  func delete(_ key: Int64) throws { try write { _ in delete(0, .int(key)) } }

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
  func synchronise() throws {
    try transfer()
    try pull()
  }
}
