import Foundation
import RealmSwift

/// The classes that the random operations are about.
final class ModelNode: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var number: Int
  @Persisted var optionalNumber: Int?
  @Persisted var text: String
  @Persisted(indexed: true) var optionalText: String?
  @Persisted var flag: Bool
  @Persisted var real: Double
  @Persisted var date: Date?

  @Persisted var link: ModelNode?
  @Persisted var leaf: ModelLeaf?

  @Persisted var numbers: List<Int?>
  @Persisted var texts: List<String>
  @Persisted var nodes: List<ModelNode>
  @Persisted var leaves: List<ModelLeaf>

  @Persisted var numberSet: MutableSet<Int>
  @Persisted var textSet: MutableSet<String?>
  @Persisted var nodeSet: MutableSet<ModelNode>

  @Persisted var numberMap: Map<String, Int?>
  @Persisted var textMap: Map<String, String>
  @Persisted var nodeMap: Map<String, ModelNode?>

  @Persisted var part: ModelPart?
  @Persisted var parts: List<ModelPart>
  @Persisted var partMap: Map<String, ModelPart?>

  @Persisted var any: AnyRealmValue
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>

  @Persisted(originProperty: "link") var linkedBy: LinkingObjects<ModelNode>
  @Persisted(originProperty: "nodes") var listedBy: LinkingObjects<ModelNode>
  @Persisted(originProperty: "nodeSet") var inSets: LinkingObjects<ModelNode>
  @Persisted(originProperty: "nodeMap") var inMaps: LinkingObjects<ModelNode>
}

/// A class without a primary key; the tag is different for all that were ever made.
final class ModelLeaf: Object {
  @Persisted var tag: Int
  @Persisted var weight: Double
  @Persisted var owner: ModelNode?
  @Persisted(originProperty: "leaf") var leafOf: LinkingObjects<ModelNode>
}

final class ModelPart: EmbeddedObject {
  @Persisted var name: String
  @Persisted var size: Int?
  @Persisted var node: ModelNode?
  @Persisted var inner: ModelInnerPart?
  @Persisted var inners: List<ModelInnerPart>
}

final class ModelInnerPart: EmbeddedObject {
  @Persisted var number: Int
  @Persisted var words: List<String>
}

/// How many transactions were committed.
final class ModelClock: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var commits: Int
}

let modelClasses: [ObjectBase.Type] = [
  ModelNode.self, ModelLeaf.self, ModelPart.self, ModelInnerPart.self, ModelClock.self,
]
