import Foundation
import RealmSwift

/// One of several numbers that every transaction raises together.
public final class LedgerCounter: Object {
  /// Identifies it.
  @Persisted(primaryKey: true) public var id = 0
  /// How many transactions have raised it.
  @Persisted public var value = 0
}

/// What one transaction left behind.
public final class LedgerEntry: Object {
  /// Identifies it: the writer and the number.
  @Persisted(primaryKey: true) public var id = ""
  /// The number, which each writer counts up.
  @Persisted(indexed: true) public var number = 0
  /// Who wrote it.
  @Persisted public var writer = ""
  /// Long enough to lie outside of its chunk every now and then.
  @Persisted public var text = ""
  /// The counters that the transaction raised.
  @Persisted public var counters: List<LedgerCounter>
}

/// A realm whose content is the same function of the number of its transactions, however they came about.
public struct Ledger {
  /// As many counters as make several chunks.
  public static let counterCount = 1500
  /// Entries older than this are deleted.
  public static let entryLimit = 40

  /// The open file.
  public let realm: Realm

  /// Opens the file, and migrates it when it has another schema of a lower version.
  public init(
    path: String, readOnly: Bool = false, schemaVersion: UInt64 = 0,
    durability: Realm.Durability = .full,
    queue: DispatchQueue? = nil, seed: String? = nil,
    shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil
  ) throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: Self.encryptionKey(path),
        readOnly: readOnly, schemaVersion: schemaVersion,
        // What another version has more is not wanted.
        migrationBlock: { _, _ in },
        shouldCompactOnLaunch: shouldCompactOnLaunch, objectTypes: [LedgerCounter.self, LedgerEntry.self],
        seedFilePath: seed.map { URL(fileURLWithPath: $0) }, durability: durability), queue: queue)
  }

  /// Files whose name says so are encrypted, and copies whose name goes on after that.
  public static func encryptionKey(_ path: String) -> Data? {
    path.contains("encrypted.realm") ? Data(100..<164) : nil
  }

  /// The number of transactions so far.
  public var number: Int { realm.object(ofType: LedgerCounter.self, forPrimaryKey: 0)?.value ?? 0 }

  /// A long text that tells of its number.
  public static func text(_ number: Int) -> String {
    String(repeating: "\(number) ", count: number % 9 == 0 ? 300 : 3)
  }

  /// Makes one transaction, and returns its number.
  @discardableResult
  public func append(writer: String = "") throws -> Int {
    try realm.write { change(writer: writer) }
  }

  /// The changes of one transaction, within it.
  @discardableResult
  public func change(writer: String = "") -> Int {
    if realm.isEmpty {
      realm.add((0..<Self.counterCount).map { LedgerCounter(value: ["id": $0]) })
    }
    let number = number + 1
    for counter in realm.objects(LedgerCounter.self) { counter.value = number }
    let entry = LedgerEntry(value: [
      "id": "\(number)", "number": number, "writer": writer, "text": Self.text(number),
    ])
    for id in 0..<number % 5 {
      entry.counters.append(realm.object(ofType: LedgerCounter.self, forPrimaryKey: id)!)
    }
    realm.add(entry)
    if number > Self.entryLimit {
      realm.delete(realm.object(ofType: LedgerEntry.self, forPrimaryKey: "\(number - Self.entryLimit)")!)
    }
    return number
  }

  /// What is wrong with the content; nil when it is that of some number of transactions.
  public var fault: String? {
    let number = number
    let counters = realm.objects(LedgerCounter.self)
    let entries = realm.objects(LedgerEntry.self)
    if number == 0 {
      return counters.isEmpty && entries.isEmpty ? nil : "something without a first transaction"
    }
    if counters.count != Self.counterCount { return "\(counters.count) counters" }
    if let other = counters.first(where: { $0.value != number }) {
      return "counter \(other.id) is \(other.value), not \(number)"
    }
    let first = max(1, number - Self.entryLimit + 1)
    if entries.count != number - first + 1 { return "\(entries.count) entries after \(number) transactions" }
    for wanted in first...number {
      guard let entry = realm.object(ofType: LedgerEntry.self, forPrimaryKey: "\(wanted)") else {
        return "entry \(wanted) is missing after \(number) transactions"
      }
      if entry.number != wanted || entry.text != Self.text(wanted) {
        return "entry \(wanted) has other values"
      }
      if entry.counters.map(\.id) != Array(0..<wanted % 5) { return "entry \(wanted) has other counters" }
      let indexed = entries.where { $0.number == wanted }.count
      if indexed != 1 { return "entry \(wanted) is \(indexed) times in the index" }
    }
    return nil
  }
}
