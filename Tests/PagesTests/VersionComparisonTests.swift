import LibC
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// What two versions share, and what is read of a version that is damaged.
@Suite struct VersionComparisonTests {
  private let folder = ScratchFolder()

  private func makeStore() throws -> PageStore {
    let store = try PageStore(path: folder.path("file.pages"))
    let transaction = try PageTransaction(store)
    for number in 0..<2000 {
      let value = [UInt8](repeating: UInt8(number & 255), count: number % 2 == 0 ? 1000 : 40)
      try key(number).withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
    }
    try transaction.commit(.full)
    return store
  }

  private func change(_ number: Int, _ store: PageStore) throws {
    let transaction = try PageTransaction(store)
    try key(number).withUnsafeBytes { key in
      try [7, 7, 7].withUnsafeBytes { try transaction.set(key, $0) }
    }
    try transaction.commit(.relaxed)
  }

  private func address(_ number: Int, _ version: PageVersion) throws -> UnsafeRawPointer {
    try #require(key(number).withUnsafeBytes { try version.value($0) }?.baseAddress)
  }

  @Test func allButTheChangedLeafIsWhereItWas() throws {
    let store = try makeStore()
    let old = try PageVersion(store)
    try change(1000, store)
    let new = try PageVersion(store)
    let gone = try #require(try GoneExtents(from: old, to: new))
    let unchanged = try (0..<2000).filter { gone.isUnchanged(try address($0, old)) }
    #expect(!unchanged.contains(1000) && unchanged.count > 1900)
    // A value of its own stays although the leaf is written again.
    #expect(unchanged.contains(1002))
    for number in unchanged { #expect(try address(number, old) == address(number, new)) }
    #expect(!gone.isUnchanged(UnsafeRawPointer(bitPattern: 4096)!))
    #expect(try GoneExtents(from: old, to: new, limit: 1) == nil)
    for version in [old, new] { version.release() }
    try store.close()
  }

  @Test func nothingIsGoneFromAVersionToItself() throws {
    let store = try makeStore()
    let version = try PageVersion(store)
    let gone = try #require(try GoneExtents(from: version, to: version))
    #expect(try (0..<2000).allSatisfy { gone.isUnchanged(try address($0, version)) })
    version.release()
    try store.close()
  }

  @Test func aWalkTellsAllEntriesFromAKeyOn() throws {
    let store = try makeStore()
    let version = try PageVersion(store)
    var walk = EntryWalk(version, from: key(700))
    let expected = (0..<2000).map { key($0) }.filter { !$0.lexicographicallyPrecedes(key(700)) }
    var found: [[UInt8]] = []
    while let entry = walk.next() { found.append(Array(entry.key)) }
    #expect(found == expected.sorted { $0.lexicographicallyPrecedes($1) } && walk.faults.isEmpty)
    version.release()
    try store.close()
  }

  /// Damages a leaf and a value, each in turn.
  @Test(arguments: [true, false]) func aWalkLeavesOutWhatCannotBeRead(isNode: Bool) throws {
    try makeStore().close()
    let path = folder.path("file.pages")
    let place: Int
    do {
      let store = try PageStore(path: path)
      let version = try PageVersion(store)
      var node = try version.node(version.root)
      var reference = version.root
      while node.level > 0 {
        reference = node.reference(node.count / 2)
        node = try version.node(reference)
      }
      if !isNode { reference = node.reference((0..<node.count).first { node.hasReference($0) }!) }
      place = Int(reference.unit) * FileLayout.unit + 300
      version.release()
      try store.close()
    }
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, [0x5A as UInt8, 0x5A], 2, off_t(place)) == 2)
    close(descriptor)
    // To write to it, all nodes with values of their own have to be read.
    let version = try PageViewer(path: path).hold()
    var walk = EntryWalk(version)
    var count = 0
    while walk.next() != nil { count += 1 }
    #expect(walk.faults.count == 1)
    #expect(isNode ? count < 2000 && count > 1900 : count == 1999)
    version.release()
  }
}
