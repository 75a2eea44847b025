import LibC

/// Brings what a journal has into the file that it belongs to, when the system has failed.
///
/// Invariant: `content` is memory of its own.
final class JournalReplay {
  private let location: FileLocation
  private let number: JournalNumber
  private let pageSize: Int
  private let content: UnsafeRawBufferPointer
  /// No journal is larger.
  private static let sizeLimit = 1 << 26

  /// Reads the journal.
  ///
  /// - Throws: `unrecovered` when it is not beside the file; without it the durable part of the file is unknown.
  init(_ location: FileLocation, _ number: JournalNumber, pageSize: Int) throws(StorageError) {
    self.location = location
    self.number = number
    self.pageSize = pageSize
    let descriptor = open(location.journalPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw Self.missing(location) }
      throw .system(errno, path: location.path)
    }
    defer { close(descriptor) }
    content = try Self.read(descriptor, location)
  }

  deinit { content.deallocate() }

  private static func missing(_ location: FileLocation) -> StorageError {
    StorageError(
      .unrecovered, path: location.path,
      message: """
        Failed to open Realm file at path '\(location.path)': the system has failed while it was written, or it was copied \
        while a process had it open, and its journal '\(location.journalPath)' is missing, without which the newest commits \
        are not whole. Put the journal beside the file, or copy what is sound with 'Realm.salvage(from:to:)'.
        """)
  }

  private static func read(
    _ descriptor: Int32, _ location: FileLocation
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: location.path) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw missing(location) }
    guard information.st_size <= sizeLimit else {
      throw .damaged(path: location.path, "its journal '\(location.journalPath)' is too large")
    }
    let content = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(Int(information.st_size), 1), alignment: JournalRecord.alignment)
    content.initializeMemory(as: UInt8.self, repeating: 0)
    var place = 0
    while place < content.count {
      let count = pread(descriptor, content.baseAddress! + place, content.count - place, off_t(place))
      if count < 0 && errno == EINTR { continue }
      if count < 0 {
        let code = errno
        content.deallocate()
        throw .system(code, path: location.path)
      }
      if count == 0 { break }
      place += count
    }
    return UnsafeRawBufferPointer(content)
  }

  /// Writes all pages of the versions after one to the file, without bringing them to the disk. May be done again and again.
  ///
  /// - Parameter known: The newest version that the disk has heard of. The one before it was on the disk when that was begun, so
  ///   that the journal has it.
  /// - Returns: The meta page of the last version that the journal has.
  /// - Throws: `invalidDatabase` when it must have had more, before anything is written.
  func apply(
    after base: MetaPage.Content, known: UInt64, to descriptor: Int32
  ) throws(StorageError) -> MetaPage.Content {
    let records = try wholeRecords(after: base, known: known)
    do throws(EntryError) {
      for record in records {
        try record.forEachRun(pageSize: pageSize) { (pages, place) throws(EntryError) in
          if !DiskCalls.write(pages, descriptor, place) { throw EntryError(code: errno) }
        }
      }
    } catch {
      throw .writing(error.code, path: location.path)
    }
    return records.last?.meta ?? base
  }

  /// Whether the journal that the record of a file names, and that no process uses, is damaged. For a process that does not
  /// have the file open.
  static func isDamaged(_ location: FileLocation) -> Bool {
    // Opening a pipe would wait for its writer.
    let descriptor = open(location.resolved, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let pageSize = LMDBPage.size
    var pages = [UInt8](repeating: 0, count: 2 * pageSize)
    guard pread(descriptor, &pages, pages.count, 0) == pages.count else { return false }
    let found = pages.withUnsafeBytes { bytes in
      RecoveryRecord(bytes.baseAddress!, pageSize: pageSize).map {
        ($0, MetaPage.Content.newest(bytes.baseAddress!, pageSize: pageSize).version)
      }
    }
    guard let (record, known) = found, let number = record.journal,
      (try? LockFile.isInUse(path: location.lockPath)) == false
    else { return false }
    do throws(StorageError) {
      let replay = try JournalReplay(location, number, pageSize: pageSize)
      _ = try replay.wholeRecords(after: record.meta, known: known)
      return false
    } catch {
      return error.kind == .invalidDatabase
    }
  }

  /// The records of all versions after one, of which none is missing.
  private func wholeRecords(
    after base: MetaPage.Content, known: UInt64
  ) throws(StorageError) -> [JournalRecord.Read] {
    let records = readRecords(after: base.version)
    let newest = records.last?.meta ?? base
    let end = records.reduce(0) { $0 + $1.alignedSize }
    if known > newest.version + 1 || hasRecord(from: end, after: newest.version + 1) {
      throw .damaged(
        path: location.path,
        "its journal '\(location.journalPath)' is not whole after version \(newest.version)")
    }
    return records
  }

  /// The records that are whole. The first one that is not was never said to be on the disk, and nothing after it.
  private func readRecords(after version: UInt64) -> [JournalRecord.Read] {
    var records: [JournalRecord.Read] = []
    var place = 0
    while place < content.count,
      let record = JournalRecord.read(
        UnsafeRawBufferPointer(rebasing: content[place...]), number,
        version: version + UInt64(records.count) + 1, pageSize: pageSize)
    {
      records.append(record)
      place += record.alignedSize
    }
    return records
  }

  /// Whether a later version was written behind one that is not whole, which was never done.
  private func hasRecord(from place: Int, after version: UInt64) -> Bool {
    stride(from: place, to: content.count - JournalRecord.alignment + 1, by: JournalRecord.alignment).contains
    {
      JournalRecord.isBeginning(content.baseAddress! + $0, number, after: version)
    }
  }
}
