import LibC
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// What was decrypted stays where a reader has found it, until the reader releases it, and is evicted afterwards.
@Suite struct DecryptedMemoryTests {
  private let folder = ScratchFolder()

  private func open(_ name: String, decryptedLimit: Int) throws -> PageStore {
    let path = folder.path(name + "-sealed.pages")
    return try PageStore(
      path: path,
      options: .init(mapLimit: 1 << 28, key: encryptionKey(path), decryptedLimit: decryptedLimit))
  }

  /// Number of bytes of decrypted memory that the system has given to the process.
  private func residentSize(_ store: PageStore) throws -> Int {
    let decrypted = try #require(store.map.decrypted)
    let pages = try (store.file.size + 4095) / 4096
    var isResident = [UInt8](repeating: 0, count: pages)
    try #require(mincore(decrypted.base, pages * 4096, &isResident) == 0)
    return isResident.reduce(0) { $0 + Int($1 & 1) } * 4096
  }

  private func set(_ store: PageStore, _ values: [Int: TestValue]) throws {
    let transaction = try PageTransaction(store)
    for (number, value) in values {
      try key(number).withUnsafeBytes { value.write(try transaction.reserve($0, value.size)) }
    }
    try transaction.commit(.relaxed)
  }

  /// A version that is held, what it contains, and addresses that it has given.
  private final class Reader {
    var version: PageVersion
    var contents: TestContents
    var found: [(number: Int, bytes: UnsafeRawBufferPointer)] = []

    init(_ store: PageStore, _ contents: [UInt64: TestContents]) throws {
      version = try PageVersion(store)
      self.contents = contents[version.version]!
    }

    func read(_ number: Int) throws {
      let bytes = try key(number).withUnsafeBytes { try version.value($0) }
      guard let value = contents[number] else {
        if bytes != nil { throw WrongContents("entry \(number) should not be there") }
        return
      }
      guard let bytes, value.matches(bytes) else { throw WrongContents("the value of \(number)") }
      found.append((number, bytes))
    }

    func check() throws {
      for (number, bytes) in found where contents[number]?.matches(bytes) != true {
        throw WrongContents("the value of \(number) that was found before")
      }
    }

    /// Keeps the addresses of what both versions have.
    func move(_ store: PageStore, _ all: [UInt64: TestContents]) throws {
      let next = try PageVersion(store)
      let nextContents = all[next.version]!
      var changed: Set<Int> = []
      try VersionDifferences.forEachKey(version, next) { key, _ in changed.insert(number(ofKey: key)) }
      found.removeAll { changed.contains($0.number) }
      version.release(movingTo: next)
      (version, contents) = (next, nextContents)
    }
  }

