import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class CircularOwner: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var part: CircularPart?
  @Persisted var parts: List<CircularPart>
  @Persisted var named: Map<String, CircularPart?>
  @Persisted var owned: List<CircularOwner>
  @Persisted var favourite: CircularOwner?
  @Persisted var any: AnyRealmValue
}

class CircularPart: HiddenEmbedded {
  @Persisted var size = 0
  @Persisted var owner: CircularOwner?
  @Persisted var inner: CircularCore?
  @Persisted var tags: List<String>
}

class CircularCore: HiddenEmbedded {
  @Persisted var size = 0
  @Persisted var owner: CircularOwner?
}

/// Values that lead back to the object that is being written, and change or delete what is about to be written.
@Suite struct CircularUpdateTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: [CircularOwner.self, CircularPart.self, CircularCore.self])
  }

  private func load(_ json: String) throws {
    try realm.write { try realm.importJSON(Data(json.utf8), as: CircularOwner.self, update: .modified) }
    let found = try Realm.verify(at: scratch.url, encryptionKey: ScratchRealm.usualKey)
    #expect(found.isSound, "\(json): \(found)")
  }

  private var owner: CircularOwner { realm.object(ofType: CircularOwner.self, forPrimaryKey: 1)! }

  @Test(arguments: [#"[]"#, #"[{"id": 2}]"#, #"[{"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}]"#])
  func listsThatAreReachedAgain(inner: String) throws {
    try load(#"{"id": 1, "owned": [{"id": 2}, {"id": 3}]}"#)
    try load(#"{"id": 1, "owned": [{"id": 1, "owned": \#(inner)}]}"#)
    #expect(owner.owned.map(\.id).elementsEqual([1]))
    // A new object that is reached again.
    try load(#"{"id": 7, "owned": [{"id": 7, "owned": \#(inner)}, {"id": 8}]}"#)
    let new = realm.object(ofType: CircularOwner.self, forPrimaryKey: 7)!
    #expect(new.owned.map(\.id).elementsEqual([7, 8]))
  }

  @Test(arguments: ["[]", #"[{"size": 9}]"#, "null"]) func embeddedLists(inner: String) throws {
    try load(#"{"id": 1, "parts": [{"size": 1}, {"size": 2}, {"size": 3}]}"#)
    try load(#"{"id": 1, "parts": [{"size": 5, "owner": {"id": 1, "parts": \#(inner)}}, {"size": 6}]}"#)
    // The inner list says something else of the first one, and is written after the outer object's size.
    #expect(owner.parts.map(\.size).elementsEqual([inner.contains("9") ? 9 : 5, 6]))
    #expect(realm.dynamicObjects("CircularPart").count == 2)
  }

  @Test func embeddedObjectsThatTakeThemselvesAway() throws {
    try load(#"{"id": 1, "part": {"size": 1, "inner": {"size": 2}}, "named": {"a": {"size": 3}}}"#)
    try load(
      #"{"id": 1, "part": {"owner": {"id": 1, "part": null}, "size": 5, "inner": {"size": 6}, "tags": ["t"]}}"#
    )
    #expect(owner.part?.size == 5 && owner.part?.owner == owner && owner.part?.inner?.size == 6)
    try load(#"{"id": 1, "named": {"a": {"owner": {"id": 1, "named": null}, "size": 5, "tags": ["t"]}}}"#)
    #expect(owner.named.count == 1 && owner.named["a"]??.size == 5)
    try load(#"{"id": 1, "named": {"a": {"size": 7}, "b": {"owner": {"id": 1, "named": {}}, "size": 8}}}"#)
    #expect(owner.named["b"]??.size == 8)
    try load(#"{"id": 1, "part": {"inner": {"owner": {"id": 1, "part": null}, "size": 8}}}"#)
    #expect(owner.part?.inner?.size == 8)
    #expect(realm.dynamicObjects("CircularPart").count == 1 + owner.named.filter { $0.value != nil }.count)
    #expect(realm.dynamicObjects("CircularCore").count == 1)
  }

  /// Whatever they say, the file is sound, and nothing stops.
  @Test(arguments: [1, 2, 3, 4]) func randomGraphs(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func owner(_ depth: Int) -> String {
      var members = [#""id": \#(Int.random(in: 1...3, using: &generator))"#]
      func add(_ name: String, _ value: () -> String) {
        if Int.random(in: 0..<3, using: &generator) == 0 { members.append("\"\(name)\": \(value())") }
      }
      func several(_ element: () -> String) -> String {
        "[" + (0..<Int.random(in: 0...3, using: &generator)).map { _ in element() }.joined(separator: ",")
          + "]"
      }
      if depth > 0 {
        add("part") { Bool.random(using: &generator) ? "null" : part(depth - 1) }
        add("parts") { several { part(depth - 1) } }
        add("named") {
          let keys = ["a", "b", "c"].filter { _ in Bool.random(using: &generator) }
          return "{" + keys.map { "\"\($0)\": \(part(depth - 1))" }.joined(separator: ",") + "}"
        }
        add("owned") { several { owner(depth - 1) } }
        add("favourite") { owner(depth - 1) }
      }
      add("name") { #""n\#(depth)""# }
      return "{" + members.shuffled(using: &generator).joined(separator: ",") + "}"
    }
    func part(_ depth: Int, isCore: Bool = false) -> String {
      var members: [String] = []
      if Bool.random(using: &generator) { members.append(#""size": \#(depth)"#) }
      if depth > 0, Bool.random(using: &generator) { members.append(#""owner": \#(owner(depth - 1))"#) }
      if !isCore, depth > 0, Int.random(in: 0..<3, using: &generator) == 0 {
        members.append(
          #""inner": \#(Bool.random(using: &generator) ? "null" : part(depth - 1, isCore: true))"#)
      }
      if !isCore, Int.random(in: 0..<4, using: &generator) == 0 { members.append(#""tags": ["t"]"#) }
      return "{" + members.shuffled(using: &generator).joined(separator: ",") + "}"
    }
    for round in 0..<60 {
      let json = (0..<8).map { _ in owner(4) }.joined(separator: "\n")
      let policy: Realm.UpdatePolicy = round % 4 == 3 ? .all : .modified
      try realm.write { try realm.importJSON(Data(json.utf8), as: CircularOwner.self, update: policy) }
      let found = try Realm.verify(at: scratch.url, encryptionKey: ScratchRealm.usualKey)
      try #require(found.isSound, "seed \(seed), round \(round): \(found)")
      // No embedded object is left without one that it belongs to.
      let parts = realm.objects(CircularOwner.self).flatMap { owner in
        [owner.part] + Array(owner.parts) + owner.named.map(\.value)
      }.compactMap { $0 }
      let cores = parts.compactMap(\.inner).count
      #expect(realm.dynamicObjects("CircularCore").count == cores, "seed \(seed), round \(round)")
      #expect(realm.dynamicObjects("CircularPart").count == parts.count, "seed \(seed), round \(round)")
    }
  }
}
