import Foundation
import TestSupport
import Testing

@testable import Storage

/// Collections in a write transaction have memory for about as many elements as there are, and grow.
@Suite struct CollectionSegmentTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "numbers", type: .int, collection: .list, isNullable: true),
        Column(name: "names", type: .string, collection: .list),
        Column(name: "map", type: .string, collection: .map, isNullable: true),
        Column(name: "links", type: .link, collection: .list, target: 0),
      ])
  ])

  @Test(arguments: [71, 72, 73] as [UInt64])
  func collectionsOfAllSizesKeepTheirElements(seed: UInt64) throws {
    print("seed \(seed)")
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let table = snapshot.table(0)
    #expect(table.insertRow() == 0)
    var thing = Thing(random: SeededGenerator(seed: seed))
    // Sizes that segments grow at, and those at which there is another one.
    for size in [3, 15, 16, 17, 63, 65, 20, 300, 255, 257, 959, 960, 961, 1900, 1930, 40, 0, 18] {
      thing.grow(table, to: size)
      thing.shrink(table, to: size)
      check(snapshot, thing)
      if thing.below(2) == 0 {
        try Writer(snapshot).commit(durability: .relaxed)
        check(snapshot, thing)
        try Writer(snapshot).begin()
      }
    }
    try Writer(snapshot).commit(durability: .relaxed)
    check(try Snapshot(file: file), thing)
  }

  private func check(_ snapshot: Snapshot, _ thing: Thing) {
    let table = snapshot.table(0)
    #expect(table.elements(0, 0) == thing.numbers)
    #expect(table.elements(1, 0) == thing.names)
    #expect(table.elements(2, 0) == thing.map.keys.sorted().map { thing.map[$0]! })
    #expect((0..<thing.map.count).map { table.key(2, 0, at: $0) } == thing.map.keys.sorted())
    #expect(table.elements(3, 0) == thing.links)
  }

  /// What the collections of row 0 should hold.
  private struct Thing {
    var numbers: [Value] = []
    var names: [Value] = []
    var map: [String: Value] = [:]
    var links: [Value] = []
    var random: SeededGenerator

    init(random: SeededGenerator) { self.random = random }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func grow(_ table: Table, to size: Int) {
      while numbers.count < size {
        let added: [Value] = (0..<min(1 + below(20), size - numbers.count)).map { _ in
          below(5) == 0 ? .null : .int(Int64(below(1000)))
        }
        let place = below(numbers.count + 1)
        table.insertElements(0, 0, at: place, added)
        numbers.insert(contentsOf: added, at: place)
      }
      while names.count < size {
        let place = below(3) == 0 ? below(names.count + 1) : names.count
        let name = Value.string("name \(below(1000))")
        table.insertElement(1, 0, at: place, name)
        names.insert(name, at: place)
      }
      while map.count < min(size, 300) {
        let key = "key \(below(100_000))"
        map[key] = below(4) == 0 ? .null : .string("value \(below(100))")
        table.setMapValue(2, 0, key: key, map[key]!)
      }
      while links.count < size {
        table.appendLink(3, 0, 0)
        links.append(.link(table: 0, row: 0))
      }
    }

    mutating func shrink(_ table: Table, to size: Int) {
      guard numbers.count > size else { return }
      let first = below(size + 1)
      table.removeElements(0, 0, first..<first + numbers.count - size)
      numbers.removeSubrange(first..<first + numbers.count - size)
      table.removeElements(1, 0, size..<names.count)
      names.removeSubrange(size...)
      table.removeElements(3, 0, size..<links.count)
      links.removeSubrange(size...)
    }
  }

  @Test func smallCollectionsTakeLittleMemory() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let table = snapshot.table(0)
    let row = table.insertRow()
    for number in 0..<5 { table.appendElement(0, row, .int(Int64(number))) }
    table.setMapValue(2, row, key: "key", .string("value"))
    func room(_ column: Int, _ family: CollectionFamily) -> Int {
      snapshot.segment(table: 0, column: column, row: row, family: family, index: 0).count
    }
    #expect(room(0, .values) == 16)
    #expect(room(2, .values) == 16 && room(2, .keys) == 16)
    try Writer(snapshot).commit(durability: .relaxed)
    try Writer(snapshot).begin()
    table.appendElement(0, row, .null)
    #expect(room(0, .values) == 16)
    #expect(table.elements(0, row) == (0..<5).map { .int($0) } + [.null])
  }
}
