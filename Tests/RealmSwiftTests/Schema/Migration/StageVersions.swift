import Foundation
import RealmSwift

class HiddenStage: Hidden {
  override class func _realmObjectName() -> String? { "Stage" }
}

class HiddenProp: HiddenEmbedded {
  override class func _realmObjectName() -> String? { "Prop" }
}

/// Properties of many kinds, as a file has them.
enum StageBefore {
  class Stage: HiddenStage {
    @Persisted var serial = 0
    @Persisted(indexed: true) var number = 0
    @Persisted var text: String?
    @Persisted var long = ""
    @Persisted var surname = ""
    @Persisted var flag = false
    @Persisted var ratio: Double?
    @Persisted var data: Data?
    @Persisted var any: AnyRealmValue
    @Persisted var link: Stage?
    @Persisted var links: List<Stage>
    @Persisted var prop: Prop?
    @Persisted var props: List<Prop>
    @Persisted var gone = 0
  }
  class Prop: HiddenProp { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Stage.self, Prop.self]
}

/// The same, some of other types, optional, required, under other names, with other indexes.
enum StageAfter {
  class Stage: HiddenStage {
    @Persisted(primaryKey: true) var serial = 0
    @Persisted(indexed: true) var number: Int?
    @Persisted(indexed: true) var text = ""
    @Persisted var long = ""
    @Persisted(fullText: true) var title = ""
    @Persisted var flag = ""
    @Persisted var ratio: Double?
    @Persisted var data: Data?
    @Persisted var any: AnyRealmValue
    @Persisted var link: Stage?
    @Persisted var links: List<Stage>
    @Persisted var prop: Prop?
    @Persisted var props: List<Prop>
    @Persisted(indexed: true) var added = 0
  }
  class Prop: HiddenProp { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Stage.self, Prop.self]
}
