import Foundation
import ProcessTestModels
import RealmSwift

/// One of many stones, of which a transaction changes a few. Each has pages of its own.
final class MosaicStone: Object {
  @Persisted var text = ""
  /// The transaction that changed the stone last.
  @Persisted(indexed: true) var number = 0
  /// Which of all changes that was; no other stone has it.
  @Persisted(unique: true) var change = 0

  /// - Parameter number: The transaction that changes the stone.
  static func text(_ number: Int) -> String {
    String(repeating: "\(number) ", count: 4500 / "\(number) ".utf8.count)
  }
}

/// How many transactions there were.
final class MosaicCount: Object {
  @Persisted var value = 0
}

/// A realm whose content is a function of the number of its transactions, and of which each transaction writes a small
/// part: most pages are from long before, and one that was lost is missed for long.
struct Mosaic {
  private static let stoneCount = 150
  private static let changesPerTransaction = 2

  let realm: Realm

  /// - Parameters:
  ///   - isMigrated: Whether a migration makes a transaction when the realm is opened.
  ///   - seed: The path of a file with which a new one begins.
  init(
    path: String, queue: DispatchQueue? = nil, isMigrated: Bool = false, seed: String? = nil
  ) throws {
    let key = Ledger.encryptionKey(path)
    // None where another process is just making the file.
    let version =
      (try? schemaVersionAtURL(URL(fileURLWithPath: seed ?? path), encryptionKey: key)) ?? 0
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: key,
        schemaVersion: isMigrated ? version + 1 : version,
        migrationBlock: { migration, _ in Self.migrate(migration) },
        objectTypes: [MosaicStone.self, MosaicCount.self],
        seedFilePath: seed.map { URL(fileURLWithPath: $0) }), queue: queue)
  }

  private static func migrate(_ migration: Migration) {
    var number = 0
    migration.enumerateObjects(ofType: MosaicCount.className()) { old, new in
      number = old!["value"] as! Int + 1
      new!["value"] = number
    }
    let changes = Dictionary(places(number), uniquingKeysWith: { $1 })
    var place = 0
    migration.enumerateObjects(ofType: MosaicStone.className()) { _, new in
      if let change = changes[place] {
        new!["text"] = MosaicStone.text(number)
        new!["number"] = number
        new!["change"] = change
      }
      place += 1
    }
  }

  /// Lays the stones, unless they are there.
  func lay() throws {
    try realm.write {
      if !realm.isEmpty { return }
      realm.add(
        (0..<Self.stoneCount).map { MosaicStone(value: [MosaicStone.text(0), 0, -1 - $0] as [Any]) })
      realm.add(MosaicCount())
    }
  }

  /// The number of transactions so far.
  var number: Int { realm.objects(MosaicCount.self).first?.value ?? 0 }

  /// The stones that a transaction changes, and the numbers of these changes.
  private static func places(_ number: Int) -> [(place: Int, change: Int)] {
    (0..<changesPerTransaction).map { part in
      let change = number * changesPerTransaction + part
      let word = UInt64(change) &* 0x9E37_79B9_7F4A_7C15
      return (Int(word >> 33) % stoneCount, change)
    }
  }

  /// Makes one transaction, and returns its number.
  @discardableResult
  func append() throws -> Int { try realm.write { change() } }

  /// The changes of one transaction, within it.
  @discardableResult
  func change() -> Int {
    let count = realm.objects(MosaicCount.self)[0]
    count.value += 1
    let stones = realm.objects(MosaicStone.self)
    for (place, change) in Self.places(count.value) {
      let stone = stones[place]
      stone.text = MosaicStone.text(count.value)
      stone.number = count.value
      stone.change = change
    }
    return count.value
  }

  /// What is wrong with the content; nil when it is that of some number of transactions.
  var fault: String? {
    let stones = realm.objects(MosaicStone.self)
    if stones.count != Self.stoneCount { return "\(stones.count) stones" }
    let number = number
    var wanted = (0..<Self.stoneCount).map { (number: 0, change: -1 - $0) }
    for earlier in stride(from: 1, through: number, by: 1) {
      for (place, change) in Self.places(earlier) { wanted[place] = (earlier, change) }
    }
    for (place, stone) in stones.enumerated() where stone.text != MosaicStone.text(wanted[place].number) {
      return
        "stone \(place) is \(stone.text.prefix(8)), not \(wanted[place].number) after \(number) transactions"
    }
    // The indexes say the same.
    for (place, (number, change)) in wanted.enumerated() {
      let found = stones.where { $0.change == change }
      guard found.count == 1, found[0].isSameObject(as: stones[place]), found[0].number == number else {
        return "change \(change) of stone \(place)"
      }
    }
    for (number, places) in Dictionary(grouping: wanted, by: \.number)
    where stones.where({ $0.number == number }).count != places.count {
      return "not \(places.count) stones of transaction \(number)"
    }
    return nil
  }
}
