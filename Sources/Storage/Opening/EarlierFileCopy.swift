import EarlierFiles
import LibC

/// Writes what a file of an earlier format holds to a new file of pages, in one transaction that gives it the same version.
struct EarlierFileCopy {
  private let source: EarlierFile
  /// The path of the file, for messages.
  private let path: String
  private let encryptionKey: [UInt8]?
  private let location: FileLocation

  /// Opens a file of an earlier format, and verifies its key.
  ///
  /// - Parameters:
  ///   - descriptor: Is open to read. No process writes to the file meanwhile.
  ///   - isInUse: Whether processes of earlier versions have it open: then the newest version is whole.
  init(
    _ location: FileLocation, descriptor: Int32, isInUse: Bool, encryptionKey: [UInt8]?
  ) throws(StorageError) {
    path = location.path
    self.encryptionKey = encryptionKey
    source = try Self.describing(location) { () throws(EarlierFileError) in
      try EarlierFile(
        descriptor: descriptor, journalPath: location.journalPath, isInUse: isInUse,
        encryptionKey: encryptionKey)
    }
    self.location = location
  }

  /// The number of the file's format.
  var format: UInt32 { source.format }

  /// Writes a new file, and closes it. The disk has it then, but for its name.
  func write(to place: String) throws(StorageError) {
    let store = try open(place)
    defer { store.close() }
    let transaction = try writing { () throws(EntryError) in try store.beginWriting() }
    do throws(StorageError) {
      try write(transaction)
    } catch {
      transaction.abort()
      throw error
    }
    try writing { () throws(EntryError) in
      try transaction.commit(.relaxed)
      try store.synchronise()
    }
  }

  /// A new file that can become as large as the source, and much larger.
  private func open(_ place: String) throws(StorageError) -> EntryStore {
    let mapSize = DatabaseFile.mapSize(openCount: 0, fileSize: source.fileSize)
    return try StorageError.describing(path) { () throws(EntryError) in
      try .open(
        place, mapSize: mapSize, firstVersion: max(source.version, 2) - 1, encryptionKey: encryptionKey)
    }
  }

  private func write(_ transaction: EntryTransaction) throws(StorageError) {
    var weight: UInt64 = 0
    var log = LoggedSum(before: source.version)
    for tree in EarlierFile.Tree.allCases {
      let target = EntryTree(named: tree.rawValue)!
      var entries = try reading { () throws(EarlierFileError) in try source.entries(of: tree) }
      // Keys of encrypted files were hidden one by one.
      var repacking = BlockRepacking(path: path, hidKeys: source.isEncrypted)
      let isRepacked = tree == .indexes && source.isEncrypted
      while let entry = try reading({ () throws(EarlierFileError) in try entries.next() }) {
        if tree == .main { log.note(entry.key, entry.value) }
        if isRepacked {
          try repacking.add(entry.value, at: entry.key) { (key, value) throws(StorageError) in
            try write(value, at: key, to: target, transaction)
          }
        } else {
          try write(entry.value, at: entry.key, to: target, transaction)
        }
      }
      try repacking.flush { (key, value) throws(StorageError) in
        try write(value, at: key, to: target, transaction)
      }
      weight &+= entries.weight
    }
    if let fault = log.fault(weight: weight) { throw Self.damaged(location, fault) }
    try writing { () throws(EntryError) in
      // Each version has an entry.
      if transaction.version > source.version { try ChangeLog.appendNothing(transaction, .main) }
      try FileFormat.write(transaction, .main)
    }
  }

  private func write(
    _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, to tree: EntryTree,
    _ transaction: EntryTransaction
  ) throws(StorageError) {
    try writing { () throws(EntryError) in
      try transaction.store(tree, key.baseAddress!, key.count, size: value.count) { place in
        if let start = value.baseAddress { place.copyMemory(from: start, byteCount: value.count) }
      }
    }
  }

  // MARK: Errors

  private func reading<Result>(
    _ body: () throws(EarlierFileError) -> Result
  ) throws(StorageError) -> Result {
    try Self.describing(location, body)
  }

  private func writing<Result>(_ body: () throws(EntryError) -> Result) throws(StorageError) -> Result {
    do throws(EntryError) {
      return try body()
    } catch {
      throw error.code > 0 ? .writing(error.code, path: path) : .of(error, path: path)
    }
  }
}

/// What the last entry of a change log says that the checksums of all values amount to.
private struct LoggedSum {
  private let newest: UInt64
  private var last: (version: UInt64, entry: [UInt8])?
  private var isForeign = false

  /// - Parameter newest: The version of the file.
  init(before newest: UInt64) { self.newest = newest }

  /// Notes an entry of the main tree, in the order of the keys.
  mutating func note(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard let version = LogKey.version(key), !LogKey.isBlock(key) else { return }
    if version > newest { isForeign = true } else { last = (version, Array(value)) }
  }

  /// The sum that an entry says; nil if it says none, or cannot be read.
  private static func sum(_ entry: UnsafeRawBufferPointer) -> UInt64? {
    var reader = ByteReader(entry)
    guard VersionChanges(&reader) != nil else { return nil }
    if SyncedPart.follows(reader) { return SyncedPart(&reader)?.sum }
    return reader.read(UInt64.self)
  }

  /// What is wrong with a file whose values weigh this much; nil for nothing.
  func fault(weight: UInt64) -> String? {
    // The log of a copy may be the original's.
    guard !isForeign, let last, let sum = last.entry.withUnsafeBytes(Self.sum) else { return nil }
    if last.version != newest {
      return "its log ends with version \(last.version), and its newest version is \(newest)"
    }
    return sum == weight ? nil : "values are missing, or as they were before, on pages that are sound"
  }
}
