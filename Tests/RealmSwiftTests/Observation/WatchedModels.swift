import Foundation
import RealmSwift

class WatchedToy: Object {
  @Persisted var id = 0
  @Persisted var label = ""
  @Persisted var price = 0
  @Persisted(originProperty: "toy") var dogs: LinkingObjects<WatchedDog>
}

class WatchedTag: EmbeddedObject {
  @Persisted var text = ""
}

class WatchedDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var age = 0
  @Persisted var weight: Double?
  @Persisted var toy: WatchedToy?
  @Persisted var tag: WatchedTag?
  @Persisted var toys: List<WatchedToy>
  @Persisted var numbers: List<Int>
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "dogs") var keepers: LinkingObjects<WatchedKeeper>
  @Persisted(originProperty: "favourite") var admirers: LinkingObjects<WatchedKeeper>
  @Persisted(originProperty: "dogSet") var setKeepers: LinkingObjects<WatchedKeeper>
  @Persisted(originProperty: "dogMap") var mapKeepers: LinkingObjects<WatchedKeeper>
}

class WatchedKeeper: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var favourite: WatchedDog?
  @Persisted var dogs: List<WatchedDog>
  @Persisted var dogSet: MutableSet<WatchedDog>
  @Persisted var dogMap: Map<String, WatchedDog?>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var mixed: List<AnyRealmValue>
}

let watchedClasses: [ObjectBase.Type] = [
  WatchedDog.self, WatchedKeeper.self, WatchedToy.self, WatchedTag.self,
]

// What an observer of a collection can see of an element, over links.
extension WatchedToy {
  var content: String { "\(label)/\(price)" }
}

extension WatchedDog {
  private var anyContent: String {
    if let list = any.listValue { return "\(Array(list.map { $0.intValue ?? -1 }))" }
    if let entries = any.dictionaryValue {
      return "\(entries.map { "\($0.key)=\($0.value.intValue ?? -1)" })"
    }
    return "\(any.intValue ?? -1)"
  }

  var content: String {
    "\(id) \(name) \(age) \(weight ?? -1) \(toy?.content ?? "-") \(tag?.text ?? "-") "
      + "\(toys.map(\.content).joined(separator: ",")) \(Array(numbers)) \(anyContent)"
  }
}

extension WatchedKeeper {
  var content: String {
    "\(id) \(name) \(favourite?.content ?? "-") [\(dogs.map(\.content).joined(separator: ";"))] "
      + "\(Array(numbers)) \(Array(words)) \(scores.map { "\($0.key)=\($0.value)" })"
  }
}
