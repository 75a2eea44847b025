import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Files whose checksums are right and that no program of ours has made: each is refused by name, or is what it says.
@Suite struct ForgedFileTests {
  private let folder = ScratchFolder()

  private func use(_ path: String) throws -> [UInt8]? {
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    let value = try PageVersion.with(store) { version in
      try [UInt8(1)].withUnsafeBytes { try version.value($0).map(Array.init) }
    }
    for number in 0..<60 {
      let transaction = try PageTransaction(store)
      try [UInt8(2 + number & 3)].withUnsafeBytes { try transaction.set($0, $0) }
      try transaction.commit(.full)
    }
    return value
  }

  private func expectDamage(
    _ form: String, _ make: (inout ForgedFile) -> Reference, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = folder.path("\(UUID()).pages")
    var file = ForgedFile()
    let root = make(&file)
    try file.write(path, root: root)
    let unit = root.unit
    #expect(throws: PageError.damaged("\(form) \(unit)"), sourceLocation: sourceLocation) {
      try use(path)
    }
  }

  @Test func aFileMayBeMadeByHand() throws {
    let path = folder.path("sound.pages")
    var file = ForgedFile()
    let value = file.add([UInt8](repeating: 1, count: 40_000), .isValue)
    let root = file.add(ForgedFile.node(level: 0, [([1], .reference(value))]))
    try file.write(path, root: root)
    #expect(try use(path) == [UInt8](repeating: 1, count: 40_000))
  }

  @Test func entriesThatLieInEachOther() throws {
    try expectDamage("the form of the node at unit") { file in
      var node = ForgedFile.node(
        level: 0, [([1], .bytes([0, 1, 0, 3, 0, 1, 2, 2, 2, 2, 2])), ([2], .bytes([1]))])
      node[Node.headerSize + 2] = 6
      return file.add(node, .hasNoExtents)
    }
  }

  @Test func twoEntriesInOnePlace() throws {
    try expectDamage("the form of the node at unit") { file in
      var node = ForgedFile.node(level: 0, [([1], .bytes([1])), ([2], .bytes([1]))])
      node[Node.headerSize + 2] = 0
      return file.add(node, .hasNoExtents)
    }
  }

  @Test func aGapBetweenEntries() throws {
    try expectDamage("the form of the node at unit") { file in
      var node = ForgedFile.node(level: 0, [([1], .bytes([1, 2, 3, 4, 5]))])
      node[Node.headerSize + 4] = 4
      return file.add(node, .hasNoExtents)
    }
  }

  @Test func keysThatArePartlyInThePrefix() throws {
    let path = folder.path("prefix.pages")
    var file = ForgedFile()
    let low = file.add(ForgedFile.node(level: 0, [([0], .bytes([9]))]), .hasNoExtents)
    let high = file.add(
      ForgedFile.node(level: 0, prefix: [1], [([], .bytes([1])), ([5], .bytes([2]))]), .hasNoExtents)
    let root = file.add(
      ForgedFile.node(level: 1, prefix: [1], [([7, 7], .reference(low)), ([], .reference(high))]))
    try file.write(path, root: root)
    #expect(try use(path) == [1])
  }

  /// The first key and the last one have a prefix in common that the one between them does not have.
  @Test func keysInNoOrder() throws {
    let path = folder.path("order.pages")
    var file = ForgedFile()
    let root = file.add(
      ForgedFile.node(level: 0, [([9, 9, 9], .bytes([])), ([1], .bytes([])), ([9, 9, 9, 1], .bytes([]))]),
      .hasNoExtents)
    try file.write(path, root: root)
    #expect(try use(path) == [])
  }

  @Test func aPrefixThatIsLongerThanItsNode() throws {
    try expectDamage("the form of the node at unit") { file in
      var node = ForgedFile.node(level: 0, [([1], .bytes([1])), ([2], .bytes([1]))])
      node[3] = 200
      return file.add(node, .hasNoExtents)
    }
  }

  @Test func aPrefixThatMakesAKeyTooLong() throws {
    try expectDamage("the form of the node at unit") { file in
      let rest = [UInt8](repeating: 1, count: 501)
      return file.add(
        ForgedFile.node(level: 0, prefix: [UInt8](repeating: 1, count: 12), [(rest, .bytes([]))]),
        .hasNoExtents)
    }
  }

  /// A transaction would copy whole keys to memory that is too small.
  @Test func aPrefixThatMakesItsNodeTooLarge() throws {
    try expectDamage("the form of the node at unit") { file in
      let entries = (0..<200).map { (key: [UInt8($0)], content: ForgedFile.Content.bytes([])) }
      return file.add(
        ForgedFile.node(level: 0, prefix: [UInt8](repeating: 1, count: 250), entries), .hasNoExtents)
    }
  }

  /// Its space would be used again while it is read.
  @Test func anExtentOfALaterVersionThanItsNode() throws {
    try expectDamage("the form of the node at unit") { file in
      let value = file.add([UInt8](repeating: 1, count: 40_000), .isValue, version: 2)
      return file.add(ForgedFile.node(level: 0, [([1], .reference(value))]))
    }
  }

  @Test func aNodeThatSaysThatItHasNoExtents() throws {
    try expectDamage("the form of the node at unit") { file in
      let value = file.add([UInt8](repeating: 1, count: 40_000), .isValue)
      return file.add(ForgedFile.node(level: 0, [([1], .reference(value))]), .hasNoExtents)
    }
  }

  /// Two references to one node, of which one says what the other one does not, so that a value counts as free.
  @Test func aNodeWithTwoReferences() throws {
    let path = folder.path("two.pages")
    var file = ForgedFile()
    let value = file.add([UInt8](repeating: 1, count: 40_000), .isValue)
    let leaf = file.add(ForgedFile.node(level: 0, [([1], .reference(value))]))
    var hiding = leaf
    hiding.flags = .hasNoExtents
    let root = file.add(
      ForgedFile.node(level: 1, [([], .reference(leaf)), ([2], .reference(hiding))]))
    try file.write(path, root: root)
    #expect(throws: PageError.damaged("extents overlap")) { try use(path) }
  }

  /// A reference to the unit of another one, made so that it would have its mark in some process.
  private func made(_ forged: Reference, likeMarkOf other: Reference) throws -> Reference {
    let marks = try SoundMarks(limit: 1 << 28)
    var forged = forged
    forged.sum = Checksum128()
    let low = UInt64(marks.mark(of: forged) ^ marks.mark(of: other))
    [low, 7].withUnsafeBytes { forged.sum = Checksum128(at: $0.baseAddress!) }
    #expect(marks.mark(of: forged) == marks.mark(of: other))
    return forged
  }

  /// One that was verified does not vouch for another one of the same unit.
  @Test func aReferenceToMoreThanWasVerified() throws {
    let path = folder.path("longer.pages")
    var file = ForgedFile()
    let value = file.add([UInt8](repeating: 1, count: 1000), .isValue)
    var long = value
    long.length = 20_000
    long = try made(long, likeMarkOf: value)
    let root = file.add(ForgedFile.node(level: 0, [([1], .reference(value)), ([2], .reference(long))]))
    _ = file.add([UInt8](repeating: 2, count: 40_000))
    try file.write(path, root: root)
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    try PageVersion.with(store) { version in
      let count = try [UInt8(1)].withUnsafeBytes { try version.value($0)?.count }
      #expect(count == 1000)
      #expect(throws: PageError.damaged("the checksum of unit \(value.unit)")) {
        try [UInt8(2)].withUnsafeBytes { _ = try version.value($0) }
      }
    }
  }

  /// A transaction would copy it to memory that is too small.
  @Test func aValueThatIsSaidToBeANode() throws {
    let path = folder.path("value.pages")
    var file = ForgedFile()
    let bytes = ForgedFile.node(level: 0, [([2], .bytes([UInt8](repeating: 0x41, count: 30_000)))])
    let value = file.add(bytes, .isValue)
    var node = value
    node.flags = .hasNoExtents
    node = try made(node, likeMarkOf: value)
    let leaf = file.add(ForgedFile.node(level: 0, [([1], .reference(value))]))
    let root = file.add(ForgedFile.node(level: 1, [([], .reference(leaf)), ([2], .reference(node))]))
    try file.write(path, root: root)
    let viewer = try PageViewer(path: path)
    let version = try viewer.hold()
    defer { version.release() }
    let count = try [UInt8(1)].withUnsafeBytes { try version.value($0)?.count }
    #expect(count == bytes.count)
    #expect(throws: PageError.damaged("the checksum of unit \(value.unit)")) {
      try [UInt8(2)].withUnsafeBytes { _ = try version.value($0) }
    }
  }

  /// Its space would be used again when one of two that have it gives it up, or the space of the next commit.
  @Test(arguments: 0..<3) func anExtentThatLiesInAnother(kind: Int) throws {
    let path = folder.path("\(kind).pages")
    var file = ForgedFile()
    let value = file.add([UInt8](repeating: 1, count: 40_000), .isValue)
    var other = value
    if kind == 1 {
      (other.unit, other.length) = (value.unit + 4, 600)
      other.sum = [UInt8](repeating: 1, count: 600).withUnsafeBytes {
        Checksum128(of: $0.baseAddress!, count: 600)
      }
    }
    let content: ForgedFile.Content = kind == 2 ? .bytes([2]) : .reference(other)
    let root = file.add(ForgedFile.node(level: 0, [([1], .reference(value)), ([2], content)]))
    try file.write(path, root: root) { if kind == 2 { $0.next = value.unit & ~7 } }
    #expect(throws: PageError.damaged("extents overlap")) { try use(path) }
  }

  /// Whatever the order of a leaf's keys is, writing to it touches nothing but the transaction's own memory.
  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1)) func leavesInNoOrderAreWrittenTo(
    seed: UInt64
  ) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for number in 0..<200 {
      let path = folder.path("\(seed)-\(number).pages")
      var file = ForgedFile()
      var branch: [(key: [UInt8], content: ForgedFile.Content)] = []
      for low in [0, 10, 20] as [UInt8] {
        let keys = (low..<low + 6).map { [$0 &+ UInt8.random(in: 0...30, using: &random)] }
        let entries = keys.map { ($0, ForgedFile.Content.bytes([UInt8](repeating: 1, count: 240))) }
        branch.append(
          (low == 0 ? [] : [low], .reference(file.add(ForgedFile.node(level: 0, entries), .hasNoExtents))))
      }
      let root = file.add(ForgedFile.node(level: 1, branch))
      try file.write(path, root: root)
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 24))
      do {
        for _ in 0..<4 {
          let transaction = try PageTransaction(store)
          for _ in 0..<6 {
            let key = [UInt8.random(in: 0...60, using: &random)]
            let value = [UInt8](repeating: 2, count: Int.random(in: 1...470, using: &random))
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
          }
          try transaction.commit(.relaxed)
        }
      } catch PageError.damaged {}
    }
  }

  /// Makes a file with 40 to the power of 11 ways to a leaf. Returns its root.
  private func addMeetingBranches(_ file: inout ForgedFile) -> Reference {
    var child = file.add(ForgedFile.node(level: 0, [([1], .bytes([1]))]), .hasNoExtents)
    for level in 1..<12 {
      child = file.add(ForgedFile.node(level: level, (0..<40).map { ([UInt8($0)], .reference(child)) }))
    }
    return child
  }

  @Test func aWalkOverBranchesThatMeetEnds() throws {
    let path = folder.path("walk.pages")
    var file = ForgedFile()
    let root = addMeetingBranches(&file)
    _ = file.add([UInt8](repeating: 0, count: FileLayout.block))
    try file.write(path, root: root)
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    try PageVersion.with(store) { version in
      for forward in [true, false] {
        var cursor = PageCursor(.version(version))
        let isThere = forward ? try cursor.moveToFirst() : try cursor.moveToLast()
        #expect(isThere)
        #expect(throws: PageError.damaged("keys that are not in order")) {
          for _ in 0..<2 { _ = forward ? try cursor.moveToNext() : try cursor.moveToPrevious() }
        }
      }
      var walk = EntryWalk(version)
      var count = 0
      while walk.next() != nil { count += 1 }
      let limit = try 2 * version.fileSize / FileLayout.unit
      #expect(count <= limit)
      #expect(walk.faults == ["branches that meet: the file has no space for as many nodes"])
    }
  }

  @Test func aTreeWhoseBranchesMeetIsRefused() throws {
    let path = folder.path("meet.pages")
    var file = ForgedFile()
    let root = addMeetingBranches(&file)
    // Of a copy everything is verified when it is opened, each node once.
    try file.write(path, root: root) {
      $0.file = FileIdentity(device: $0.file.device, inode: $0.file.inode + 1)
    }
    #expect(throws: PageError.damaged("extents overlap")) {
      try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    }
  }
}
