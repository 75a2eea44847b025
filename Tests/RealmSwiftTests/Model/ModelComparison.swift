import Foundation
import RealmSwift

extension ModelState {
  /// The first thing in which a realm is not what it should be; nil when it is.
  func difference(from realm: Realm) -> String? {
    let found = ModelState(of: realm)
    return contentDifference(from: found) ?? linkDifference(from: realm) ?? queryDifference(from: realm)
  }

  private func contentDifference(from found: ModelState) -> String? {
    if found == self { return nil }
    if Set(found.nodes.keys) != Set(nodes.keys) {
      return "nodes \(found.nodes.keys.sorted()) instead of \(nodes.keys.sorted())"
    }
    for (id, node) in nodes where found.nodes[id] != node {
      for (should, is_) in zip(
        Mirror(reflecting: node).children, Mirror(reflecting: found.nodes[id]!).children)
      {
        let (should, found) = ("\(should.value)", "\(is_.value)")
        // Texts of sets and dictionaries have their elements in any order.
        if should.utf8.sorted() != found.utf8.sorted() {
          return "node \(id): \(is_.label ?? "") is \(found) instead of \(should)"
        }
      }
      return "node \(id): \(found.nodes[id]!) instead of \(node)"
    }
    return "leaves \(found.leaves) instead of \(leaves)"
  }

  /// Inverse links and the number of embedded objects follow from the content.
  private func linkDifference(from realm: Realm) -> String? {
    let counts = partCounts
    let found = (realm.dynamicObjects("ModelPart").count, realm.dynamicObjects("ModelInnerPart").count)
    if found != (counts.parts, counts.inners) { return "\(found) embedded objects instead of \(counts)" }
    for (id, _) in nodes {
      guard let node = realm.object(ofType: ModelNode.self, forPrimaryKey: id) else { return "no node \(id)" }
      let linkedBy = nodes.filter { $0.value.link == id }.map(\.key).sorted()
      if node.linkedBy.map(\.id).sorted() != linkedBy { return "node \(id): linkedBy is not \(linkedBy)" }
      // As often as the list has the node.
      let listedBy = nodes.flatMap { node in node.value.nodes.filter { $0 == id }.map { _ in node.key } }
        .sorted()
      if node.listedBy.map(\.id).sorted() != listedBy { return "node \(id): listedBy is not \(listedBy)" }
      let inSets = nodes.filter { $0.value.nodeSet.contains(id) }.map(\.key).sorted()
      if node.inSets.map(\.id).sorted() != inSets { return "node \(id): inSets is not \(inSets)" }
      let inMaps = nodes.flatMap { node in node.value.nodeMap.filter { $0.value == id }.map { _ in node.key }
      }.sorted()
      if node.inMaps.map(\.id).sorted() != inMaps { return "node \(id): inMaps is not \(inMaps)" }
      // Sets and maps have an order of their own.
      if Array(node.numberSet) != node.numberSet.sorted() { return "node \(id): numberSet is not in order" }
      let keys = node.textMap.keys
      if keys != keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        return "node \(id): unordered keys"
      }
    }
    for leaf in realm.objects(ModelLeaf.self) {
      let leafOf = nodes.filter { $0.value.leaf == leaf.tag }.map(\.key).sorted()
      if leaf.leafOf.map(\.id).sorted() != leafOf { return "leaf \(leaf.tag): leafOf is not \(leafOf)" }
    }
    return nil
  }

  /// Queries, with an index and without, find what is there.
  private func queryDifference(from realm: Realm) -> String? {
    let all = realm.objects(ModelNode.self)
    if all.count != nodes.count { return "\(all.count) nodes instead of \(nodes.count)" }
    let numbers = all.sorted(byKeyPath: "number").map(\.number)
    if Array(numbers) != nodes.values.map(\.number).sorted() { return "sorted numbers \(Array(numbers))" }
    let small = nodes.filter { $0.value.number < 50 }.map(\.key).sorted()
    if all.where({ $0.number < 50 }).map(\.id).sorted() != small { return "nodes below 50 are not \(small)" }
    if let number = nodes.values.map(\.number).min() {
      let equal = nodes.filter { $0.value.number == number }.map(\.key).sorted()
      let found = all.where { $0.number == number }.map(\.id).sorted()
      if found != equal { return "nodes with number \(number) are \(found) instead of \(equal)" }
      if all.min(of: \.number) != number { return "the smallest number is not \(number)" }
    }
    for text in Set(nodes.values.map(\.optionalText)).prefix(3) {
      let equal = nodes.filter { $0.value.optionalText == text }.map(\.key).sorted()
      let found = all.where { $0.optionalText == text }.map(\.id).sorted()
      if found != equal { return "nodes with text \(text ?? "nil") are \(found) instead of \(equal)" }
    }
    let sum = nodes.values.reduce(0) { $0 &+ ($1.optionalNumber ?? 0) }
    if all.sum(of: \.optionalNumber) != sum { return "the sum is not \(sum)" }
    let flags = nodes.values.count { $0.flag }
    if all.filter("flag == true").count != flags { return "not \(flags) flags" }
    let big = leaves.values.count { $0.weight > 5 }
    if realm.objects(ModelLeaf.self).where({ $0.weight > 5 }).count != big {
      return "not \(big) heavy leaves"
    }
    return nil
  }
}
