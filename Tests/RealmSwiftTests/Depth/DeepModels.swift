import Foundation
import TestSupport

@testable import RealmSwift

class DeepNode: Object {
  @Persisted var number: Int
  @Persisted var next: DeepNode?
  @Persisted var list: List<DeepNode>
  @Persisted var set: MutableSet<DeepNode>
  @Persisted var map: Map<String, DeepNode?>
  @Persisted var any: AnyRealmValue
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var part: DeepPart?

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

/// Tells whether a node is still there.
struct WeakNode {
  weak var node: DeepNode?

  /// The last of a chain of links of any kind, or the first.
  init(_ node: DeepNode?) { self.node = node }
}

final class NodeCount {
  var value = 0
}

/// Tells of its end.
class CountedNode: Object {
  @Persisted var children: List<CountedNode>
  var count: NodeCount?

  deinit { count?.value -= 1 }
}

class DeepPart: EmbeddedObject {
  @Persisted var number: Int
  @Persisted var node: DeepNode?
}

class DeepKeyed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var next: DeepKeyed?
  @Persisted var part: DeepKeyedPart?
}

class DeepKeyedPart: EmbeddedObject {
  @Persisted var text: String
  @Persisted var node: DeepKeyed?
}

/// Runs code on a thread with a stack of 512 KB: what recurses over deep data ends the program there.
func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
  final class Outcome: @unchecked Sendable {
    var error: (any Error)?
  }
  let outcome = Outcome()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { try body() } catch { outcome.error = error }
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.waitOrStop()
  if let error = outcome.error { throw error }
}

/// A realm in memory with the models of these tests.
func deepRealm() throws -> Realm {
  try Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [DeepNode.self, DeepPart.self, DeepKeyed.self, DeepKeyedPart.self]))
}

/// Lists and dictionaries in turns around a number.
func nestedValue(_ depth: Int, around inner: AnyRealmValue = .int(1)) -> AnyRealmValue {
  (0..<depth).reduce(inner) { value, level in
    level % 2 == 0 ? .fromArray([.string("x"), value]) : .fromDictionary(["a": value, "b": .none])
  }
}

/// How many lists and dictionaries there are around each other, and what is in the last one.
func unwrapped(_ value: AnyRealmValue) -> (depth: Int, inner: AnyRealmValue) {
  var (value, depth) = (value, 0)
  while true {
    switch value {
    case .list(let list): value = list[1]
    case .dictionary(let map): value = map["a"]!
    default: return (depth, value)
    }
    depth += 1
  }
}