  @Test(arguments: [0, 40_000, 1 << 20]) func addressesHoldUntilTheyAreReleased(decryptedLimit: Int) throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let store = try open("held-\(decryptedLimit)", decryptedLimit: decryptedLimit)
    var (all, readers) = ([UInt64(1): TestContents()], [Reader]())
    var contents: TestContents = [:]
    for step in 0..<TestLength.count(3000, long: 60_000) {
      switch below(10) {
      case 0:
        var changes: TestContents = [:]
        for _ in 0..<1 + below(8) {
          let size = 8 + (below(3) == 0 ? below(40_000) : below(700))
          changes[below(150)] = TestValue(stamp: UInt32(step), size: size)
        }
        contents.merge(changes) { $1 }
        try set(store, changes)
        all[store.memory[.newest]] = contents
      case 1 where readers.count < 5: readers.append(try Reader(store, all))
      case 2 where readers.count > 2: readers.remove(at: below(readers.count)).version.release()
      case 3:
        guard let reader = readers.randomElement(using: &random) else { continue }
        if reader.version.releaseDecrypted(beyond: below(2) * 100_000) { reader.found = [] }
      case 4: try readers.randomElement(using: &random)?.move(store, all)
      default: try readers.randomElement(using: &random)?.read(below(150))
      }
      for reader in readers { try reader.check() }
    }
    for reader in readers { reader.version.release() }
    #expect(try residentSize(store) <= decryptedLimit)
    try store.close()
  }

  @Test func memoryIsWhatReadersPinAndTheLimit() throws {
    let limit = 1 << 20
    let store = try open("size", decryptedLimit: limit)
    let contents = Dictionary(
      uniqueKeysWithValues: (0..<3000).map { ($0, TestValue(stamp: UInt32($0), size: 2000 + $0 % 3000)) })
    try set(store, contents)
    let version = try PageVersion(store)
    try check(.version(version), contents)
    let whole = try residentSize(store)
    #expect(whole > 8 * limit)
    // Another reader that touches the same keeps nothing of it.
    let other = try PageVersion(store)
    try check(.version(other), contents)
    other.release()
    #expect(try residentSize(store) == whole)
    #expect(version.releaseDecrypted(beyond: limit))
    #expect(try residentSize(store) <= limit)
    var cursor = PageCursor(.version(version))
    var (isThere, count, largest) = (try cursor.moveToFirst(), 0, 0)
    while isThere {
      #expect(contents[number(ofKey: cursor.key)]?.matches(try cursor.value()) == true)
      try cursor.releaseDecrypted(beyond: limit)
      #expect(contents[number(ofKey: cursor.key)]?.matches(try cursor.value()) == true)
      if count % 100 == 0 { largest = max(largest, try residentSize(store)) }
      count += 1
      isThere = try cursor.moveToNext()
    }
    #expect(count == contents.count)
    #expect(largest > limit && largest <= 2 * limit + 100_000)
    version.release()
    #expect(try residentSize(store) <= limit)
    try store.close()
  }

  /// An extent reaches into the next block. When that one is evicted, another extent may begin where the first one did.
  @Test(arguments: [false, true]) func evictingABlockClearsTheMarkOfTheExtentThatReachesIntoIt(
    isReplaced: Bool
  ) throws {
    let marks = try SoundMarks(limit: 1 << 22)
    let memory = try DecryptedMemory(marks, limit: 1 << 22, idleLimit: 0)
    var extent = Reference()
    let unit = memory.blockSize / FileLayout.unit - 1
    (extent.unit, extent.length) = (UInt64(unit), 1000)
    try #require(memory.blocks(extent) == 0...1)
    let (reader, other) = (try memory.makePins(), try memory.makePins())
    memory.pin(0...1, for: reader)
    memory.pin(0...0, for: other)
    memory.noteDecrypted(extent, mark: 7)
    marks[unit].pointee.store(isReplaced ? 9 : 7, ordering: .relaxed)
    memory.free(reader)
    #expect(marks[unit].pointee.load(ordering: .relaxed) == (isReplaced ? 9 : 0))
    memory.free(other)
    #expect(marks[unit].pointee.load(ordering: .relaxed) == 0)
  }

  /// What a transaction has given is used in its next change.
  @Test(arguments: [0, 100_000]) func aTransactionOfManyChangesKeepsLittle(decryptedLimit: Int) throws {
    let store = try open("transaction-\(decryptedLimit)", decryptedLimit: decryptedLimit)
    var contents = Dictionary(
      uniqueKeysWithValues: (0..<2000).map { ($0, TestValue(stamp: UInt32($0), size: 2000 + $0 % 3000)) })
    try set(store, contents)
    let transaction = try PageTransaction(store)
    var largest = 0
    for number in 0..<2000 {
      var cursor = PageCursor(.transaction(transaction))
      #expect(try key(number).withUnsafeBytes { try cursor.move(toOrAfter: $0) })
      if number % 3 == 0 {
        try cursor.key.withUnsafeBytes { _ = try transaction.remove($0) }
        contents[number] = nil
      } else if number % 3 == 1 {
        let value = try cursor.value()
        try key(number + 10_000).withUnsafeBytes { try transaction.set($0, value) }
        contents[number + 10_000] = contents[number]
      } else {
        try cursor.releaseDecrypted(beyond: 0)
        #expect(contents[number]?.matches(try cursor.value()) == true)
      }
      if number % 50 == 0 { largest = max(largest, try residentSize(store)) }
    }
    #expect(largest <= 2 * decryptedLimit + 100_000)
    try check(.transaction(transaction), contents)
    try transaction.commit(.full)
    try PageVersion.with(store) { try check(.version($0), contents) }
    try store.close()
  }

  @Test func verifyingAWholeCopyKeepsNothing() throws {
    var store = try open("original", decryptedLimit: 0)
    let contents = Dictionary(
      uniqueKeysWithValues: (0..<2000).map { ($0, TestValue(stamp: UInt32($0), size: 3000)) })
    try set(store, contents)
    try store.close()
    let copy = folder.path("copy-sealed.pages")
    rename(folder.path("original-sealed.pages"), copy + "-original")
    let source = try DiskFile(path: copy + "-original", O_RDONLY, watcher: nil)
    let target = try DiskFile(path: copy, O_RDWR | O_CREAT, watcher: nil)
    try source.bytes(source.size, at: 0).withUnsafeBytes { try target.write($0, at: 0) }
    store = try open("copy", decryptedLimit: 0)
    #expect(try residentSize(store) == 0)
    try PageVersion.with(store) { try check(.version($0), contents) }
    #expect(try residentSize(store) == 0)
    try store.close()
  }

  /// What has no extents below it is not read to find out what space is in use.
  @Test func openingDecryptsNoLeavesOfSmallValues() throws {
    var store = try open("small", decryptedLimit: 32 << 20)
    let contents = Dictionary(
      uniqueKeysWithValues: (0..<20_000).map { ($0, TestValue(stamp: UInt32($0), size: 60)) })
    try set(store, contents)
    try store.close()
    store = try open("small", decryptedLimit: 32 << 20)
    // The blocks of the branches.
    #expect(try residentSize(store) < 500_000)
    try PageVersion.with(store) { try check(.version($0), contents) }
    #expect(try residentSize(store) > 1_600_000)
    try store.close()
  }

  /// The system returns no memory that is locked: it is decrypted again over what is there.
  @Test func memoryThatCannotBeReturned() throws {
    let store = try open("locked", decryptedLimit: 0)
    let contents = [1: TestValue(stamp: 1, size: 3000), 2: TestValue(stamp: 2, size: 20_000)]
    try set(store, contents)
    let base = try #require(store.map.decrypted).base
    guard mlock(base, 64 << 10) == 0 else { return }
    for _ in 0..<3 { try PageVersion.with(store) { try check(.version($0), contents) } }
    munlock(base, 64 << 10)
    try store.close()
  }

  /// Another program has cut the file off: what is read again is damaged, and nothing reads behind the end.
  @Test func aFileThatIsCutOffMeanwhile() throws {
    let store = try open("cut", decryptedLimit: 0)
    let contents = Dictionary(
      uniqueKeysWithValues: (0..<100).map { ($0, TestValue(stamp: UInt32($0), size: 3000)) })
    try set(store, contents)
    let version = try PageVersion(store)
    try check(.version(version), contents)
    var cursor = PageCursor(.version(version))
    #expect(try cursor.moveToFirst())
    try #require(
      truncate(folder.path("cut-sealed.pages"), off_t(FileLayout.firstUnit * FileLayout.unit)) == 0)
    try check(.version(version), contents)
    #expect(throws: PageError.damaged("the checksum of unit \(version.root.unit)")) {
      try cursor.releaseDecrypted(beyond: 0)
    }
    #expect(!cursor.isAtEntry)
    version.release()
  }

  @Test func aChildOfForkReadsWhatItsParentHadPinned() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = ScratchFolder()
      let path = folder.path("fork-sealed.pages")
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let store = try PageStore(
        path: path, options: .init(mapLimit: 1 << 28, key: encryptionKey(path), decryptedLimit: 0))
      for _ in 0..<200 { try ScriptedTransactions.perform(store, .relaxed) }
      var script = ScriptedTransactions()
      let version = try PageVersion(store)
      try script.check(version)
      let other = try PageVersion(store)
      var pipe: [Int32] = [0, 0]
      guard LibC.pipe(&pipe) == 0 else { _exit(11) }
      let child = fork()
      if child == 0 {
        do {
          var byte: UInt8 = 0
          _ = LibC.read(pipe[0], &byte, 1)
          if version.releaseDecrypted(beyond: 0) { _exit(7) }
          try script.check(version)
          version.release()
          try script.check(version)
        } catch { _exit(8) }
        do {
          try script.check(other)
        } catch PageError.forked { _exit(4) } catch { _exit(9) }
        _exit(10)
      }
      // Evicts what the child shares with it.
      version.release()
      for _ in 0..<200 { try ScriptedTransactions.perform(store, .relaxed) }
      try PageVersion.with(store) { _ = try script.check($0) }
      _ = LibC.write(pipe[1], "1", 1)
      var status: Int32 = 0
      waitpid(child, &status, 0)
      _exit(status == 4 << 8 ? 0 : status >> 8 & 255)
    }
  }
}
