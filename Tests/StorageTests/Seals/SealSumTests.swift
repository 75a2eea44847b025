import Foundation
import TestSupport
import Testing

@testable import Storage

/// Values that are missing, or are old ones with their own seals, on pages that are sound.
@Suite struct SealSumTests {
  private static let key = (0..<64).map { UInt8($0) }
  private static let fault = "values are missing, or as they were before, on pages that are sound"

  /// What the log says of the newest version, and what is there.
  static func sums(_ snapshot: Snapshot) throws -> (logged: UInt64?, counted: UInt64) {
    let (transaction, databases) = (snapshot.lease.transaction, snapshot.file.databases)
    var counted: UInt64 = 0
    var logged: UInt64?
    for database in databases.all {
      let cursor = try transaction.openCursor(database)
      defer { cursor.close() }
      while let entry = try cursor.nextEntry() {
        if LogKey.version(entry.key) == transaction.version {
          let value = try transaction.opened(entry.value, entry.key.baseAddress!, entry.key.count)
          logged = ChangeLog.sealSum(of: value)
        }
        let isTree =
          database == databases.main && databases.named.contains { entry.key.elementsEqual($0.name.utf8) }
        if isTree || !SealSum.counts(database, entry.key.baseAddress!, entry.key.count) { continue }
        counted &+= SealSum.weight(entry.value)
      }
    }
    return (logged, counted)
  }

  static func isRight(_ snapshot: Snapshot) throws -> Bool {
    let sums = try sums(snapshot)
    return sums.logged == sums.counted && sums.counted != 0
  }

  private func change(_ snapshot: Snapshot, _ number: Int) throws {
    try snapshot.beginWrite()
    let dogs = snapshot.table(0)
    for row in 0..<3 { dogs.setInteger(0, number * 7 + row, Int64(number)) }
    dogs.setString(1, number, String(repeating: "y", count: number % 2 == 0 ? 9_000 : 3))
    dogs.deleteRow(1_000 + number)
    dogs.appendElement(3, number, .int(5))
    try snapshot.commitWrite(durability: .relaxed)
  }

  @Test(arguments: [nil, key]) func isThatOfAllThatIsStored(key: [UInt8]?) throws {
    let file = try DamagedFile(encryptionKey: key)
    defer { file.delete() }
    for number in 0..<4 {
      // Who opens the file anew learns it from the log.
      let snapshot = try file.open()
      #expect(try Self.isRight(snapshot))
      for step in 0..<19 {
        try change(snapshot, number * 20 + step)
        #expect(try Self.isRight(snapshot))
      }
      // What comes to nothing counts nothing.
      try snapshot.beginWrite()
      snapshot.table(0).setInteger(0, 1, -1)
      snapshot.cancelWrite()
      try snapshot.beginWrite()
      snapshot.table(0).setInteger(0, 2, -1)
      try snapshot.stageWrite(durability: .relaxed)
      snapshot.discardStagedWrites()
      try change(snapshot, number * 20 + 19)
      #expect(try Self.isRight(snapshot))
    }
    #expect(try FileVerification(path: file.path, encryptionKey: key).faults == [])
  }

  @Test(arguments: [nil, key]) func copiesHaveTheirOwn(key: [UInt8]?) throws {
    let file = try DamagedFile(encryptionKey: key)
    let copy = TemporaryFile.path()
    defer {
      file.delete()
      TemporaryFile.delete(copy)
    }
    for other in [nil, Self.key] {
      try file.open().writeCopy(to: copy, encryptionKey: other)
      let snapshot = try Snapshot(file: DatabaseFile.open(path: copy, encryptionKey: other))
      #expect(try Self.isRight(snapshot))
      try change(snapshot, 1)
      #expect(try Self.isRight(snapshot))
      TemporaryFile.delete(copy)
    }
    #expect(try DatabaseFile.compact(path: file.path, encryptionKey: key))
    #expect(try Self.isRight(file.open()))
  }

