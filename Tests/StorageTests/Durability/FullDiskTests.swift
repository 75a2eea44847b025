import Foundation
import TestSupport
import Testing

@testable import Storage

/// A journal is only there while the disk has space that commits do not need.
@Suite struct FullDiskTests {
  private static func hasJournal(_ numbers: Numbers) -> Bool {
    FileManager.default.fileExists(atPath: numbers.path + "-journal")
  }

  private func begin(_ calls: DiskCalls, path: String = TemporaryFile.path()) throws -> Numbers {
    let numbers = try Numbers(calls, path: path)
    numbers.file.deferredSyncReference.load()!.quickCommits.longestPause = .max
    for _ in 0..<20 { try numbers.append(.full) }
    return numbers
  }

  @Test func aJournalIsDeletedWhenLittleSpaceIsLeft() throws {
    let space = Mutex(Int.max)
    var calls = DiskCalls()
    calls.availableSpace = { _ in space.withLock { $0 } }
    let numbers = try begin(calls)
    #expect(Self.hasJournal(numbers))
    space.withLock { $0 = 4 << 20 }
    try numbers.append(.full)
    #expect(!Self.hasJournal(numbers))
    #expect(try RecoveryRecord.found(atPath: numbers.path)?.isPending == false)
    for _ in 0..<20 { try numbers.append(.full) }
    #expect(!Self.hasJournal(numbers))
    space.withLock { $0 = .max }
    try numbers.append(.full)
    #expect(Self.hasJournal(numbers))
    #expect(try Numbers.content(Snapshot(file: numbers.file)) == numbers.model)
  }

  /// - Parameter isForeseen: Whether the system says how little space is left.
  @Test(arguments: [true, false]) func commitsGetTheSpaceOfTheJournal(isForeseen: Bool) throws {
    let folder = ScratchFolder()
    let size = 32 << 20
    guard mount("tmpfs", folder.url.path, "tmpfs", 0, "size=\(size)") == 0 else {
      try Test.cancel("mounting a file system needs more rights")
    }
    defer { umount2(folder.url.path, Int32(MNT_DETACH)) }
    var calls = DiskCalls()
    if !isForeseen { calls.availableSpace = { _ in .max } }
    let numbers = try begin(calls, path: folder.path("a.realm"))
    #expect(Self.hasJournal(numbers))
    // All but two megabytes.
    let rest = try FileHandle(
      forWritingTo: {
        let url = folder.file("other")
        try Data().write(to: url)
        return url
      }())
    while FileSpace.available(try numbers.file.environment.descriptor) > 2 << 20 {
      try rest.write(contentsOf: Data(count: 1 << 20))
    }
    // Each needs more than half a megabyte.
    func appendMany() throws {
      try numbers.snapshot.beginWrite()
      let table = numbers.snapshot.table(0)
      var random = SeededGenerator(seed: 1)
      for _ in 0..<90_000 {
        table.setInteger(0, table.insertRow(), Int64.random(in: .min ... .max, using: &random))
      }
      try numbers.snapshot.commitWrite(durability: .full)
    }
    var failures = 0
    var before = 0
    for _ in 0..<12 {
      do {
        try appendMany()
      } catch let error as StorageError {
        #expect(error.kind == .outOfSpace)
        #expect(!Self.hasJournal(numbers))
        if failures == 0 { before = numbers.snapshot.liveCount(table: 0) }
        failures += 1
      }
    }
    #expect(failures > 0)
    #expect(!Self.hasJournal(numbers))
    // Where the system does not say it, only the first one fails that does not find the space.
    if !isForeseen { #expect(numbers.snapshot.liveCount(table: 0) > before) }
    let used = FileSpace.available(try numbers.file.environment.descriptor)
    #expect(used < 2 << 20, "a journal would be larger")
  }
}
