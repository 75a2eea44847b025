import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// Copies of a file that is written to meanwhile.
@Suite struct PrivateCopyTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("a.realm") }
  private static let rowCount = 1_000

  private func makeSnapshot() throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    let columns = [Column(name: "a", type: .int), Column(name: "b", type: .string)]
    snapshot.setCatalogue(Catalogue(tables: [TableDescription(name: "Thing", columns: columns)]))
    for _ in 0..<Self.rowCount { _ = snapshot.table(0).insertRow() }
    try Self.fill(snapshot, 0)
    try snapshot.commitWrite(durability: .relaxed)
    return snapshot
  }

  /// Gives each row the same number, and some a long text of it.
  private static func fill(_ snapshot: Snapshot, _ number: Int) throws {
    for row in 0..<rowCount {
      snapshot.table(0).setInteger(0, row, Int64(number))
      if row % 37 == number % 37 { snapshot.table(0).setString(1, row, text(number)) }
    }
  }

  private static func text(_ number: Int) -> String {
    String(repeating: "\(number) ", count: 1 + number % 7 * 100)
  }

  private static func commit(_ snapshot: Snapshot, _ number: Int) throws {
    try snapshot.beginWrite()
    try fill(snapshot, number)
    try snapshot.commitWrite(durability: .relaxed)
  }

  /// Verifies all of a copy. Returns the number that its rows have.
  private func number(in copy: PrivateCopy) throws -> Int {
    let file = folder.path(UUID().uuidString)
    try FileHandle(fileDescriptor: copy.descriptor).readToEnd()?.write(to: URL(fileURLWithPath: file))
    #expect(try FileVerification(path: file).faults == [])
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file, readOnly: true))
    let number = Int(snapshot.table(0).integer(0, 0))
    for row in 0..<Self.rowCount {
      try #require(snapshot.table(0).integer(0, row) == number, "row \(row)")
      if number >= 37, row % 37 == number % 37 {
        try #require(snapshot.table(0).string(1, row) == Self.text(number), "row \(row)")
      }
    }
    withExtendedLifetime(snapshot) { _ = unlink(file) }
    return number
  }

  private func withDescriptor<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  @Test func copiesOfAFileThatIsWrittenToAreWhole() throws {
    let isDone = Atomic(false)
    let isEnded = DispatchSemaphore(value: 0)
    try withExtendedLifetime(makeSnapshot()) {}
    let path = path
    Thread.detachNewThread {
      let snapshot = try! Snapshot(file: DatabaseFile.open(path: path))
      var number = 0
      while !isDone.load(ordering: .relaxed) {
        number += 1
        try! Self.commit(snapshot, number)
      }
      isEnded.signal()
    }
    defer {
      isDone.store(true, ordering: .relaxed)
      isEnded.wait()
    }
    try withDescriptor { descriptor in
      var last = 0
      for _ in 0..<40 {
        let copy = try #require(try PrivateCopy.take(FileLocation(path: path), data: descriptor))
        let number = try number(in: copy)
        #expect(number >= last)
        last = number
      }
    }
  }

  /// One commit during each copy leaves the copied version whole. After two of them it may be overwritten.
  @Test(arguments: [0, 1, 2]) func commitsDuringTheCopy(count: Int) throws {
    let snapshot = try makeSnapshot()
    for number in 1...50 { try Self.commit(snapshot, number) }
    var (number, copies) = (50, 0)
    func copy(_ descriptor: Int32) throws -> PrivateCopy? {
      try PrivateCopy.take(FileLocation(path: path), data: descriptor, triesLock: false) {
        copies += 1
        for _ in 0..<count {
          number += 1
          #expect(throws: Never.self) { try Self.commit(snapshot, number) }
        }
      }
    }
    try withDescriptor { descriptor in
      if count < 2 {
        let made = try #require(try copy(descriptor))
        #expect(try self.number(in: made) == 50)
        #expect(copies == 1)
      } else {
        let error = #expect(throws: StorageError.self) { try copy(descriptor) }
        #expect(error?.kind == .access && error?.message.contains("give the user write permission") == true)
        #expect(copies > 2)
      }
    }
  }

  /// What the copies rely on: a transaction writes to no page of the last two versions. It does to pages of earlier ones.
  @Test func noPageOfTheLastTwoVersionsIsOverwritten() throws {
    let snapshot = try makeSnapshot()
    var versions: [(bytes: [UInt8], pages: Set<Int>)] = []
    var overwritten = 0
    let pageSize = LMDBPage.size
    for number in 1...60 {
      try Self.commit(snapshot, number)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      func isChanged(_ page: Int, since old: [UInt8]) -> Bool {
        old.withUnsafeBytes { old in
          bytes.withUnsafeBytes { new in
            memcmp(old.baseAddress! + page * pageSize, new.baseAddress! + page * pageSize, pageSize) != 0
          }
        }
      }
      for (age, version) in versions.reversed().enumerated() {
        let changed = version.pages.filter { isChanged($0, since: version.bytes) }
        if age < 2 { #expect(changed.isEmpty, "version \(age + 1) before \(number)") }
        overwritten += changed.count
      }
      let pages = bytes.withUnsafeBytes { bytes in
        let meta = MetaPage.Content(bytes.baseAddress!, version: snapshot.version, pageSize: pageSize)
        return ReachablePages(bytes, pageSize: pageSize).from(meta.roots)
      }
      versions = versions.suffix(3) + [(bytes, pages)]
    }
    #expect(overwritten > 0)
  }

  /// Of a file that is too large to be copied either the writers or the reader without permission are refused.
  @Test func largeFilesKeepWritersAway() throws {
    var snapshot: Snapshot? = try makeSnapshot()
    let location = FileLocation(path: path)
    try withDescriptor { descriptor in
      #expect(try PrivateCopy.take(location, data: descriptor, sizeLimit: 10_000) == nil)
      let error = #expect(throws: StorageError.self) {
        try LockFile.takeWithoutPermission(location, data: descriptor)
      }
      #expect(error?.kind == .access)
      #expect(error?.message.contains("too large to be read from a copy in memory: give the user") == true)
      snapshot = nil
      try LockFile.takeWithoutPermission(location, data: descriptor)
      let refusal = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      #expect(refusal?.message.contains("or reads it without a lock file") == true)
    }
    #expect(throws: Never.self) { try DatabaseFile.open(path: path) }
    _ = snapshot
  }

  /// Recovery overwrites pages of versions that are read, so it waits for readers without a lock file.
  @Test func recoveryIsRefusedWhileAReaderHasNoLockFile() throws {
    let version = try makeSnapshot().version
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let record = RecoveryRecord(
      sequence: 1, isPending: true, boot: RecoveryRecord.Boot(high: 1, low: 2),
      meta: bytes.withUnsafeBytes {
        MetaPage.Content($0.baseAddress!, version: version, pageSize: LMDBPage.size)
      })
    try record.write(toPath: path)
    try withDescriptor { descriptor in
      try LockFile.takeWithoutPermission(FileLocation(path: path), data: descriptor)
      let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      #expect(error?.kind == .access)
      #expect(try RecoveryRecord.found(atPath: path)?.isPending == true)
    }
    #expect(try DatabaseFile.open(path: path).newestVersion == version)
    #expect(try RecoveryRecord.found(atPath: path)?.isPending == false)
  }
}
