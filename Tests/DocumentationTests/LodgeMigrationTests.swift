import Foundation
import RealmSwift
import TestSupport
import Testing

class OldLodge: Object {
  @Persisted var keeper: String  // "Ida Blum"
  @Persisted var street: String
  @Persisted var town: String
  @Persisted var price: String  // "12.50"
  @Persisted var kind: String  // "manned" or "open"
  @Persisted var owner: String

  override class func _realmObjectName() -> String? { "Lodge" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Lodge: Object {
  @Persisted var firstName: String
  @Persisted var lastName: String
  @Persisted var address: String
  @Persisted var price: Decimal128
  @Persisted var kind: LodgeKind
  @Persisted var season = "summer"
  @Persisted var state = LodgeState.good
  @Persisted var owner: Club?
}

enum LodgeKind: String, PersistableEnum {
  case staffed, open
}

enum LodgeState: String, PersistableEnum {
  case good, closed
}

class Club: Object {
  @Persisted(primaryKey: true) var name: String
}

/// The recipes of the article about migrations.
struct LodgeMigrationTests {
  private let folder = ScratchFolder()

  private func writeOldFile(_ url: URL) throws {
    let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [OldLodge.self]))
    try realm.write {
      for (keeper, kind) in [("Ida Blum", "manned"), ("Ben", "open")] {
        realm.create(
          OldLodge.self,
          value: [
            "keeper": keeper, "street": "High Street 1", "town": "Upton", "price": "12.50", "kind": kind,
            "owner": "Alpine Club",
          ])
      }
    }
  }

  @Test func valuesAreSplitMergedConvertedAndMoved() throws {
    let url = folder.file("lodges.realm")
    try writeOldFile(url)
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Lodge") { _, new in #expect(new!["season"] as? String == "") }
      migration.enumerateObjects(ofType: "Lodge") { old, new in
        let names = (old!["keeper"] as! String).split(separator: " ", maxSplits: 1).map(String.init)
        new!["firstName"] = names.first ?? ""
        new!["lastName"] = names.count > 1 ? names[1] : ""
      }
      migration.enumerateObjects(ofType: "Lodge") { old, new in
        new!["address"] = "\(old!["street"]!), \(old!["town"]!)"
      }
      migration.enumerateObjects(ofType: "Lodge") { old, new in
        new!["price"] = (try? Decimal128(string: old!["price"] as! String)) ?? 0
      }
      migration.enumerateObjects(ofType: "Lodge") { old, new in
        if old!["kind"] as! String == "manned" { new!["kind"] = LodgeKind.staffed.rawValue }
      }
      migration.enumerateObjects(ofType: "Lodge") { _, new in
        new!["season"] = "summer"
        new!["state"] = LodgeState.good.rawValue
      }
      var clubs: [String: MigrationObject] = [:]
      migration.enumerateObjects(ofType: "Lodge") { old, new in
        let name = old!["owner"] as! String
        let club = clubs[name] ?? migration.create("Club", value: ["name": name])
        clubs[name] = club
        new!["owner"] = club
      }
    }
    let realm = try Realm(
      configuration: .init(
        fileURL: url, schemaVersion: 1, migrationBlock: block, objectTypes: [Lodge.self, Club.self]))
    let lodges = realm.objects(Lodge.self)
    #expect(lodges.map(\.firstName) == ["Ida", "Ben"] && lodges.map(\.lastName) == ["Blum", ""])
    #expect(lodges.map(\.kind) == [.staffed, .open] && lodges.map(\.state) == [.good, .good])
    #expect(lodges.allSatisfy { $0.address == "High Street 1, Upton" && $0.price == 12.5 })
    #expect(lodges.allSatisfy { $0.season == "summer" && $0.owner?.name == "Alpine Club" })
    #expect(realm.objects(Club.self).count == 1)
  }

  @Test func anAddedEnumMustBeSet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = ScratchFolder()
      let url = folder.file("lodges.realm")
      try LodgeMigrationTests().writeOldFile(url)
      let realm = try Realm(
        configuration: .init(fileURL: url, schemaVersion: 1, objectTypes: [Lodge.self, Club.self]))
      print(realm.objects(Lodge.self)[0].state)
    }
    expectStop(result, saying: "Failed to convert persisted value '' to type 'LodgeState'")
  }
}
