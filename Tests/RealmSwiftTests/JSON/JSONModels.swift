import Foundation
import RealmSwift

enum JSONMood: String, PersistableEnum { case calm, wild }

class JSONPart: HiddenEmbedded {
  @Persisted var label = "part"
  @Persisted var weight: Double?
}

class JSONPeer: Hidden {
  @Persisted(primaryKey: true) var code: String
  @Persisted var rank = 7
}

/// A property of each type.
class JSONItem: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = "nameless"
  @Persisted(fullText: true) var story: String?
  @Persisted var small: Int8 = 3
  @Persisted var medium: Int32?
  @Persisted var flag = true
  @Persisted var maybe: Bool?
  @Persisted var ratio: Float = 0.5
  @Persisted var size: Double?
  @Persisted var born = Date(timeIntervalSinceReferenceDate: 5)
  @Persisted var data: Data?
  @Persisted var key: ObjectId?
  @Persisted(indexed: true) var token: UUID?
  @Persisted var price: Decimal128?
  @Persisted var mood = JSONMood.calm
  @Persisted var anything: AnyRealmValue
  @Persisted var peer: JSONPeer?
  @Persisted var part: JSONPart?
  @Persisted var tags: List<String>
  @Persisted var sizes: MutableSet<Int>
  @Persisted var levels: List<Int16>
  @Persisted var scores: Map<String, Double?>
  @Persisted var peers: List<JSONPeer>
  @Persisted var parts: List<JSONPart>
  @Persisted var named: Map<String, JSONPeer?>
  @Persisted var values: List<AnyRealmValue>

  static let classes: [ObjectBase.Type] = [JSONItem.self, JSONPeer.self, JSONPart.self]
}

/// Single values only, all of which a text mostly has.
class JSONRow: Hidden {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var count: Int
  @Persisted var label: String?
  @Persisted var notes: List<String>
}

class JSONEntry: Hidden {
  @Persisted var text = "none"
  @Persisted var made = UUID()
}

enum JSONLevel: Int8, PersistableEnum {
  case low = 1
  case high = 2
}
enum JSONRoom: String, PersistableEnum, _MapKey { case hall, kitchen }

/// What takes only some values.
class JSONChoice: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var mood: JSONMood?
  @Persisted var levels: List<JSONLevel>
  @Persisted var moods: List<JSONMood?>
  @Persisted var rooms: Map<JSONRoom, Int>
  @Persisted var other: JSONChoice?
  @Persisted(unique: true) var code: String?
}

/// Objects with content of their own, and with names that the file does not have.
class JSONStock: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var amount = 1
  @Persisted var goods: List<String>

  override init() {
    super.init()
    goods.append("bread")
  }

  override class func propertiesMapping() -> [String: String] { ["amount": "size"] }
}

class JSONNode: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var next: JSONNode?
  @Persisted var values: List<Int>
}
