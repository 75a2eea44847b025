import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct JournalTests {
  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  private static func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func journalPath(_ path: String) -> String { path + "-journal" }

  /// A file with a journal that has one commit.
  ///
  /// - Parameter willCommit: Called before each commit.
  private func begin(
    _ calls: DiskCalls = DiskCalls(), willCommit: (Numbers) throws -> Void = { _ in }
  ) throws -> Numbers {
    let numbers = try Numbers(calls)
    numbers.file.deferredSyncReference.load()!.quickCommits.longestPause = .max
    var random = SeededGenerator(seed: 1)
    while numbers.file.deferredSyncReference.load()?.ownJournal == nil {
      try #require(numbers.count < 100)
      try willCommit(numbers)
      try numbers.snapshot.beginWrite()
      numbers.change(&random)
      try numbers.snapshot.commitWrite()
    }
    return numbers
  }

  /// What a disk has of a file when the power fails: of each page what it was after any of the commits since a
  /// synchronisation.
  private struct Disk {
    var states: [[UInt8]] = []

    func image(_ random: inout SeededGenerator) -> [UInt8] {
      var image = states.last!
      let keepsNothing = Int.random(in: 0..<4, using: &random) == 0
      for start in stride(from: 0, to: image.count, by: pageSize) {
        let state = keepsNothing ? states[0] : states.randomElement(using: &random)!
        let page =
          start < state.count
          ? Array(state[start..<start + pageSize]) : [UInt8](repeating: 0, count: pageSize)
        // The record was synchronised.
        let kept = start < 2 * pageSize ? Array(image[start + 512..<start + pageSize]) : nil
        image.replaceSubrange(start..<start + pageSize, with: page)
        if let kept { image.replaceSubrange(start + 512..<start + pageSize, with: kept) }
      }
      return image
    }
  }

  /// Opens what the disk has as after a failure of the system, or of the disk alone.
  private static func open(
    _ image: [UInt8], journal: [UInt8]?, inSameBoot: Bool = false,
    _ body: (Snapshot, String) throws -> Void
  ) throws {
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try Data(image).write(to: URL(fileURLWithPath: copy))
    if let journal { try Data(journal).write(to: URL(fileURLWithPath: journalPath(copy))) }
    if !inSameBoot { try changeBoot(copy) }
    let before = try bytes(copy)
    do {
      try body(Snapshot(file: DatabaseFile.open(path: copy)), copy)
    } catch {
      // What cannot be put right stays as it is.
      #expect(try bytes(copy) == before)
      throw error
    }
  }

  private static func changeBoot(_ path: String) throws {
    try RecoveryRecord.replace(atPath: path) { record in record.boot.low ^= 1 }
  }

  @Test func quickCommitsHaveOneUntilTheFileIsClosed() throws {
    var numbers: Numbers? = try begin()
    let path = numbers!.path
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    #expect(try #require(RecoveryRecord.found(in: try Self.bytes(path))).journal != nil)
    for _ in 0..<20 { try numbers!.append(.full) }
    let model = numbers!.model
    // The name goes with the model.
    try FileManager.default.linkItem(atPath: path, toPath: copy)
    numbers = nil
    #expect(RecoveryRecord.found(in: try Self.bytes(copy))?.isPending == false)
    #expect(!FileManager.default.fileExists(atPath: Self.journalPath(path)))
    #expect(try Numbers.content(Snapshot(file: DatabaseFile.open(path: copy))) == model)
  }

  @Test func itEndsWhenNobodyWritesAnyMore() throws {
    let numbers = try begin()
    #expect(try #require(RecoveryRecord.found(in: try Self.bytes(numbers.path))).isPending)
    numbers.file.takeWriting()
    numbers.file.deferredSyncReference.load()!.quickCommits.longestPause = 0
    numbers.file.returnWriting()
    try waitUntil { RecoveryRecord.found(in: try Self.bytes(numbers.path))?.isPending == false }
    try numbers.append(.full)
    #expect(try Numbers.content(Snapshot(file: numbers.file)) == numbers.model)
  }

  /// Whatever the disk has of LMDB's file, the journal makes it the last version of which the commit has returned.
  @Test func failuresOfTheSystem() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("JournalTests.failuresOfTheSystem seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    var disk = Disk()
    let numbers = try begin { disk.states = [try Self.bytes($0.path)] }
    disk.states.append(try Self.bytes(numbers.path))
    var lastRecord = RecoveryRecord.found(in: disk.states[1])
    for step in 0..<120 {
      let before = try Self.bytes(Self.journalPath(numbers.path))
      try numbers.snapshot.beginWrite()
      if step % 10 == 0 { numbers.change(&random) }
      numbers.change(&random, rows: 1...5)
      let model = numbers.model
      try numbers.snapshot.commitWrite()
      let state = try Self.bytes(numbers.path)
      let record = try #require(RecoveryRecord.found(in: state))
      #expect(record.isPending)
      if record != lastRecord { disk.states = [] }
      lastRecord = record
      disk.states.append(state)
      if step % 3 != 0 { continue }
      let journal = try Self.bytes(Self.journalPath(numbers.path))
      try Self.open(disk.image(&random), journal: journal, inSameBoot: step % 2 == 0) { snapshot, path in
        #expect(snapshot.version == numbers.snapshot.version, "step \(step)")
        #expect(Numbers.content(snapshot) == model, "step \(step)")
        #expect(!FileManager.default.fileExists(atPath: Self.journalPath(path)))
        for durability in [Durability.full, .relaxed, .deferred] {
          try snapshot.beginWrite()
          _ = snapshot.table(0).insertRow()
          try snapshot.commitWrite(durability: durability)
        }
      }
      // While the commit was under way.
      if disk.states.count > 2 {
        try Self.open(disk.image(&random), journal: Self.torn(before, journal, &random)) { snapshot, _ in
          #expect([0, 1].contains(numbers.snapshot.version - snapshot.version), "step \(step)")
          let whole = snapshot.version == numbers.snapshot.version
          if whole { #expect(Numbers.content(snapshot) == model, "step \(step)") }
        }
      }
    }
  }

  /// The sectors of a file of which some are those of another one.
  private static func torn(
    _ old: [UInt8], _ new: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    guard old.count == new.count else { return new }
    var torn = old
    for start in stride(from: 0, to: new.count, by: 512) where Bool.random(using: &random) {
      torn.replaceSubrange(start..<start + 512, with: new[start..<start + 512])
    }
    return torn
  }

  /// The pages that a commit has written are just those that its version shows and the one before does not.
  @Test func committedPages() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("JournalTests.committedPages seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    let numbers = try Numbers()
    let map = numbers.file.checkedPlaces.map
    for step in 0..<150 {
      try numbers.snapshot.beginWrite()
      switch Int.random(in: 0..<4, using: &random) {
      case 0: numbers.change(&random, rows: 1...4_000)
      case 1: numbers.change(&random)
      default: numbers.change(&random, rows: 1...3)
      }
      try numbers.snapshot.commitWrite(durability: .relaxed)
      let version = numbers.snapshot.version
      let bytes = try Self.bytes(numbers.path)
      let (old, new) = bytes.withUnsafeBytes { bytes in
        (
          MetaPage.Content(bytes.baseAddress!, version: version - 1, pageSize: Self.pageSize),
          MetaPage.Content(bytes.baseAddress!, version: version, pageSize: Self.pageSize)
        )
      }
      let expected = bytes.withUnsafeBytes { bytes in
        let pages = ReachablePages(bytes, pageSize: Self.pageSize)
        return pages.from(new.roots).subtracting(pages.from(old.roots))
      }
      var committed = CommittedPages(map: map, pageSize: Self.pageSize, limit: .max)
      let isWhole = committed.find(from: old, to: new)
      #expect(isWhole)
      let found = committed.runs.flatMap { Int($0.number)..<Int($0.number) + $0.pageCount }
      #expect(Set(found) == expected, "step \(step)")
      #expect(found.count == expected.count, "step \(step)")
    }
    // So many rows that there were pages of every kind.
    let trees = try FileCheck.checkTrees(numbers.file.environment, path: numbers.path, .branches)
    let columns = try #require(trees?.record(of: "columns"))
    #expect(columns.branchPages > 0 && columns.leafPages > 1 && columns.overflowPages > 0)
  }

  @Test func withoutItsJournalAFileIsNotTakenForWhole() throws {
    let numbers = try begin()
    for _ in 0..<5 { try numbers.append(.full) }
    let error = #expect(throws: StorageError.self) {
      try Self.open(try Self.bytes(numbers.path), journal: nil) { _, _ in }
    }
    #expect(error?.kind == .unrecovered)
    #expect(error?.message.contains("-journal' is missing") == true)
  }

  /// What was damaged is not taken for whole, and nothing is made of what comes after it. Of the last record that is not known to
  /// be damage.
  @Test func damagedJournals() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("JournalTests.damagedJournals seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    let numbers = try begin()
    var openedCount = 0
    var contents = [numbers.snapshot.version: numbers.model]
    for _ in 0..<10 {
      try numbers.append(.full)
      contents[numbers.snapshot.version] = numbers.model
    }
    let image = try Self.bytes(numbers.path)
    let journal = try Self.bytes(Self.journalPath(numbers.path))
    let used = journal.lastIndex { $0 != 0 }!
    for round in 0..<40 {
      var damaged = journal
      // Chance may leave the last record alone; the first damage does not.
      switch round == 0 ? 3 : Int.random(in: 0..<3, using: &random) {
      case 3: damaged[used] ^= 1
      case 0:
        damaged[Int.random(in: 0...used, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: damaged.removeLast(damaged.count - Int.random(in: 0...used, using: &random))
      default:
        let word =
          Int.random(in: 0...used / 4096, using: &random) * 4096 + 8 * Int.random(in: 0..<30, using: &random)
        withUnsafeBytes(of: UInt64.random(in: 0...UInt64.max, using: &random)) {
          damaged.replaceSubrange(word..<word + 8, with: $0)
        }
      }
      do {
        try Self.open(image, journal: damaged) { snapshot, _ in
          #expect(snapshot.version + 1 >= numbers.snapshot.version)
          #expect(Numbers.content(snapshot) == contents[snapshot.version])
          openedCount += 1
        }
      } catch let error as StorageError {
        #expect(error.kind == .invalidDatabase)
        #expect(error.message.contains("journal"))
      }
      if round == 0 { #expect(openedCount == 1) }
    }
    // Of some the damage is where no record is, or in the last one.
    #expect(openedCount > 0 && openedCount < 40)
  }

  @Test func whatDoesNotFitIsSynchronisedWithTheFile() throws {
    JournalCapacity.set(1 << 18)
    defer { JournalCapacity.set(4 << 20) }
    let numbers = try begin()
    var random = SeededGenerator(seed: 4)
    let deferredSync = numbers.file.deferredSyncReference.load()!
    let number = deferredSync.ownJournal!.journal.number
    for _ in 0..<500 where deferredSync.ownJournal?.journal.number == number {
      try numbers.snapshot.beginWrite()
      numbers.change(&random)
      try numbers.snapshot.commitWrite()
    }
    // It was full.
    let next = deferredSync.ownJournal!.journal
    #expect(next.number != number && next.base.version == numbers.snapshot.version)
    try Self.open(try Self.bytes(numbers.path), journal: try Self.bytes(next.path)) { snapshot, _ in
      #expect(Numbers.content(snapshot) == numbers.model)
    }
    // Too large for an empty one.
    try numbers.snapshot.beginWrite()
    numbers.change(&random, rows: 200_000...200_000)
    try numbers.snapshot.commitWrite()
    #expect(deferredSync.ownJournal == nil)
    #expect(RecoveryRecord.found(in: try Self.bytes(numbers.path))?.isPending == false)
  }

  /// Programs end without closing their files.
  @Test func programsThatEnd() async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let file = try DatabaseFile.open(path: path)
      let snapshot = try Snapshot(file: file)
      try snapshot.beginWrite()
      snapshot.setCatalogue(
        Catalogue(tables: [TableDescription(name: "Number", columns: [Column(name: "value", type: .int)])]))
      try snapshot.commitWrite()
      for _ in 0..<40 {
        try snapshot.beginWrite()
        _ = snapshot.table(0).insertRow()
        try snapshot.commitWrite()
      }
      guard file.deferredSyncReference.load()?.ownJournal != nil else { exit(1) }
      exit(0)
    }
    #expect(!FileManager.default.fileExists(atPath: Self.journalPath(path)))
    #expect(try #require(RecoveryRecord.found(in: try Self.bytes(path))).isPending == false)
    #expect(try Numbers.content(Snapshot(file: DatabaseFile.open(path: path))).count == 40)
  }

  /// Records and journals that nobody has written.
  @Test func oddFiles() throws {
    let numbers = try begin()
    try numbers.append(.full)
    let image = try Self.bytes(numbers.path)
    let record = try #require(RecoveryRecord.found(in: image))
    var oddOnes: [RecoveryRecord] = []
    for number in [UInt64.max, 1 << 62] {
      var odd = record
      odd.sequence = number | record.sequence & 1
      oddOnes.append(odd)
    }
    for version in [0, UInt64.max, 1 << 49] {
      var odd = record
      odd.sequence += 1
      odd.meta.version = version
      oddOnes.append(odd)
    }
    for odd in oddOnes {
      let copy = TemporaryFile.path()
      defer { TemporaryFile.delete(copy) }
      try Data(image).write(to: URL(fileURLWithPath: copy))
      try odd.write(toPath: copy)
      // The record counts no more than one that is not whole.
      _ = try? Snapshot(file: DatabaseFile.open(path: copy))
    }
    let sparse = TemporaryFile.path()
    defer { TemporaryFile.delete(sparse) }
    try Data(image).write(to: URL(fileURLWithPath: sparse))
    try Self.changeBoot(sparse)
    let journal = Foundation.open(Self.journalPath(sparse), O_RDWR | O_CREAT, 0o600)
    #expect(ftruncate(journal, 1 << 40) == 0)
    close(journal)
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: sparse) }
    #expect(error?.kind == .invalidDatabase)
    // What is copied of it is not taken for all there is.
    let verification = try FileVerification(path: sparse)
    #expect(verification.faults.contains { $0.reason.contains("-journal") })
  }

  /// A journal that was left goes, and anything else that has its name stays.
  @Test func whatHasItsName() throws {
    let numbers = try begin()
    let journal = try Self.bytes(Self.journalPath(numbers.path))
    for (content, isJournal) in [(journal, true), (Array("Dear diary,".utf8), false)] {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      try Data(content).write(to: URL(fileURLWithPath: Self.journalPath(path)))
      let file = try DatabaseFile.open(path: path)
      #expect(FileManager.default.fileExists(atPath: Self.journalPath(path)) == !isJournal)
      let snapshot = try Snapshot(file: file)
      for _ in 0..<20 {
        try snapshot.beginWrite()
        snapshot.setCatalogue(Catalogue(tables: [TableDescription(name: "Number", columns: [])]))
        try snapshot.commitWrite()
      }
      if !isJournal { #expect(try Self.bytes(Self.journalPath(path)) == content) }
    }
  }

  @Test(arguments: [Durability.relaxed, .deferred])
  func commitsOfOtherKindsEndIt(_ durability: Durability) throws {
    let numbers = try begin()
    for _ in 0..<3 { try numbers.append(.full) }
    try numbers.append(durability)
    #expect(numbers.file.deferredSyncReference.load()?.ownJournal == nil)
    #expect(RecoveryRecord.found(in: try Self.bytes(numbers.path))?.journal == nil)
    for _ in 0..<20 { try numbers.append(.full) }
    #expect(try Numbers.content(Snapshot(file: numbers.file)) == numbers.model)
  }
}
