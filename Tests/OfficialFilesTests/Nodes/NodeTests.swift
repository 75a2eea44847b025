import Testing

@testable import OfficialFiles

/// Nodes that no engine writes are refused before anything is believed.
struct NodeTests {
  typealias Column = FileBuilder.Column

  /// Opens a file with a table whose leaf is made by the closure.
  private func open(_ count: Int = 1, _ leaf: (inout FileBuilder) -> Int) throws {
    _ = try FileBuilder.values(Column(type: 4), count: count, leaf)
  }

  @Test func aNodeWithTwoParents() {
    expectDamage("two nodes") {
      try open(2) {
        let blob = $0.blob([1])
        return $0.references([blob, blob], .context)
      }
    }
  }

  @Test func aCycle() {
    expectDamage("two nodes") {
      // The node that comes next is its own child.
      try open { $0.references([$0.bytes.count], .context) }
    }
  }

  @Test func nodesThatOverlap() {
    expectDamage("two nodes") {
      try open(2) {
        let inner = $0.blob([1])
        // Its payload holds what would be a header, too.
        let outer = $0.node(.noWidth, count: 16, [0, 0, 0, 0, 0x10, 0, 0, 0] + Array(repeating: 0, count: 8))
        _ = inner
        return $0.references([outer, outer + 8], .context)
      }
    }
  }

  @Test(arguments: [4, 16, 25, -8, 1 << 40]) func referencesThatLeadNowhere(reference: Int) {
    expectDamage("reference") { try open { $0.references([reference], .context) } }
  }

  @Test func anUnknownKind() {
    expectDamage("unknown kind") {
      try open {
        let strange = $0.node([.byteWidths, .noWidth], count: 1, [1])
        return $0.references([strange], .context)
      }
    }
  }

  @Test func aNodeThatEndsBehindTheFile() {
    expectDamage("does not end") {
      try open {
        let long = $0.node(.noWidth, count: 0xFF_FFFF, [1])
        return $0.references([long], .context)
      }
    }
  }

  /// Eight bytes can claim sixteen million elements.
  @Test func elementsThatNeedNoBytes() {
    expectDamage("16777215 elements in no bytes") {
      try open { $0.node([.references, .context], count: 0xFF_FFFF) }
    }
    let many = 60_000
    expectDamage("values for 1 objects") { try open { $0.node([.references, .context], count: many) } }
    expectDamage("a leaf of") {
      _ = try FileBuilder.values(Column(type: 0, attributes: 32), count: 1) {
        let list = $0.node([], count: many)
        return $0.references([list])
      }
    }
    expectDamage("a cluster of") {
      var builder = FileBuilder()
      let keys = builder.node([], count: many)
      let table = builder.table([Column(type: 0)], clusters: builder.references([keys, 0]))
      _ = try OfficialFile(builder.file([("class_A", table)])).readAll()
    }
    expectDamage("a cluster of") {
      var builder = FileBuilder()
      let table = builder.table([], clusters: builder.cluster(count: 1 << 40, []))
      _ = try OfficialFile(builder.file([("class_A", table)])).readAll()
    }
    expectDamage("names") {
      var builder = FileBuilder()
      let names = builder.node(.byteWidths, count: many)
      let tables = builder.node(.references, count: 0)
      let top = builder.references([names, tables, FileBuilder.number(builder.bytes.count + 32)])
      _ = try OfficialFile(builder.finish(top: top))
    }
  }

  @Test func chainsDoNotUseTheStack() {
    expectDamage("nested too deeply") {
      try open {
        var last = $0.blob([1])
        for _ in 0..<70_000 { last = $0.references([last], .context) }
        return last
      }
    }
  }
}
