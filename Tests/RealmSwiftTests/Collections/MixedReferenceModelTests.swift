import Foundation
import RealmSwift
import TestSupport
import Testing

/// What the model's roots are stored in.
final class MixedModelOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>

  /// The collections that everything else is in.
  func root(_ number: Int) -> MixedHandle {
    switch number {
    case 0: MixedHandle(any)!
    case 1: .list(anys)
    default: .map(map)
    }
  }
}

/// Thousands of random changes of lists and dictionaries inside mixed values, on up to four levels, through references that
/// are held meanwhile, compared with nodes in memory: a reference leads to its own collection, or to none.
struct MixedReferenceModelTests {
  /// A reference with the node that it was made for.
  private struct Held {
    let handle: MixedHandle
    let node: MixedNode
  }

  private struct Snapshot {
    let handle: MixedHandle
    let tree: MixedTree
    let node: MixedNode
  }

  private final class Subject {
    let storage = ScratchRealm([MixedModelOwner.self])
    let realm: Realm
    let owner: MixedModelOwner
    var roots = [MixedNode(.list([])), MixedNode(.list([])), MixedNode(.dictionary([:]))]
    var held: [Held] = []
    var frozen: [Snapshot] = []
    var random: SeededGenerator
    var changes = 0
    var lost = 0
    var moved = 0

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      let realm = try storage.open()
      self.realm = realm
      owner = try realm.write { realm.create(MixedModelOwner.self, value: ["id": 1, "any": [Int]()]) }
    }

    func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    func key() -> String { ["a", "b", "c", "d"][below(4)] }

    func tree(_ depth: Int) -> MixedTree {
      if depth == 0 || chance(4) { return .number(below(1_000)) }
      let count = below(4)
      if chance(2) { return .list((0..<count).map { _ in tree(depth - 1) }) }
      return .dictionary(
        Dictionary((0..<count).map { _ in (key(), tree(depth - 1)) }) { first, _ in first })
    }

    func operation(_ node: MixedNode, depth: Int) -> MixedOperation {
      let depth = max(0, 4 - depth)
      switch node.content {
      case .dictionary(let entries):
        let keys = entries.keys.sorted()
        if keys.isEmpty || chance(2) { return .set(key(), tree(depth)) }
        return chance(2)
          ? .removeKey(keys[below(keys.count)]) : .copyValue(from: keys[below(keys.count)], to: key())
      case .list(let elements):
        let count = elements.count
        if count == 0 { return .append((0..<3).map { _ in tree(depth) }) }
        if count > 8 { return .remove(below(4)..<4 + below(4)) }
        switch below(8) {
        case 0: return .append([tree(depth)])
        case 1, 2: return .insert(tree(depth), at: below(count + 1))
        case 3: return .replace(below(count), tree(depth))
        case 4: return .copy(from: below(count), to: below(count))
        case 5: return .move(below(count), below(count))
        case 6: return .swap(below(count), below(count))
        default:
          let first = below(count)
          return .remove(first..<min(count, first + 1 + below(2)))
        }
      }
    }

    var all: [(root: Int, path: [MixedStep], node: MixedNode)] {
      roots.enumerated().flatMap { number, root in
        root.all().map { (root: number, path: $0.path, node: $0.node) }
      }
    }

    func find(_ root: Int, _ path: [MixedStep], _ owner: MixedModelOwner) -> MixedHandle {
      path.reduce(owner.root(root)) { $1.follow($0)! }
    }

    /// A change here, through a reference that is held where there is one.
    func changeHere() {
      if chance(30) { return assignProperty() }
      let all = all
      let target = all[below(all.count)]
      let operation = operation(target.node, depth: target.path.count + 1)
      let known = held.first { $0.node === target.node }
      operation.apply(known?.handle ?? find(target.root, target.path, owner))
      operation.apply(target.node)
      changes += 1
    }

    func assignProperty() {
      if chance(3) {
        // The value is what it was, so that nothing happens.
        owner.any = owner.any
      } else if chance(2), case .list(let elements) = roots[0].content, elements.count > 0 {
        let list = owner.any.listValue!
        owner.any = .fromArray([list[list.count - 1], .list(list)])
        roots[0] = MixedNode(.list([elements[elements.count - 1].tree, roots[0].tree]))
        shrink()
      } else {
        let tree = MixedTree.list([tree(3), tree(3), tree(3)])
        owner.any = tree.value
        roots[0] = MixedNode(tree)
      }
    }

