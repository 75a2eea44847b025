import LibC

extension PageVersion {
  /// Holds the newest version of a file that is too damaged to be opened: as its header says, or else that of the newest record that
  /// is found anywhere in it.
  ///
  /// - Returns: The version, and whether it was found by its header.
  /// - Throws: `PageError.notPages` when there is no record.
  package static func newest(
    ofDamagedFile path: String, key: [UInt8]?
  ) throws(PageError) -> (version: PageVersion, isOfHeader: Bool) {
    let file = try DiskFile(path: path, O_RDONLY, watcher: nil)
    let smallest = (try file.size + 1 << 30) & ~(FileLayout.block - 1)
    // Records of a file that was cut off say more than there is.
    var limit = max(1 << 40, smallest)
    while true {
      do throws(PageError) {
        return try newest(ofDamagedFile: file, path, key, limit)
      } catch .system(ENOMEM) where limit > smallest {
        limit = max(limit >> 1, smallest)
      }
    }
  }

  private static func newest(
    ofDamagedFile file: DiskFile, _ path: String, _ key: [UInt8]?, _ limit: Int
  ) throws(PageError) -> (version: PageVersion, isOfHeader: Bool) {
    do throws(PageError) {
      return (try PageViewer(path: path, mapLimit: limit, key: key).hold(), true)
    } catch {
      switch error {
      case .damaged, .truncated, .notPages, .wrongKey, .missingKey: break
      default: throw error
      }
    }
    guard let record = try file.findNewestRecord(key, limit) else { throw .notPages }
    let map = try FileMap(file, limit: limit, decryptedLimit: 0)
    return (try PageVersion(map, record.version, record.root), false)
  }

  /// Whether a header slot of a file has something that is no record. A power failure may have interrupted its writing; otherwise it
  /// may have been the only other record of the newest version.
  ///
  /// To be called before the file is opened, which may write to the slot.
  package static func hasUnreadableSlot(
    ofFile path: String, key: [UInt8]?
  ) throws(PageError) -> Bool {
    let file = try DiskFile(path: path, O_RDONLY, watcher: nil)
    try file.findCipher(key)
    // Without any record, it is another kind of file, or damaged as a whole.
    if try Recovery.slots(file, FileLayout.sizeLimit).isEmpty { return false }
    for _ in 0..<3 {
      let isUnreadable = try (0..<FileLayout.slotCount).map { (slot) throws(PageError) in
        try file.isUnreadable(slot: slot)
      }
      if !isUnreadable.contains(true) { return false }
      // A process may be writing the slot just now.
      usleep(1000)
    }
    return true
  }

  /// The newest version that any record in a file says was on the disk, also one to which nothing leads any more; nil without a record.
  /// Reads the whole file.
  ///
  /// To be called before a version is held: none that is held afterwards is older, unless the file has lost it.
  package static func statedDurable(ofFile path: String, key: [UInt8]?) throws(PageError) -> UInt64? {
    let file = try DiskFile(path: path, O_RDONLY, watcher: nil)
    try file.findCipher(key)
    let slots = try Recovery.slots(file, FileLayout.sizeLimit)
    guard let newest = slots.map(\.record).max(by: { $0.version < $1.version }) else { return nil }
    var durable = newest.durable
    try file.forEachRecord(ofFile: newest.fileNumber, FileLayout.sizeLimit) {
      durable = max(durable, $0.durable)
    }
    return durable
  }

  /// Size of the file in bytes.
  package var fileSize: Int { get throws(PageError) { try map.file.size } }
}

extension DiskFile {
  /// Searches the file for the newest record, and keeps how it is encrypted.
  fileprivate func findNewestRecord(_ key: [UInt8]?, _ mapLimit: Int) throws(PageError) -> VersionRecord? {
    var newest: (record: VersionRecord, cipher: PageCipher?)?
    var ciphers: [[UInt8]: PageCipher] = [:]
    try forEachUnit {
      VersionRecord.salt(at: $0) != nil
    } _: { start, unit in
      guard let salt = VersionRecord.salt(at: start) else { return }
      if let key, salt != VersionRecord.noSalt, ciphers[salt] == nil {
        ciphers[salt] = PageCipher(key: key, salt: salt)
      }
      guard let record = VersionRecord(at: start, ciphers[salt]), record.isPlausible(mapLimit),
        record.isAt(unit: unit), record.version > newest?.record.version ?? 0
      else { return }
      newest = (record, ciphers[salt])
    }
    cipher = newest?.cipher
    return newest?.record
  }
}
