package import Storage

/// The subscriptions of a file, in the order in which they were added.
package struct SubscriptionList: Sendable, Hashable {
  /// One subscription.
  package struct Entry: Sendable, Hashable {
    package var name: String?
    package var className: String
    package var condition: SubscriptionCondition
    /// Milliseconds since 1970.
    package var created: Int64
    /// Milliseconds since 1970.
    package var updated: Int64

    package init(
      name: String?, className: String, condition: SubscriptionCondition, created: Int64, updated: Int64
    ) {
      self.name = name
      self.className = className
      self.condition = condition
      self.created = created
      self.updated = updated
    }
  }

  /// Counts the changes, from 1.
  package var version: Int64 = 0
  package var entries: [Entry] = []

  package init() {}

  /// What the subscriptions select together.
  package var selection: SubscriptionSelection {
    var conditions: [String: [SubscriptionCondition]] = [:]
    for entry in entries where conditions[entry.className]?.contains(entry.condition) != true {
      conditions[entry.className, default: []].append(entry.condition)
    }
    return SubscriptionSelection(
      version: version, isEverything: false,
      conditions: conditions.mapValues { conditions in
        if conditions.contains(.constant(true)) { return .constant(true) }
        return conditions.count == 1 ? conditions[0] : .or(conditions)
      })
  }
}

/// The objects of each class that are synchronised.
package struct SubscriptionSelection: Sendable, Hashable {
  /// The version of the subscriptions; 0 for a file without subscriptions.
  package var version: Int64
  /// Whether all objects are synchronised of classes that have no condition; otherwise none.
  package var isEverything: Bool
  package var conditions: [String: SubscriptionCondition] = [:]

  /// What is synchronised without subscriptions: everything that the role may see.
  static let everything = SubscriptionSelection(version: 0, isEverything: true)
  static let nothing = SubscriptionSelection(version: 0, isEverything: false)

  func condition(of className: String) -> SubscriptionCondition {
    conditions[className] ?? .constant(isEverything)
  }
}

extension SessionKey {
  /// The subscriptions that the program wants.
  static let subscriptions = SessionKey(Kind(rawValue: 22))
  /// The selection that the objects in the file follow.
  static let appliedSelection = SessionKey(Kind(rawValue: 22), row: 1)
}

extension SubscriptionList {
  /// Reads the subscriptions of a file; nil when it has none, so that everything is synchronised.
  package static func read(_ snapshot: Snapshot) throws -> SubscriptionList? {
    guard let bytes = try snapshot.session(.subscriptions) else { return nil }
    guard let list = SubscriptionList(bytes) else { throw SubscriptionSelection.unreadable(snapshot) }
    return list
  }

  /// Stores the subscriptions with the write transaction that is open; nil removes them.
  package static func store(_ list: SubscriptionList?, in transaction: WriteTransaction) {
    transaction.setSession(.subscriptions, list?.encoded)
  }

  init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard reader.readInteger() == 1, let version = reader.readInteger(),
      let entries = reader.readList({ reader -> Entry? in
        guard let names = reader.readList({ $0.readText() }), let className = reader.readText(),
          let condition = reader.readBytes().flatMap({ SubscriptionCondition($0) }),
          let created = reader.readInteger(), let updated = reader.readInteger()
        else { return nil }
        return Entry(
          name: names.first, className: className, condition: condition, created: created, updated: updated)
      }), reader.isAtEnd
    else { return nil }
    self.version = version
    self.entries = entries
  }

  var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(1)
    writer.append(version)
    writer.append(entries) { writer, entry in
      writer.append(entry.name.map { [$0] } ?? []) { $0.append($1) }
      writer.append(entry.className)
      writer.append(entry.condition.encoded)
      writer.append(entry.created)
      writer.append(entry.updated)
    }
    return writer.bytes
  }
}

extension SubscriptionSelection {
  /// Reads the selection that the objects in a file follow; nil when the file had none but everything.
  package static func applied(in snapshot: Snapshot) throws -> SubscriptionSelection? {
    guard let bytes = try snapshot.session(.appliedSelection) else { return nil }
    guard let selection = SubscriptionSelection(bytes) else { throw unreadable(snapshot) }
    return selection
  }

  fileprivate static func unreadable(_ snapshot: Snapshot) -> SyncProblem {
    SyncProblem(
      "The subscriptions in '\(snapshot.file.path)' were written by a newer version of this library.")
  }

  init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard reader.readInteger() == 1, let version = reader.readInteger(),
      let isEverything = reader.readInteger(),
      let conditions = reader.readList({ reader in
        reader.readText().flatMap { name in
          reader.readBytes().flatMap { SubscriptionCondition($0) }.map { (name, $0) }
        }
      }), reader.isAtEnd
    else { return nil }
    self.version = version
    self.isEverything = isEverything != 0
    self.conditions = Dictionary(conditions) { $1 }
  }

  var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(1)
    writer.append(version)
    writer.append(isEverything ? 1 : 0)
    writer.append(conditions.sorted { $0.key < $1.key }) {
      $0.append($1.key)
      $0.append($1.value.encoded)
    }
    return writer.bytes
  }
}
