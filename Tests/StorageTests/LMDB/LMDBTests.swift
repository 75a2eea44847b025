import Foundation
import TestSupport
import Testing

@testable import Storage

/// LMDB's handles, and what is known of its pages.
@Suite struct LMDBTests {
  private func withEnvironment(_ body: (EntryStore, EntryTree) throws -> Void) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let environment = try EntryStore.open(path, mapSize: 1 << 30, options: .withoutSynchronising)
    defer { environment.close() }
    #expect(environment.path == path && environment.mapSize == 1 << 30)
    let transaction = try environment.beginWriting()
    let database = try transaction.openDatabase(nil)
    try transaction.commit()
    try body(environment, database)
  }

  private func key(_ number: Int) -> [UInt8] { Array("key \(number)".utf8) }

  /// Random entries in several transactions, compared with a dictionary.
  @Test(arguments: [41, 42] as [UInt64])
  func entriesAreThoseOfADictionary(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try withEnvironment { environment, database in
      var model: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<20 {
        let transaction = try environment.beginWriting()
        #expect(transaction.version == environment.newestVersion + 1)
        var changed = model
        for _ in 0..<50 {
          let key = key(Int.random(in: 0..<200, using: &random))
          if Int.random(in: 0..<3, using: &random) == 0 {
            try transaction.delete(database, key, key.count)
            changed[key] = nil
          } else {
            let value = [UInt8](repeating: 7, count: Int.random(in: 1..<9_000, using: &random))
            let place = try transaction.reserve(database, key, key.count, size: value.count)
            value.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            changed[key] = value
          }
        }
        if Bool.random(using: &random) {
          transaction.abort()
        } else {
          try transaction.commit()
          model = changed
        }
        let reader = try environment.beginReading()
        defer { reader.abort() }
        #expect(try reader.entryCount(database) == model.count)
        let cursor = try reader.openCursor(database)
        defer { cursor.close() }
        var found: [[UInt8]] = []
        while let entry = try cursor.nextEntry() {
          #expect(model[Array(entry.key)] == Array(entry.value))
          found.append(Array(entry.key))
        }
        #expect(found == model.keys.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(try cursor.lastEntry().map { Array($0.key) } == found.last)
        for (key, value) in model { #expect(reader.get(database, key, key.count).map(Array.init) == value) }
      }
      #expect(model.count > 20)
    }
  }

  @Test func allOfAPrefixAreDeletedAndNoOthers() throws {
    try withEnvironment { environment, database in
      let transaction = try environment.beginWriting()
      for number in 0..<300 {
        let key = key(number)
        _ = try transaction.reserve(database, key, key.count, size: 8, isAppended: false)
      }
      try transaction.deleteAll(database, prefix: key(1))
      try transaction.deleteAll(database, prefix: Array("none".utf8))
      for number in 0..<300 {
        let key = key(number)
        #expect((transaction.get(database, key, key.count) == nil) == "\(number)".hasPrefix("1"))
      }
      try transaction.commit()
    }
  }

  @Test func metaPagesSayWhatLMDBSays() throws {
    try withEnvironment { environment, database in
      for round in 0..<6 {
        let transaction = try environment.beginWriting()
        let key = key(round)
        _ = try transaction.reserve(database, key, key.count, size: 20_000)
        if round > 1 { try transaction.delete(database, self.key(round - 1), self.key(round - 1).count) }
        try transaction.commit()
        let version = environment.newestVersion
        let descriptor = try environment.descriptor
        let meta = try MetaPage(descriptor: descriptor, number: Int(version & 1))
        #expect(meta.isLMDB && meta.fault == nil && meta.version == version)
        #expect(meta.lastPage == UInt64(environment.lastPage))
        #expect(try MetaPage.readVersion(at: version, descriptor: descriptor) == version)
        #expect(try MetaPage.readVersion(at: version + 1, descriptor: descriptor) == version - 1)
        let reader = try environment.beginReading()
        defer { reader.abort() }
        #expect(meta.main.entries == UInt64(try reader.entryCount(database)))
        // A value that has pages of its own.
        let value = try #require(reader.get(database, key, key.count))
        let page = LMDBPage(base: value.baseAddress! - LMDBPage.headerSize)
        #expect(page.kind == LMDBPage.Kind.overflow)
        let size = environment.pageSize
        #expect(page.overflowCount == LMDBPage.overflowCount(valueSize: 20_000, pageSize: size))
        let map = LMDBPage.map(known: value.baseAddress!, pageSize: size)
        #expect(page.base == map + Int(page.number) * size)
        #expect(LMDBPage(base: map + Int(version & 1) * size).kind == LMDBPage.Kind.meta)
        #expect(MetaPage.holds(map, version: version, pageSize: size))
        #expect(!MetaPage.holds(map, version: version + 2, pageSize: size))
        guard round > 1 else { continue }
        let cursor = try reader.openCursor(EntryTree.freePages)
        defer { cursor.close() }
        let entry = try withUnsafeBytes(of: version) { try cursor.entry(at: $0) }
        let freeList = try #require(entry).value
        let list = try #require(FreeList(freeList))
        let freed = (0..<list.count).map { list[$0] }
        #expect(freed.count >= 5 && freed == freed.sorted(by: >))
      }
    }
  }

  @Test func initialMetaPagesAreKnown() throws {
    try withEnvironment { environment, _ in
      var page = [UInt8](repeating: 0, count: MetaPage.size)
      let count = pread(try environment.descriptor, &page, page.count, 0)
      #expect(count == page.count)
      #expect(page.withUnsafeBytes { MetaPage.isInitial($0, number: 0) })
      #expect(!page.withUnsafeBytes { MetaPage.isInitial($0, number: 1) })
      #expect(
        !page.withUnsafeBytes { MetaPage.isInitial(UnsafeRawBufferPointer(rebasing: $0[..<100]), number: 0) })
      page[page.count - 8] = 1
      #expect(!page.withUnsafeBytes { MetaPage.isInitial($0, number: 0) })
    }
  }

  @Test func listsOfFreePagesThatAreTooShortAreNone() {
    func list(_ words: [UInt64], dropping: Int = 0) -> Int? {
      words.withUnsafeBytes { FreeList(UnsafeRawBufferPointer(rebasing: $0.dropLast(dropping)))?.count }
    }
    #expect(list([2, 9, 8]) == 2)
    #expect(list([0]) == 0)
    #expect(list([1, 9, 8]) == 1)
    #expect(list([3, 9, 8]) == nil)
    #expect(list([.max, 9]) == nil)
    #expect(list([2, 9, 8], dropping: 1) == nil)
    #expect(list([0], dropping: 1) == nil)
  }
}
