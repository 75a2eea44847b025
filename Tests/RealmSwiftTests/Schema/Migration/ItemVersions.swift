import Foundation
import RealmSwift

// The same classes as they change over time: each enum is one state of the program.

class HiddenItem: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Item" }
}

class HiddenPart: EmbeddedObject {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Part" }
}

enum First {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted var text: String?
    @Persisted var kept = ""
    @Persisted var gone = 0.0
    @Persisted var numbers: List<Int?>
    @Persisted var letters: MutableSet<String?>
    @Persisted var scores: Map<String, Int?>
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
  }
  class Part: HiddenPart { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Item.self, Part.self]
}

/// Properties added, removed, of other types, required and optional, keys and indexes.
enum Second {
  class Item: HiddenItem {
    @Persisted(primaryKey: true) var kept = ""
    @Persisted var number: Int?
    @Persisted var text = "x"
    @Persisted var gone: Data?
    @Persisted var numbers: List<Int>
    @Persisted var letters: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var part: Part?
    @Persisted(indexed: true) var added = 42
    @Persisted var addedLink: Item?
    @Persisted var addedId: ObjectId
    @Persisted var addedOptional: Int?
    @Persisted var addedList: List<String>
    @Persisted var addedDate = Date()
  }
  class Part: HiddenPart { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Item.self, Part.self]
}

/// The first state with another index.
enum Indexed {
  class Item: HiddenItem {
    @Persisted(indexed: true) var number = 0
    @Persisted(indexed: true) var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}
enum Unindexed {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(indexed: true) var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}

/// Links to another class.
enum Linking {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted var link: RealmDog?
    @Persisted var links: List<RealmDog>
  }
  static let types: [ObjectBase.Type] = [Item.self, RealmDog.self]
}
enum LinkingElsewhere {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted var link: RealmPlace?
    @Persisted var links: List<RealmPlace>
  }
  static let types: [ObjectBase.Type] = [Item.self, RealmDog.self, RealmPlace.self]
}

/// A class that becomes embedded, and back.
enum TopLevel {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted var part: Part?
  }
  class Part: Object {
    @Persisted var name = ""
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "Part" }
  }
  static let types: [ObjectBase.Type] = [Item.self, Part.self]
}
enum Embedding {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted var part: Part?
  }
  class Part: HiddenPart { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Item.self, Part.self]
}

/// Keys of either property.
enum KeyedByNumber {
  class Item: HiddenItem {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}
enum KeyedByText {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(primaryKey: true) var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}
enum Unkeyed {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}
