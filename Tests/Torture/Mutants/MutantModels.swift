import Foundation
import ProcessTestModels
import RealmSwift

/// With a column of every kind.
final class MutantDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted(indexed: true) var age: Int?
  @Persisted(fullText: true) var note: String?
  @Persisted var weight = 0.0
  @Persisted var height: Float = 0
  @Persisted var isGood = false
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var picture = Data()
  @Persisted(indexed: true) var chip = UUID()
  @Persisted(unique: true) var identifier: ObjectId
  @Persisted var price: Decimal128 = 0
  @Persisted var anything: AnyRealmValue
  @Persisted(indexed: true) var rank: Int16 = 0
  @Persisted var owner: MutantOwner?
  @Persisted var friends: List<MutantDog>
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String?>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Double?>
  @Persisted var extras: Map<String, AnyRealmValue>
  @Persisted var collar: MutantCollar?
  @Persisted var formerCollars: List<MutantCollar>

  override class func indexes() -> [Index] { [.index(\.age, \.name), .unique(\.born, \.note)] }
}

final class MutantOwner: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var biography = ""
  @Persisted var story = ""
  @Persisted var favourites: List<MutantDog>
  @Persisted(originProperty: "owner") var dogs: LinkingObjects<MutantDog>
}

/// Numbered by the file, and owned by those before.
final class MutantNote: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var number: Int
  @Persisted(onDelete: .cascade) var next: MutantNote?
  @Persisted(onDelete: .cascadeUnlessShared) var shared: List<MutantNote>
  @Persisted(onDelete: .deny) var owner: MutantOwner?
}

/// Known by two properties.
final class MutantVisit: Object {
  @Persisted var place: String?
  @Persisted var day = 0
  @Persisted var length = 0

  override class func indexes() -> [Index] { [.primaryKey(\.place, \.day)] }
}

/// The same with a property and an index more.
final class WideMutantVisit: Object {
  @Persisted var place: String?
  @Persisted var day = 0
  @Persisted var length = 0
  @Persisted(indexed: true) var added = ""

  override class func indexes() -> [Index] { [.primaryKey(\.place, \.day)] }
  override class func _realmObjectName() -> String? { MutantVisit.className() }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MutantCollar: EmbeddedObject {
  @Persisted var colour = ""
  @Persisted var size = 0
}

extension Realm.Configuration {
  /// - Parameter visit: The class of visits.
  static func mutant(
    _ path: String, schemaVersion: UInt64 = 0, visit: ObjectBase.Type = MutantVisit.self,
    migrationBlock: MigrationBlock? = nil
  ) -> Self {
    Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path),
      schemaVersion: schemaVersion, migrationBlock: migrationBlock,
      objectTypes: [MutantDog.self, MutantOwner.self, MutantNote.self, visit, MutantCollar.self])
  }
}
