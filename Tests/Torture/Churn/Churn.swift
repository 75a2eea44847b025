import Foundation
import RealmSwift
import TestSupport

/// An object of a file whose objects come and go.
final class ChurnThing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var number = 0.0
  @Persisted var token = UUID()
  @Persisted var note: String?
  @Persisted var words: List<String>
  @Persisted var next: ChurnThing?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Random inserts, updates and deletes, after each of which a file has as many objects as before: it stays within twice
/// the size of a compact copy and 16 MB, and of itself when it is compacted at the end, and all have what they should.
///
/// A round is a thousand operations, in relaxed transactions: the version that the disk has may keep 16 MB of its own until a sync is due.
/// In short runs the file has been through much in few, large transactions before.
enum Churn: AttackSuite {
  static let name = "churn"
  static let shortRounds = 1
  static let longRounds = 1000

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    var random = SeededGenerator(seed: seed)
    let folder = ScratchFolder()
    let file = ChurnFile(url: folder.file("churn.realm"), count: max(4000, rounds * 1000 / 8))
    try file.fill(&random)
    if rounds < 100 {
      for _ in 0..<8 { try file.change(file.count * 2, atOnce: file.count, &random) }
      try Realm.compact(at: file.url)
    }
    for round in 0..<rounds {
      try file.change(1000, atOnce: max(1, file.count / 8000), &random)
      outcomes.note("thousand operations")
      // Far from where it began, without changing the file, and at the end.
      if round + 1 != rounds && round + 1 != rounds / 2 { continue }
      let context = "round \(round), seed \(seed)"
      if let fault = try file.fault() { outcomes.fault("\(context): \(fault)") }
      let size = file.size
      let compact = try round + 1 < rounds ? file.sizeOfCopy(in: folder) : file.compact()
      guard let compact else {
        outcomes.fault("\(context): it can not be compacted")
        continue
      }
      print(
        "  after \(round + 1)000 operations on \(file.count) objects: \(size) bytes, compact \(compact)")
      let limit = 2 * compact + (16 << 20)
      if size > limit { outcomes.fault("\(context): \(size) bytes that could be \(compact)") }
      if let fault = try file.fault() { outcomes.fault("\(context), afterwards: \(fault)") }
    }
  }
}

/// The file, and what it should have.
private final class ChurnFile {
  let url: URL
  let count: Int
  private var ids: [Int] = []
  private var numbers: [Int: Double] = [:]
  private var nextId = 0

  init(url: URL, count: Int) {
    self.url = url
    self.count = count
  }

  var size: Int { (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 }

  private func open() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(fileURL: url, objectTypes: [ChurnThing.self], durability: .relaxed))
  }

  /// What it has after it was compacted; nil when it cannot be.
  func compact() throws -> Int? { try Realm.compact(at: url) ? size : nil }

  func sizeOfCopy(in folder: ScratchFolder) throws -> Int? {
    let copy = folder.file("copy.realm")
    defer { try? FileManager.default.removeItem(at: copy) }
    try open().writeCopy(toFile: copy)
    return try copy.resourceValues(forKeys: [.fileSizeKey]).fileSize
  }

  func fill(_ random: inout SeededGenerator) throws {
    let realm = try open()
    try realm.write { for _ in 0..<count { insert(realm, &random) } }
  }

  /// Makes so many random changes: inserts, deletes and updates, one after the other.
  func change(_ operations: Int, atOnce count: Int, _ random: inout SeededGenerator) throws {
    let realm = try open()
    for first in stride(from: 0, to: operations, by: count) {
      try realm.write {
        for step in first..<min(first + count, operations) {
          switch step % 3 {
          case 0: insert(realm, &random)
          case 1: delete(realm, &random)
          default: update(realm, &random)
          }
        }
      }
    }
  }

  private func object(_ realm: Realm, _ id: Int) -> ChurnThing? {
    realm.object(ofType: ChurnThing.self, forPrimaryKey: id)
  }

  private func insert(_ realm: Realm, _ random: inout SeededGenerator) {
    let thing = ChurnThing()
    thing.id = nextId
    nextId += 1
    fill(thing, &random)
    realm.add(thing)
    thing.next = ids.randomElement(using: &random).flatMap { object(realm, $0) }
    ids.append(thing.id)
  }

  private func delete(_ realm: Realm, _ random: inout SeededGenerator) {
    guard !ids.isEmpty else { return }
    let place = Int.random(in: 0..<ids.count, using: &random)
    ids.swapAt(place, ids.count - 1)
    let id = ids.removeLast()
    numbers[id] = nil
    if let thing = object(realm, id) { realm.delete(thing) }
  }

  private func update(_ realm: Realm, _ random: inout SeededGenerator) {
    guard let id = ids.randomElement(using: &random), let thing = object(realm, id) else { return }
    fill(thing, &random)
  }

  private func fill(_ thing: ChurnThing, _ random: inout SeededGenerator) {
    thing.name = "thing \(Int.random(in: 0..<1_000_000, using: &random))"
    thing.number = Double.random(in: 0..<1000, using: &random)
    thing.token = UUID()
    // Now and then one that lies outside of its chunk.
    let length = Int.random(in: 0..<10, using: &random) == 0 ? 400 : Int.random(in: 0..<60, using: &random)
    thing.note = length < 10 ? nil : String(repeating: "n", count: length)
    thing.words.removeAll()
    if thing.id % 4 == 0 { thing.words.append(objectsIn: ["one", "two", "three"]) }
    numbers[thing.id] = thing.number
  }

  /// What is wrong with the content, or nil.
  func fault() throws -> String? {
    let realm = try open()
    let things = realm.objects(ChurnThing.self)
    if things.count != ids.count { return "\(things.count) objects instead of \(ids.count)" }
    for thing in things {
      guard numbers[thing.id] == thing.number else { return "object \(thing.id) is \(thing.number)" }
      if thing.words.count != (thing.id % 4 == 0 ? 3 : 0) { return "object \(thing.id) has other words" }
      if let next = thing.next, numbers[next.id] == nil { return "object \(thing.id) links to nothing" }
    }
    for id in ids.prefix(500) where object(realm, id)?.id != id { return "object \(id) is not in the index" }
    return nil
  }
}
