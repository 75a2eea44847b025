import Foundation
import RealmSwift
import TestSupport

/// A run of random transactions on a realm, and on plain values beside it.
final class ModelRun {
  struct Difference: Error, CustomStringConvertible {
    var description: String
  }
  /// Thrown by blocks that are to be rolled back.
  private struct Rollback: Error {}

  let configuration: Realm.Configuration
  var realm: Realm
  var state = ModelState()
  var values: ModelValues
  /// The last operations, to tell what led to a difference.
  var trace: [String] = []
  var commits = 0
  var nextTag = 0

  /// Live objects that are kept across transactions.
  var kept: [Int: ModelNode] = [:]
  /// Objects whose rows are gone for ever.
  private var gone: [ModelNode] = []
  /// Objects that were made in the transaction, or whose rows were deleted in it.
  var made: [ModelNode] = []
  var deleted: [ModelNode] = []
  private var results: Results<ModelNode>
  private var youngResults: Results<ModelNode>

  /// What other threads may find, by the number of commits.
  let history = Mutex<[Int: ModelState]>([0: ModelState()])

  init(configuration: Realm.Configuration, seed: UInt64) throws {
    self.configuration = configuration
    values = ModelValues(seed: seed)
    realm = try Realm(configuration: configuration)
    results = realm.objects(ModelNode.self)
    youngResults = results.where { $0.number < 50 }
    // Nearly a chunk of rows that are gone, so that the others lie on both sides of a chunk's end.
    let skipped = [0, 1_000][values.roll(2)]
    try realm.write {
      realm.create(ModelClock.self, value: ["clock", 0])
      for id in 0..<skipped {
        realm.create(
          ModelNode.self, value: ["id": -id - 1, "part": ["inner": [1]], "leaf": [0]] as [String: Any])
      }
    }
    try realm.write {
      realm.delete(realm.objects(ModelNode.self))
      realm.delete(realm.objects(ModelLeaf.self))
    }
  }

  /// One transaction with some operations, which is committed or rolled back in one of several ways.
  func transaction() throws {
    let before = (state: state, kept: kept, nextTag: nextTag)
    made = []
    deleted = []
    let ending = values.roll(10)
    let isCommitted: Bool
    switch ending {
    case 0...3:
      realm.beginWrite()
      try operations()
      prepareCommit()
      try realm.commitWrite()
      isCommitted = true
    case 4...6:
      try realm.write {
        try operations()
        prepareCommit()
      }
      isCommitted = true
    case 7...8:
      realm.beginWrite()
      try operations()
      realm.cancelWrite()
      isCommitted = false
    default:
      do {
        try realm.write {
          try operations()
          throw Rollback()
        }
      } catch is Rollback {}
      isCommitted = false
    }
    note("\(isCommitted ? "commit" : "rollback") (\(ending))")
    if isCommitted {
      gone += deleted
    } else {
      state = before.state
      nextTag = before.nextTag
      // A deleted object that comes back does so in a new instance only.
      kept = before.kept.filter { entry in
        !deleted.contains { $0 === entry.value } && !entry.value.isInvalidated
      }
      gone += made
      deleted = []
    }
    gone = gone.suffix(60)
    try check()
  }

  private func prepareCommit() {
    commits += 1
    realm.object(ofType: ModelClock.self, forPrimaryKey: "clock")!.commits = commits
    history.withLock { history in
      history[commits] = state
      history[commits - 40] = nil
    }
  }

  private func operations() throws {
    for _ in 0..<(1 + values.roll(14)) { operation() }
    if values.chance(15) { try check() }
  }

  func note(_ text: String) {
    trace.append(text)
    if trace.count > 40 { trace.removeFirst() }
  }

  /// Compares everything.
  func check() throws {
    if let difference = state.difference(from: realm) ?? liveDifference() {
      throw Difference(description: "\(difference)\nafter:\n\(trace.joined(separator: "\n"))")
    }
  }

  private func liveDifference() -> String? {
    if results.count != state.nodes.count { return "kept results have \(results.count) nodes" }
    let young = state.nodes.values.count { $0.number < 50 }
    if youngResults.count != young { return "kept query has \(youngResults.count) nodes instead of \(young)" }
    for (id, node) in kept {
      if node.isInvalidated { return "kept node \(id) is invalidated" }
      if node.id != id || NodeState(of: node) != state.nodes[id] { return "kept node \(id) has other values" }
    }
    for node in gone + deleted where !node.isInvalidated {
      return "an object that was deleted, or made in a rolled back transaction, is valid, as \(node.id)"
    }
    return nil
  }

  /// Closes the realm and opens the file anew.
  func reopen() throws {
    note("reopen")
    kept = [:]
    gone = []
    made = []
    deleted = []
    let other = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: modelClasses)
    realm = try Realm(configuration: other)
    results = realm.objects(ModelNode.self)
    youngResults = results
    // Nothing holds the file now.
    realm = try Realm(configuration: configuration)
    results = realm.objects(ModelNode.self)
    youngResults = results.where { $0.number < 50 }
    try check()
  }

  // MARK: Objects

  /// A live object with this id, found in one way or another.
  func node(_ id: Int) -> ModelNode {
    switch values.roll(5) {
    case 0:
      if let node = kept[id] { return node }
    case 1:
      return realm.objects(ModelNode.self).where { $0.id == id }.first!
    case 2:
      return realm.objects(ModelNode.self).first { $0.id == id }!
    case 3:
      return realm.objects(ModelNode.self).filter("id == %@", id).first!
    default: break
    }
    let node = realm.object(ofType: ModelNode.self, forPrimaryKey: id)!
    if values.chance(30) { kept[id] = node }
    return node
  }

  func leaf(_ tag: Int) -> ModelLeaf { realm.objects(ModelLeaf.self).where { $0.tag == tag }.first! }

  func newTag() -> Int {
    nextTag += 1
    return nextTag
  }

  /// Notes that a node's row is about to go.
  func deletes(_ id: Int) {
    if let node = kept.removeValue(forKey: id) { deleted.append(node) }
    deleted.append(realm.object(ofType: ModelNode.self, forPrimaryKey: id)!)
    state.deleteNode(id)
  }
}