  #if !OWN_PAGES
    /// The page of the value is the one that it was on before, which is what a disk has that lost a write.
    @Test(arguments: [nil, key]) func oldValuesAreFound(key: [UInt8]?) throws {
      let file = try DamagedFile(encryptionKey: key)
      defer { file.delete() }
      // No index knows them.
      let chunk = DamagedFile.chunkKey(column: 4)
      func stored() throws -> Data {
        let snapshot = try file.open()
        return withExtendedLifetime(snapshot) {
          Data(snapshot.lease.transaction.get(snapshot.file.databases.columns, chunk, chunk.count)!)
        }
      }
      /// Only one of two rows has the value, so that the chunk always has the same size.
      func set(_ row: Int, other: Int) throws {
        let snapshot = try file.open()
        try snapshot.beginWrite()
        snapshot.table(0).setMixed(4, row, .list([.int(2), .string("two")]))
        snapshot.table(0).setMixed(4, other, .list([.int(1), .string("two")]))
        try snapshot.commitWrite(durability: .full)
      }
      try set(7, other: 5)
      let old = try stored()
      try set(5, other: 7)
      let new = try stored()
      try #require(old.count == new.count)
      #expect(try FileVerification(path: file.path, encryptionKey: key).faults == [])
      try Self.replace(new, with: old, in: file.path)
      func faults(_ path: String) throws -> [String] {
        try FileVerification(path: path, encryptionKey: key).faults.map(\.reason)
      }
      do {
        // Who only reads believes it.
        let snapshot = try file.open()
        #expect(snapshot.table(0).value(4, 5) == .list([.int(1), .string("two")]))
        #expect(try faults(file.path) == [Self.fault])
        // A copy is not better, nor is a version after it.
        let copy = TemporaryFile.path()
        defer { TemporaryFile.delete(copy) }
        try snapshot.writeCopy(to: copy, encryptionKey: key)
        #expect(try faults(copy) == [Self.fault])
        TemporaryFile.delete(copy)
        try snapshot.beginWrite()
        snapshot.table(0).setInteger(0, 5, 36)
        try snapshot.writeCopy(to: copy, encryptionKey: key)
        #expect(try faults(copy) == [Self.fault])
        try snapshot.commitWrite(durability: .relaxed)
        #expect(try faults(file.path) == [Self.fault])
      }
      #expect(try DatabaseFile.compact(path: file.path, encryptionKey: key))
      #expect(try faults(file.path) == [Self.fault])
      let salvaged = TemporaryFile.path()
      defer { TemporaryFile.delete(salvaged) }
      _ = try Salvage.run(from: file.path, to: salvaged, encryptionKey: key)
      #expect(try faults(salvaged) == [])
    }
  #endif

  private static func replace(_ old: Data, with new: Data, in path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(try #require(bytes.range(of: old)), with: new)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  #if !OWN_PAGES
    /// What was damaged and is deleted unread, whose seal is not what was counted.
    @Test func damageThatIsGoneIsNoFault() throws {
      let file = try DamagedFile()
      defer { file.delete() }
      let key = ValueKey(table: 0, column: 6, row: 7)
        .withBytes { Array(UnsafeRawBufferPointer(start: $0, count: ValueKey.size)) }
      let stored: Data
      do {
        let snapshot = try file.open()
        try snapshot.beginWrite()
        var catalogue = snapshot.catalogue
        catalogue.tables[0].columns.append(Column(name: "photo", type: .data))
        snapshot.setCatalogue(catalogue)
        Array(repeating: UInt8(7), count: 5_000).withUnsafeBytes { snapshot.table(0).setData(6, 7, $0) }
        try snapshot.commitWrite(durability: .full)
        stored = withExtendedLifetime(snapshot) {
          Data(snapshot.lease.transaction.get(snapshot.file.databases.values, key, key.count)!)
        }
      }
      var damaged = stored
      damaged[stored.count - 1] ^= 1
      try Self.replace(stored, with: damaged, in: file.path)
      #expect(try FileVerification(path: file.path).faults.count == 1)
      do {
        let snapshot = try file.open()
        try snapshot.beginWrite()
        snapshot.table(0).deleteRow(7)
        try snapshot.commitWrite(durability: .relaxed)
      }
      #expect(try FileVerification(path: file.path).faults == [])
    }
  #endif

  /// Sequences, which are not missed otherwise, and then begin anew.
  @Test func missingValuesAreFound() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let key = SequenceNumbers.key
    try withoutCounting(file, sum: nil) { transaction, databases in
      try transaction.store(databases.main, key: key, SequenceNumbers().encoded)
    }
    #expect(try FileVerification(path: file.path).faults == [])
    let sum = try Self.sums(file.open()).counted
    try withoutCounting(file, sum: sum) { transaction, databases in
      try transaction.delete(databases.main, key, key.count)
    }
    #expect(try FileVerification(path: file.path).faults.map(\.reason) == [Self.fault])
  }

  private func withoutCounting(
    _ file: DamagedFile, sum: UInt64?, _ body: (EntryTransaction, DatabaseFile.Databases) throws -> Void
  ) throws {
    let file = try DatabaseFile.open(path: file.path)
    let transaction = try file.environment.beginWriting()
    try body(transaction, file.databases)
    try ChangeLog.appendNothing(transaction, file.databases.main, nil, sum: sum)
    try transaction.commit()
  }

  /// Earlier versions of this library did not count: nothing is said of their files until they are copied.
  @Test func filesOfThoseWhoDidNotCount() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try withoutCounting(file, sum: nil) { _, _ in }
    let snapshot = try file.open()
    for number in 0..<3 {
      try change(snapshot, number)
      #expect(try Self.sums(snapshot).logged == nil)
    }
    #expect(try FileVerification(path: file.path).faults == [])
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try snapshot.writeCopy(to: copy)
    #expect(try Self.isRight(Snapshot(file: DatabaseFile.open(path: copy))))
  }

  /// A page of the main database that is an old one has the roots of all others as they were.
  @Test func anOldLogIsFound() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let version = try file.open().version
    do {
      let database = try DatabaseFile.open(path: file.path)
      let transaction = try database.environment.beginWriting()
      try transaction.store(database.databases.main, key: [1, 2, 3], [4])
      try transaction.commit()
    }
    #expect(
      try FileVerification(path: file.path).faults.map(\.reason) == [
        "its log ends with version \(version), so that more may be as it was before version \(version + 1)"
      ])
  }
}
