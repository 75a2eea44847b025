/// The content checksum: the sum of the checksums of everything that a version stores, which shows whether a part of it is missing
/// or older.
///
/// A checksum detects a changed value, and not that a value is an old one, with its own checksum: a disk that lost the write of a
/// page still has what the page held before, and its tree is sound. But then the sum is another one than that which the
/// version's entry in the log says. Each commit takes off what it replaces and deletes, and adds what it stores, all of
/// which is at hand then; the verification of a file adds up all of it.
///
/// What counts are all values but those that a commit writes after the sum is known, and the ones without which nothing
/// can be read: the log, and the format. A seal counts with its last bytes, which are made of the value, its key and the
/// version, mixed so that the sum of two does not tell them apart from two others.
///
/// The sum of a version is not known when the commit before was made by a program that did not count, or the entry in
/// the log cannot be read, or what was replaced is found damaged, so that it cannot be taken off. Then that of the next
/// one is not, either, until the file is copied. That something is wrong with the sum, copies tell, too (see `EntryCopy`).
///
/// Not all that is deleted is looked at: values of encrypted files, and large ones. When the seal of such a one was
/// damaged, the sum is wrong although the damage is gone, until the file is salvaged.
///
/// It detects accidents, not intent: an attacker can remove the entry, or find other old values with the same sum.
///
/// Invariant: only the holder of the writer lock uses it.
final class SealSum {
  /// By how much what the transaction that writes has stored and deleted changes the sum.
  private var change: UInt64 = 0
  /// Of the transaction that writes: its version, and the sum of the version before it; the latter nil when it is not known.
  private var base: (version: UInt64, sum: UInt64?)?
  /// Of the version that was last committed here.
  private var known: (version: UInt64, sum: UInt64)?
  /// Whether the transaction that writes has replaced or deleted something damaged.
  private var isLost = false

  /// A transaction begins to write.
  func begin() {
    change = 0
    base = nil
    isLost = false
  }

  /// The transaction that writes has become a version.
  func noteCommit() {
    known = isLost ? nil : base.flatMap { base in base.sum.map { (base.version, $0 &+ change) } }
  }

  @inline(__always)
  func add(_ stored: UnsafeRawBufferPointer) { change &+= Self.weight(stored) }

  @inline(__always)
  func subtract(_ stored: UnsafeRawBufferPointer) { change &-= Self.weight(stored) }

  /// What was taken off is not what was added once.
  func lose() { isLost = true }

  /// The sum with all that a transaction has written; nil when it is not known.
  func sum(_ target: EntryTransaction) -> UInt64? {
    if isLost { return nil }
    let version = target.version
    if base?.version != version {
      let former = known.flatMap { $0.version + 1 == version ? $0.sum : nil }
      base = (version, former ?? Self.logged(version - 1, target))
    }
    return base?.sum.map { $0 &+ change }
  }

  /// What the log says of a version, the last one that a transaction shows; nil when that is not known.
  static func logged(_ version: UInt64, _ transaction: EntryTransaction) -> UInt64? {
    guard let cursor = try? LogCursor(transaction, EntryTree.main) else { return nil }
    defer { cursor.close() }
    var sum: UInt64?
    var next = try? cursor.seek(version)
    while let logged = next, logged.version == version, !logged.isBlock {
      sum = (try? cursor.value(logged)).flatMap { ChangeLog.sealSum(of: $0) }
      next = try? cursor.next()
    }
    // A log that goes on is another file's.
    return next == nil ? sum : nil
  }

  // MARK: What counts

  /// Whether an entry counts.
  @inline(__always)
  static func counts(_ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int) -> Bool {
    database.number > EntryTree.main.number || (database == .main && counts(key, keySize))
  }

  private static func counts(_ key: UnsafeRawPointer, _ keySize: Int) -> Bool {
    let key = UnsafeRawBufferPointer(start: key, count: keySize)
    return LogKey.version(key) == nil && !key.elementsEqual(FileFormat.key)
  }

  /// What a stored value counts, its seal included.
  @inline(__always)
  static func weight(_ stored: UnsafeRawBufferPointer) -> UInt64 {
    let size = Seal.size
    if stored.count < size { return 0 }
    let end = stored.count - size
    var bits =
      UInt64(UInt16(littleEndian: stored.loadUnaligned(fromByteOffset: end, as: UInt16.self))) << 32
      | UInt64(UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: end + 2, as: UInt32.self)))
    // The last step of MurmurHash3, by Austin Appleby, in the public domain.
    bits = (bits ^ bits >> 33) &* 0xff51_afd7_ed55_8ccd
    bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return bits ^ bits >> 33
  }
}

extension EntryTransaction {
  /// The content checksum with all that the transaction has written; nil when it is not known.
  var contentSum: UInt64? { environment.sealSum?.sum(self) }
}

extension ChangeLog {
  /// The sum of the seals that an entry says; nil when it says none, or cannot be read.
  static func sealSum(of entry: UnsafeRawBufferPointer) -> UInt64? {
    var reader = ByteReader(entry)
    guard VersionChanges(&reader) != nil else { return nil }
    if SyncedPart.follows(reader) { return SyncedPart(&reader)?.sum }
    return reader.read(UInt64.self)
  }

  /// Adds the entry of a version without changes to a file that is being made, whose environment does not determine how values are
  /// sealed.
  static func appendNothing(
    _ target: EntryTransaction, _ database: EntryTree, _ cipher: FileCipher?, version: UInt64? = nil,
    sum: UInt64?
  ) throws(EntryError) {
    let entry = emptyEntry(sum: sum)
    try LogKey(version ?? target.version).withBytes { (key, size) throws(EntryError) in
      _ = try target.store(database, key, size, size: entry.count, cipher) { place in
        entry.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      }
    }
  }
}
