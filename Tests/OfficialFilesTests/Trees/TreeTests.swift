import Testing

@testable import OfficialFiles

/// Trees of objects and of elements made by hand.
struct TreeTests {
  typealias Column = FileBuilder.Column

  private func objects(_ clusters: (inout FileBuilder) -> Int) throws -> [Int64: Int64] {
    var builder = FileBuilder()
    let root = clusters(&builder)
    let table = builder.table([Column(type: 0)], clusters: root)
    let file = try OfficialFile(builder.file([("class_A", table)]))
    var objects: [Int64: Int64] = [:]
    try file.tables[0].forEachBlock { block in
      try block.forEachValue(ofProperty: 0) { row, value in
        if case .int(let number) = value { objects[block.key(at: row)] = number }
      }
    }
    #expect(file.tables[0].count == objects.count)
    return objects
  }

  private static func number(_ value: Int) -> Int { FileBuilder.number(value) }

  @Test func keysAreUnsigned() throws {
    let found = try objects {
      let keys = $0.node([], width: 4, count: 2, [1, 0xF0])
      return $0.references([keys, $0.integers([10, 20])])
    }
    #expect(found == [1: 10, 240: 20])
  }

  @Test func keysAreRelativeToOffsets() throws {
    let found = try objects {
      let first = $0.cluster(count: 1, [$0.integers([1])])
      let keys = $0.node([], width: 4, count: 1, [5])
      let second = $0.references([keys, $0.integers([2])])
      let offsets = $0.node([], width: 5, count: 2, [0, 0, 0, 0xF0])
      return $0.references([offsets, Self.number(1), Self.number(2), first, second], .inner)
    }
    #expect(found == [0: 1, 0xF005: 2])
  }

  @Test func regularChildrenFollowFromTheirHeight() throws {
    func tree(_ height: Int, total: Int = 2) throws -> [Int64: Int64] {
      try objects {
        let first = $0.cluster(count: 1, [$0.integers([1])])
        let second = $0.cluster(count: 1, [$0.integers([2])])
        return $0.references([0, Self.number(height), Self.number(total), first, second], .inner)
      }
    }
    #expect(try tree(1) == [0: 1, 256: 2])
    #expect(try tree(2) == [0: 1, 65_536: 2])
    expectDamage("announced") { _ = try tree(1, total: 3) }
    expectDamage("levels") { _ = try tree(41) }
    // What is shifted out leaves the same key.
    expectDamage("comes behind") { _ = try tree(8) }
  }

  @Test func keysThatDoNotAscend() {
    expectDamage("comes behind") {
      _ = try objects {
        let keys = $0.integers([7, 7])
        return $0.references([keys, $0.integers([1, 2])])
      }
    }
  }

  @Test func clustersWithoutAColumn() {
    expectDamage("without the column") { _ = try objects { $0.cluster(count: 1, []) } }
    expectDamage("without the column") { _ = try objects { $0.cluster(count: 1, [0]) } }
    expectDamage("2 values for 1") { _ = try objects { $0.cluster(count: 1, [$0.integers([1, 2])]) } }
  }

  @Test func listsOfSeveralLeaves() throws {
    func list(total: Int) throws -> [Content] {
      try FileBuilder.values(Column(type: 0, attributes: 32), count: 2) {
        let first = $0.integers([1, 2])
        let second = $0.integers([3])
        let tree = $0.references([Self.number(2), first, second, Self.number(total)], .inner)
        return $0.references([tree, 0])
      }
    }
    #expect(try list(total: 3) == [.list([.int(1), .int(2), .int(3)]), .list([])])
    expectDamage("3 values where 4 are announced") { _ = try list(total: 4) }
  }

  @Test func treesThatAreTooDeep() {
    expectDamage("without order") {
      _ = try FileBuilder.values(Column(type: 0, attributes: 32), count: 1) {
        var tree = $0.integers([1])
        for _ in 0..<60 { tree = $0.references([Self.number(1), tree, Self.number(1)], .inner) }
        return $0.references([tree])
      }
    }
  }
}
