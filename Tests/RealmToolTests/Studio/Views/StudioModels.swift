import Foundation
import RealmSwift
import TestSupport

class StudioAnything: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var flag: Bool?
  @Persisted var small: Float?
  @Persisted var large: Double?
  @Persisted var text: String?
  @Persisted var bytes: Data?
  @Persisted var moment: Date?
  @Persisted var identifier: ObjectId?
  @Persisted var unique: UUID?
  @Persisted var amount: Decimal128?
  @Persisted var any: AnyRealmValue
  @Persisted var other: StudioOther?
  @Persisted var place: StudioPart?
  @Persisted var numbers: List<Int>
  @Persisted var others: List<StudioOther>
  @Persisted var words: MutableSet<String>
  @Persisted var scores: Map<String, Double?>
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var number: Int?
}

/// A class without a key, with names that predicates do not take as they are.
class StudioOther: Object {
  @Persisted var name = ""
  @Persisted var next: StudioOther?

  override class func _realmObjectName() -> String? { "Other \"</script>\" \\ 'x' 👩‍🚀" }
  override class func propertiesMapping() -> [String: String] { ["next": "the next `one` and \"more\""] }
}

class StudioPart: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var inner: StudioInnerPart?
}

class StudioInnerPart: EmbeddedObject {
  @Persisted var floor = 0
}

/// The dogs of most tests.
class StudioDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var born: Date?
}

enum StudioFiles {
  static let otherName = "Other \"</script>\" \\ 'x' 👩‍🚀"

  /// - Parameter isDurable: Whether each commit is synced.
  static func open(_ path: String, key: [UInt8]? = nil, isDurable: Bool = true) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: key.map { Data($0) },
        objectTypes: [
          StudioAnything.self, StudioOther.self, StudioPart.self, StudioInnerPart.self, StudioDog.self,
        ], durability: isDurable ? .full : .relaxed))
  }

  /// A file with dogs of successive ids.
  static func dogs(_ count: Int, in folder: ScratchFolder, key: [UInt8]? = nil) throws -> String {
    let path = folder.path("dogs.realm")
    let realm = try open(path, key: key)
    try realm.write {
      for id in 0..<count {
        realm.create(
          StudioDog.self,
          value: [
            "id": id, "name": ["Rex", "Wolfie", "Ada", "Bo"][id % 4], "age": id * 7 % 23,
            "weight": id % 5 == 0 ? nil : Double(id % 100) / 4 as Any?,
            "born": id % 7 == 0 ? nil : Date(timeIntervalSince1970: Double(id) * 100_000) as Any?,
          ] as [String: Any?])
      }
    }
    return path
  }
}
