import Foundation
import RealmSwift

/// One of many stones, of which a transaction changes a few. Each has pages of its own.
final class MosaicStone: Object {
  @Persisted var text = ""

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

  /// - Parameter isMigrated: Whether a migration makes a transaction when the realm is opened.
  init(path: String, queue: DispatchQueue? = nil, isMigrated: Bool = false) throws {
    let url = URL(fileURLWithPath: path)
    // None where another process is just making the file.
    let version = (try? schemaVersionAtURL(url)) ?? 0
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: url, schemaVersion: isMigrated ? version + 1 : version,
        migrationBlock: { migration, _ in Self.migrate(migration) },
        objectTypes: [MosaicStone.self, MosaicCount.self]), queue: queue)
  }

  private static func migrate(_ migration: Migration) {
    var number = 0
    migration.enumerateObjects(ofType: MosaicCount.className()) { old, new in
      number = old!["value"] as! Int + 1
      new!["value"] = number
    }
    let changed = Set(places(number))
    var place = 0
    migration.enumerateObjects(ofType: MosaicStone.className()) { _, new in
      if changed.contains(place) { new!["text"] = MosaicStone.text(number) }
      place += 1
    }
  }

  /// Lays the stones, unless they are there.
  func lay() throws {
    try realm.write {
      if !realm.isEmpty { return }
      realm.add((0..<Self.stoneCount).map { _ in MosaicStone(value: ["text": MosaicStone.text(0)]) })
      realm.add(MosaicCount())
    }
  }

  /// The number of transactions so far.
  var number: Int { realm.objects(MosaicCount.self).first?.value ?? 0 }

  /// The stones that a transaction changes.
  private static func places(_ number: Int) -> [Int] {
    (0..<changesPerTransaction).map { part in
      let word = UInt64(number * changesPerTransaction + part) &* 0x9E37_79B9_7F4A_7C15
      return Int(word >> 33) % stoneCount
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
    for stone in Self.places(count.value) { stones[stone].text = MosaicStone.text(count.value) }
    return count.value
  }

  /// What is wrong with the content; nil when it is that of some number of transactions.
  var fault: String? {
    let stones = realm.objects(MosaicStone.self)
    if stones.count != Self.stoneCount { return "\(stones.count) stones" }
    let number = number
    var wanted = [Int](repeating: 0, count: Self.stoneCount)
    for earlier in stride(from: 1, through: number, by: 1) {
      for stone in Self.places(earlier) { wanted[stone] = earlier }
    }
    for (place, stone) in stones.enumerated() where stone.text != MosaicStone.text(wanted[place]) {
      return "stone \(place) is \(stone.text.prefix(8)), not \(wanted[place]) after \(number) transactions"
    }
    return nil
  }
}