    /// Keeps a value small that was wrapped into itself.
    func shrink() {
      if owner.any.listValue!.count > 3 || roots[0].all().count > 60 {
        owner.any = .fromArray([])
        roots[0] = MixedNode(.list([]))
      }
    }

    /// Does it on another thread, which finds the collection by its path.
    func changeElsewhere() throws {
      for _ in 0..<3 {
        let all = all
        let target = all[below(all.count)]
        let (root, path) = (target.root, target.path)
        let operation = operation(target.node, depth: path.count + 1)
        let configuration = storage.configuration
        try onOtherThread {
          try autoreleasepool {
            let realm = try Realm(configuration: configuration)
            realm.refresh()
            let owner = realm.object(ofType: MixedModelOwner.self, forPrimaryKey: 1)!
            try realm.write { operation.apply(path.reduce(owner.root(root)) { $1.follow($0)! }) }
          }
        }
        operation.apply(target.node)
        changes += 1
      }
      realm.refresh()
    }

    func changeAndCancel() {
      let contents = all.map { (node: $0.node, content: $0.node.content) }
      let (roots, held) = (roots, held)
      realm.beginWrite()
      for _ in 0..<4 {
        changeHere()
        hold()
      }
      check()
      realm.cancelWrite()
      self.roots = roots
      for (node, content) in contents { node.content = content }
      // Those that were made meanwhile stay, of nodes that are there no longer.
      self.held = held + self.held.dropFirst(held.count)
    }

    func hold() {
      let all = all
      let target = all[below(all.count)]
      if target.path.isEmpty && target.root > 0 { return }
      held.append(Held(handle: find(target.root, target.path, owner), node: target.node))
    }

    func freeze() {
      let alive = Set(all.map { ObjectIdentifier($0.node) })
      guard
        let held = held.filter({ alive.contains(ObjectIdentifier($0.node)) }).randomElement(using: &random)
      else { return }
      frozen.append(Snapshot(handle: held.handle.frozen, tree: held.node.tree, node: held.node))
    }

    func check() {
      let alive = Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier($0.node), $0) })
      for reference in held {
        guard let place = alive[ObjectIdentifier(reference.node)] else {
          if !reference.handle.isInvalidated { Issue.record("a reference outlived its collection") }
          lost += 1
          continue
        }
        if reference.handle.isInvalidated {
          Issue.record("a reference has lost its collection")
        } else if reference.handle.tree != reference.node.tree {
          Issue.record("a reference leads to another collection")
        }
        if find(place.root, place.path, owner) != reference.handle {
          Issue.record("not equal to another reference")
        }
        moved += 1
      }
      for (number, root) in roots.enumerated() where owner.root(number).tree != root.tree {
        Issue.record("root \(number) differs")
      }
      if held.count > 25 { held.removeFirst(8) }
    }

    func checkFrozen() {
      let alive = Set(all.map { ObjectIdentifier($0.node) })
      for snapshot in frozen {
        #expect(snapshot.handle.tree == snapshot.tree)
        let thawed = snapshot.handle.thawed
        #expect((thawed != nil) == alive.contains(ObjectIdentifier(snapshot.node)))
        if let thawed { #expect(thawed.tree == snapshot.node.tree) }
      }
      if frozen.count > 4 { frozen.removeFirst(2) }
    }
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6], short: 3))
  func referencesFollowTheirCollections(seed: UInt64) throws {
    print("referencesFollowTheirCollections seed: \(seed)")
    let subject = try Subject(seed: seed)
    for step in 0..<TestLength.count(250, long: 2_500) {
      switch step % 8 {
      case 5: subject.changeAndCancel()
      case 6: try subject.changeElsewhere()
      default:
        try subject.realm.write {
          for _ in 0..<3 {
            subject.changeHere()
            subject.hold()
            if step % 3 == 0 { subject.check() }
          }
        }
      }
      subject.check()
      if step % 8 == 7 { subject.freeze() }
      if step % 16 == 9 { subject.checkFrozen() }
    }
    #expect(subject.changes > 500 && subject.lost > 100 && subject.moved > 1_000)
    #expect(try Realm.verify(at: subject.storage.url, encryptionKey: ScratchRealm.usualKey).faults == [])
  }
}
