import LibC
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Entries of all sizes in any order, found by key and by cursors in both directions.
@Suite struct PageTreeTests {
  private let folder = ScratchFolder()

  private func open() throws -> PageStore {
    try PageStore(path: folder.path("tree.pages"), options: .init(mapLimit: 1 << 31))
  }

  /// Keys of 1 to 512 bytes that have much in common.
  private func randomKey(_ random: inout SeededGenerator) -> [UInt8] {
    if Int.random(in: 0..<4, using: &random) == 0 {
      let common = [UInt8](repeating: 7, count: [50, 254, 255, 256, 400].randomElement(using: &random)!)
      return common
        + (0..<Int.random(in: 0...4, using: &random)).map { _ in .random(in: 5..<9, using: &random) }
    }
    let limit = [3, 20, 512][Int.random(in: 0..<3, using: &random)]
    return (0..<Int.random(in: 1...limit, using: &random)).map { _ in
      UInt8.random(in: 0..<10, using: &random) == 0 ? UInt8.random(in: 0...255, using: &random) : 7
    }
  }

  @Test func entriesOfAllSizesAreFound() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    let store = try open()
    var model: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<TestLength.count(60, long: 2000) {
      let transaction = try PageTransaction(store)
      for _ in 0..<Int.random(in: 1..<100, using: &random) {
        let key =
          Int.random(in: 0..<3, using: &random) == 0
          ? model.keys.randomElement(using: &random) ?? [1] : randomKey(&random)
        if Int.random(in: 0..<3, using: &random) == 0 {
          let existed = try key.withUnsafeBytes { try transaction.remove($0) }
          #expect(existed == (model.removeValue(forKey: key) != nil))
          continue
        }
        let sizes = [
          0, 1, 30, Node.inlineLimit - 1, Node.inlineLimit, Node.inlineLimit + 1, 511, 512, 513, 5000,
        ]
        let value = [UInt8](
          repeating: .random(in: 0...255, using: &random), count: sizes.randomElement(using: &random)!)
        try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
        model[key] = value
      }
      try compare(.transaction(transaction), model, &random)
      try transaction.commit(.relaxed)
      try PageVersion.with(store) { try compare(.version($0), model, &random) }
    }
    try store.close()
  }

  /// Most keys are above all others, which are found without a search.
  @Test func entriesInOrderAndBetweenThemAreFound() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    let store = try open()
    var model: [[UInt8]: [UInt8]] = [:]
    var last = 0
    for _ in 0..<TestLength.count(30, long: 1000) {
      let transaction = try PageTransaction(store)
      for _ in 0..<Int.random(in: 1..<300, using: &random) {
        let step = Int.random(in: 0..<20, using: &random)
        let chosen = [key(last), key(Int.random(in: 0...last, using: &random))][step & 1]
        if step < 2 {
          let existed = try chosen.withUnsafeBytes { try transaction.remove($0) }
          #expect(existed == (model.removeValue(forKey: chosen) != nil))
          continue
        }
        last += step < 6 ? 0 : Int.random(in: 1..<1000, using: &random)
        let key = step < 6 ? chosen : key(last)
        let value = [UInt8](
          repeating: .random(in: 0...255, using: &random), count: .random(in: 0..<600, using: &random))
        try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
        model[key] = value
      }
      try compare(.transaction(transaction), model, &random)
      try transaction.commit(.relaxed)
    }
    try store.close()
  }

  private func compare(
    _ source: PageSource, _ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator
  ) throws {
    let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var cursor = PageCursor(source)
    #expect(try cursor.moveToFirst() == !keys.isEmpty)
    for (index, key) in keys.enumerated() {
      #expect(cursor.key == key)
      #expect(Array(try cursor.value()) == model[key])
      #expect(try cursor.moveToNext() == (index < keys.count - 1))
    }
    #expect(try cursor.moveToLast() == !keys.isEmpty)
    for (index, key) in keys.reversed().enumerated() {
      #expect(cursor.key == key)
      #expect(try cursor.moveToPrevious() == (index < keys.count - 1))
    }
    for _ in 0..<20 {
      let sought = randomKey(&random)
      let expected = keys.first { !$0.lexicographicallyPrecedes(sought) }
      let isFound = try sought.withUnsafeBytes { try cursor.move(toOrAfter: $0) }
      #expect(isFound == (expected != nil))
      if isFound { #expect(cursor.key == expected) }
    }
  }

  /// In no order, so that many nodes are changed again after they were written; and in order.
  @Test(arguments: [(step: 7919, size: 9, count: 150_000), (step: 1, size: 400, count: 50_000)])
  func aLargeTransactionIsWrittenInPieces(step: Int, size: Int, count: Int) throws {
    let store = try PageStore(
      path: folder.path("large-\(step).pages"), options: .init(mapLimit: 1 << 31))
    let transaction = try PageTransaction(store)
    let count = TestLength.count(count, long: 10 * count)
    let value = [UInt8](repeating: 1, count: size)
    for number in 0..<count {
      try key(number &* step % count).withUnsafeBytes { key in
        try value.withUnsafeBytes { try transaction.set(key, $0) }
      }
    }
    #expect(transaction.nodes.usedCount <= 8192 + 64)
    try transaction.commit(.full)
    let contents = try PageVersion.with(store) { version in
      var cursor = PageCursor(.version(version))
      var found = 0
      var isThere = try cursor.moveToFirst()
      while isThere {
        #expect(number(ofKey: cursor.key) == found)
        found += 1
        isThere = try cursor.moveToNext()
      }
      return found
    }
    #expect(contents == count)
    try store.close()
  }

  /// Keys of 13 bytes that have most in common, as they are of columns: in 7,300 values of 4,000 bytes one is replaced.
  @Test func aSmallCommitWritesShortNodes() throws {
    let counter = WrittenBytes()
    let store = try PageStore(
      path: folder.path("small.pages"), options: .init(mapLimit: 1 << 31, watcher: counter))
    func set(_ numbers: some Sequence<Int>) throws {
      let transaction = try PageTransaction(store)
      for number in numbers {
        try ([9, 0, 0, 0] + key(number)).withUnsafeBytes { _ = try transaction.reserve($0, 4000) }
      }
      try transaction.commit(.relaxed)
    }
    try set(0..<7300)
    counter.count = 0
    for number in 0..<100 { try set(CollectionOfOne(number * 73)) }
    // The value, the record, a root of few entries, and two nodes of three units.
    #expect(counter.count <= 100 * (4096 + 512 + 512 + 2 * 1536))
    try store.close()
  }

  /// The first transaction after the opening notes what is in use. Before, it is counted, while another store may write.
  @Test(arguments: ["used.pages", "used-sealed.pages"])
  func theSizeInUseIsKnownBeforeATransaction(name: String) throws {
    let path = folder.path(name)
    let options = PageStore.Options(mapLimit: 1 << 31, key: encryptionKey(path), hasWriterLock: true)
    let store = try PageStore(path: path, options: options)
    for step in 0..<10 {
      let transaction = try PageTransaction(store)
      for number in 0..<500 {
        try key(number * (step + 1)).withUnsafeBytes { _ = try transaction.reserve($0, 100 + 7 * number) }
      }
      try transaction.commit(.full)
    }
    try store.close()
    let opened = try PageStore(path: path, options: options)
    let counted = opened.usedSize
    #expect(opened.memory[.spaceUnknown] != 0)
    let transaction = try PageTransaction(opened)
    #expect(opened.memory[.spaceUnknown] == 0)
    transaction.abort()
    // Records of the last commits may be in use as well.
    #expect(0...10 ~= (opened.usedSize - counted) / FileLayout.unit && counted < opened.end)
    try opened.close()
  }

  @Test func unstorableKeysAreRefused() throws {
    let store = try open()
    let transaction = try PageTransaction(store)
    for key in [[], [UInt8](repeating: 1, count: 513)] {
      #expect(throws: PageError.unstorable) { try key.withUnsafeBytes { try transaction.set($0, $0) } }
    }
    transaction.abort()
    try store.close()
  }

  @Test func aFileThatIsNoneOfPagesIsRefused() throws {
    let path = folder.path("other.pages")
    for content in [[UInt8](repeating: 1, count: 100), [UInt8](repeating: 0, count: 20_000)] {
      let descriptor = LibC.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      #expect(write(descriptor, content, content.count) == content.count)
      close(descriptor)
      #expect(throws: PageError.notPages) { try PageStore(path: path) }
      // And it stays what it was.
      let file = LibC.open(path, O_RDONLY)
      #expect(lseek(file, 0, SEEK_END) == content.count)
      close(file)
    }
  }
}

/// Counts what a store writes to its file.
private final class WrittenBytes: StoreWatcher {
  var count = 0

  func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) { count += bytes.count }
  func willSynchronise() throws(PageError) {}
  func didSynchronise() {}
  func willStore() {}
}
