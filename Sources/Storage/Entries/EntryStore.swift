import LibC
import Pages

/// An open file of pages. Any thread may use it, until it is closed.
final class EntryStore: @unchecked Sendable {
  /// How the file is open.
  enum Access {
    case store(PageStore)
    /// By a process that only reads.
    case viewer(PageViewer)
  }

  /// Nil when it has been closed.
  private(set) var access: Access?
  /// As it was given when the file was opened.
  let path: String?
  let mapSize: Int
  let isEncrypted: Bool

  /// Opens a file that is not open in this process.
  ///
  /// - Parameters:
  ///   - mapSize: How large the file can become. That much address space is taken, or less where limits do not allow it.
  ///   - firstVersion: The version with which a file begins that is not there.
  ///   - encryptionKey: 64 bytes; nil for a file that is not encrypted.
  ///   - hasWriterLock: Whether every transaction that writes is begun by a holder of the file's writer lock.
  ///   - expected: The files that must have the names.
  static func open(
    _ path: String, mapSize: Int, isReadOnly: Bool = false, firstVersion: UInt64 = 1,
    encryptionKey: [UInt8]? = nil, hasWriterLock: Bool = false, expected: ExpectedFiles = ExpectedFiles()
  ) throws(EntryError) -> EntryStore {
    var mapSize = mapSize
    while true {
      do throws(EntryError) {
        return try open(
          path, mapping: mapSize, isReadOnly: isReadOnly, firstVersion, encryptionKey, hasWriterLock, expected
        )
      } catch {
        guard error.isMapTooLarge, mapSize > smallestMap else { throw error }
        mapSize >>= 1
      }
    }
  }

  /// A map of this size, in bytes, is not halved any more.
  private static let smallestMap = 1 << 30

  private static func open(
    _ path: String, mapping mapSize: Int, isReadOnly: Bool, _ firstVersion: UInt64,
    _ encryptionKey: [UInt8]?, _ hasWriterLock: Bool, _ expected: ExpectedFiles
  ) throws(EntryError) -> EntryStore {
    try withPageErrors { () throws(PageError) in
      let decryptedLimit = DecryptedLimits.idle.load(ordering: .relaxed)
      let access =
        isReadOnly
        ? Access.viewer(
          try PageViewer(
            path: path, mapLimit: mapSize, key: encryptionKey, decryptedLimit: decryptedLimit,
            expecting: expected))
        : .store(
          try PageStore(
            path: path,
            options: PageStore.Options(
              mapLimit: mapSize, key: encryptionKey, decryptedLimit: decryptedLimit,
              firstVersion: firstVersion, hasWriterLock: hasWriterLock, expected: expected)))
      return EntryStore(access, path, mapSize: mapSize)
    }
  }

  private init(_ access: Access, _ path: String, mapSize: Int) {
    (self.access, self.path, self.mapSize) = (access, path, mapSize)
    isEncrypted =
      switch access {
      case .store(let store): store.isEncrypted
      case .viewer(let viewer): viewer.isEncrypted
      }
  }

  /// No transaction may be open. What a failure leaves is put right by the next opening.
  func close() {
    if case .store(let store) = access { try? store.close() }
    access = nil
  }

  // MARK: The file

  /// The size in bytes of what is written to the disk as a whole.
  static let pageSize = 4096

  /// Nil for a process that only reads.
  var store: PageStore? { if case .store(let store) = access { store } else { nil } }

  /// The descriptor of the file.
  var descriptor: Int32 {
    get throws(EntryError) {
      switch access {
      case .store(let store): return store.descriptor
      case .viewer(let viewer): return viewer.descriptor
      case nil: throw .badTransaction
      }
    }
  }

  /// Where the file is in memory.
  var base: UnsafeRawPointer {
    switch access! {
    case .store(let store): store.base
    case .viewer(let viewer): viewer.base
    }
  }

  /// The version of the newest commit, by any process.
  var newestVersion: UInt64 {
    switch access {
    case .store(let store): store.newestVersion
    case .viewer(let viewer): viewer.newestVersion
    case nil: 0
    }
  }

  /// Number of bytes that hold data; nil when that cannot be found out.
  var usedSize: Int? {
    switch access {
    case .store(let store): store.usedSize
    case .viewer(let viewer): viewer.usedSize
    case nil: nil
    }
  }

  /// The versions that readers hold: of all processes, or of others than one that only reads.

  var heldVersions: [HeldVersion] {
    switch access {
    case .store(let store): store.heldVersions
    case .viewer(let viewer): viewer.heldVersions
    case nil: []
    }
  }

  /// Size in bytes of what the versions have taken.
  var end: Int {
    if let store { return store.end }
    var information = stat()
    guard let descriptor = try? descriptor, fstat(descriptor, &information) == 0 else { return 0 }
    return Int(information.st_size)
  }

  /// Whether the newest version is where it was written, which is not so any more when another file was written over this one.
  func isIntact() throws(EntryError) -> Bool {
    try withPageErrors { () throws(PageError) in try store?.isIntact() ?? true }
  }

  /// Brings what was committed to the disk.
  func synchronise() throws(EntryError) {
    guard let store else { return }
    _ = try withPageErrors { () throws(PageError) in try store.synchronise() }
  }

  // MARK: Transactions

  /// A transaction that holds the newest version.
  func beginReading() throws(EntryError) -> EntryTransaction {
    let transaction = EntryTransaction(self)
    try transaction.renew()
    return transaction
  }

  /// Waits until no other process writes.
  func beginWriting() throws(EntryError) -> EntryTransaction {
    guard let store else { throw .badTransaction }
    return EntryTransaction(
      self, writing: try withPageErrors { () throws(PageError) in try PageTransaction(store) })
  }

  /// Holds the newest version.
  func hold() throws(PageError) -> PageVersion {
    switch access {
    case .store(let store): return try PageVersion(store)
    case .viewer(let viewer): return try viewer.hold()
    case nil: throw .forked
    }
  }
}
