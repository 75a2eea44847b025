import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct DeferredSyncTests {
  private final class Completed: Sendable {
    private let newest = Mutex<UInt64>(0)
    var version: UInt64 { newest.withLock { $0 } }
    func note(_ version: UInt64) { newest.withLock { $0 = max($0, version) } }
  }

  private static func pages(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  @Test func commitsAreVisibleAtOnceAndDurableSoon() throws {
    let numbers = try Numbers()
    var random = SeededGenerator(seed: 1)
    let other = try Snapshot(file: numbers.file)
    for _ in 0..<50 {
      try numbers.snapshot.beginWrite()
      numbers.change(&random)
      try numbers.snapshot.commitWrite(durability: .deferred)
      try other.advance()
      #expect(other.version == numbers.snapshot.version)
      #expect(Numbers.content(other) == numbers.model)
    }
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    // The record ends by itself when there is nothing more to do.
    numbers.file.takeWriting()
    numbers.file.returnWriting()
    try waitUntil { RecoveryRecord.found(in: try Self.pages(numbers.path))?.isPending == false }
  }

  @Test func commitsOfAllKindsFollowEachOther() throws {
    let numbers = try Numbers()
    var random = SeededGenerator(seed: 2)
    for _ in 0..<300 {
      try numbers.snapshot.beginWrite()
      numbers.change(&random)
      let kind = [Durability.full, .deferred, .deferred, .relaxed].randomElement(using: &random)!
      try numbers.snapshot.commitWrite(durability: kind)
      if Bool.random(using: &random) { try numbers.file.waitUntilSynced(numbers.snapshot.version) }
      if numbers.count % 10 == 0 {
        try numbers.snapshot.beginWrite()
        numbers.snapshot.cancelWrite()
      }
    }
    #expect(try Numbers.content(Snapshot(file: numbers.file)) == numbers.model)
  }

  @Test func completionsComeInOrder() throws {
    let numbers = try Numbers()
    var random = SeededGenerator(seed: 3)
    let versions = Mutex<[UInt64]>([])
    for _ in 0..<200 {
      try numbers.snapshot.beginWrite()
      numbers.change(&random)
      try numbers.snapshot.commitWrite(durability: .deferred)
      let version = numbers.snapshot.version
      numbers.file.whenSynced(version) { _ in versions.withLock { $0.append(version) } }
    }
    try numbers.file.waitUntilSynced(numbers.snapshot.version)
    let last = numbers.snapshot.version
    #expect(versions.withLock { $0 } == Array(last - 199...last))
  }

  /// Whatever the disk has of the commits that are not known to be on it, the file is the version of its record
  /// after a failure of the system, and no completion was called for a later one.
  @Test func failuresOfTheSystem() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("failuresOfTheSystem seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    let numbers = try Numbers()
    let completed = Completed()
    var contents = [numbers.snapshot.version: numbers.model]
    var pendingCount = 0
    for step in 0..<300 {
      try numbers.snapshot.beginWrite()
      if step % 3 == 2 {
        let known = completed.version
        // Nobody else writes pages now, except for the record.
        var disk = try Self.pages(numbers.path)
        if let record = RecoveryRecord.found(in: disk), record.isPending {
          pendingCount += 1
          #expect(known <= record.meta.version)
          Self.fail(&disk, record, &random)
          let copy = TemporaryFile.path()
          defer { TemporaryFile.delete(copy) }
          try Data(disk).write(to: URL(fileURLWithPath: copy))
          let descriptor = open(copy, O_RDWR)
          var former = record
          former.boot.low ^= 1
          #expect(former.write(to: descriptor, pageSize: Self.pageSize))
          close(descriptor)
          let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
          #expect(snapshot.version == record.meta.version, "step \(step)")
          #expect(Numbers.content(snapshot) == contents[record.meta.version], "step \(step)")
          // It goes on from there.
          try snapshot.beginWrite()
          _ = snapshot.table(0).insertRow()
          try snapshot.commitWrite(durability: .deferred)
          #expect(snapshot.version == record.meta.version + 1)
        }
      }
      numbers.change(&random)
      try numbers.snapshot.commitWrite(durability: .deferred)
      let version = numbers.snapshot.version
      contents[version] = numbers.model
      numbers.file.whenSynced(version) { _ in completed.note(version) }
    }
    #expect(pendingCount > 10)
  }

  /// Destroys what the disk need not have: all pages that the version of the record does not use.
  private static func fail(
    _ disk: inout [UInt8], _ record: RecoveryRecord, _ random: inout SeededGenerator
  ) {
    let kept = disk.withUnsafeBytes { ReachablePages($0, pageSize: pageSize).from(record.meta.roots) }
    for page in 2..<disk.count / pageSize where !kept.contains(page) && Bool.random(using: &random) {
      for byte in page * pageSize..<(page + 1) * pageSize { disk[byte] = 0xA5 }
    }
    // The meta pages are those of later versions, or not there yet.
    if Bool.random(using: &random) {
      let other = Int.random(in: 0...1, using: &random)
      for byte in 16 + 24..<16 + 136 { disk[other * pageSize + byte] = 0 }
    }
  }

  /// A file whose last processes died in the same boot is whole, and goes on with what they had committed.
  @Test func recordsOfTheDead() throws {
    var random = SeededGenerator(seed: 5)
    let numbers = try Numbers()
    for _ in 0..<20 {
      try numbers.snapshot.beginWrite()
      numbers.change(&random)
      try numbers.snapshot.commitWrite(durability: .deferred)
      try numbers.snapshot.beginWrite()
      let disk = try Self.pages(numbers.path)
      numbers.snapshot.cancelWrite()
      let copy = TemporaryFile.path()
      defer { TemporaryFile.delete(copy) }
      try Data(disk).write(to: URL(fileURLWithPath: copy))
      let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
      #expect(snapshot.version == numbers.snapshot.version)
      #expect(Numbers.content(snapshot) == numbers.model)
      for durability in [Durability.full, .deferred, .relaxed, .full] {
        try snapshot.beginWrite()
        _ = snapshot.table(0).insertRow()
        try snapshot.commitWrite(durability: durability)
        try snapshot.file.waitUntilSynced(snapshot.version)
      }
    }
  }

  /// A file that must be recovered cannot be used by those who may not write it.
  @Test func onlyWritersRecover() throws {
    let numbers = try Numbers()
    let record = RecoveryRecord(
      sequence: 1, isPending: true, boot: RecoveryRecord.Boot(high: 1, low: 2),
      meta: try Self.pages(numbers.path).withUnsafeBytes {
        MetaPage.Content($0.baseAddress!, version: numbers.snapshot.version, pageSize: Self.pageSize)
      })
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try Data(Self.pages(numbers.path)).write(to: URL(fileURLWithPath: copy))
    let descriptor = open(copy, O_RDWR)
    #expect(record.write(to: descriptor, pageSize: Self.pageSize))
    close(descriptor)
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: copy, readOnly: true) }
    #expect(error?.kind == .unrecovered)
    do {
      // Who reads where he may write recovers it first; so does verification.
      let file = try DatabaseFile.openToRead(path: copy)
      #expect(file.newestVersion == numbers.snapshot.version)
    }
    #expect(RecoveryRecord.found(in: try Self.pages(copy))?.isPending == false)
    #expect(try DatabaseFile.open(path: copy, readOnly: true).newestVersion == numbers.snapshot.version)
  }
}
