import LibC

// What is known of a file without reading it.
extension PageStore {
  /// The file's descriptor, for locks on it and its size.
  package var descriptor: Int32 { file.owned.number }

  /// Throws `PageError.wrongKey`, `missingKey` or `notEncrypted` unless a key is the file's; nil stands for a plain file.
  package func checkKey(_ key: [UInt8]?) throws(PageError) { try file.checkKey(key) }

  package var isEncrypted: Bool { file.cipher != nil }

  /// Number of bytes of an encrypted file that are decrypted in memory.
  package var decryptedSize: Int { map.decrypted?.size ?? 0 }

  /// The version of the newest commit, by any process.
  package var newestVersion: UInt64 { memory[.newest] }

  /// Where the file is in memory. Of an encrypted file, what of it was decrypted.
  package var base: UnsafeRawPointer { map.base }

  /// Size in bytes of what the versions in use and those before them have taken.
  package var end: Int { Int(memory[.end]) * FileLayout.unit }

  /// Number of bytes of it that versions in use have, as of the last search for free space; before the first one, those of the newest
  /// version.
  package var usedSize: Int {
    if memory[.spaceUnknown] == 0 { return Int(min(memory[.usedCount], memory[.end])) * FileLayout.unit }
    return isWithinMap ? (try? newestSize()) ?? end : end
  }

  private func newestSize() throws(PageError) -> Int {
    let version = try PageVersion(self)
    defer { version.release() }
    return try version.usedSize
  }

  /// Whether a process writes, or has died while it wrote: what it has left is put right by the next transaction, which may have another
  /// version to stand on then.
  package var isBeingWritten: Bool { memory[.working] != 0 }

  /// Whether nothing more is written, because a synchronisation has failed.
  package var hasFailed: Bool { memory[.poisoned] != 0 }

  /// Whether the newest version is where it was written, which is not so any more when another file, or a former content of this
  /// one, was written over it.
  package func isIntact() throws(PageError) -> Bool {
    let newest = memory.published(memory[.newest])
    // The record may lie behind the end of what was written over the file.
    guard try has(newest.anchor, atUnit: newest.anchorSlot * UInt64(FileLayout.unitsPerBlock)) else {
      return false
    }
    if newest.recordUnit == 0 { return true }
    return try has(newest.version, atUnit: newest.recordUnit)
  }

  private func has(_ version: UInt64, atUnit unit: UInt64) throws(PageError) -> Bool {
    try file.hasRecord(of: version, fileNumber: memory[.fileNumber], atUnit: unit)
  }

  /// The version that the disk has.
  package var durableVersion: UInt64 { memory.durable.version }

  /// The versions that readers of any process hold.
  package var heldVersions: [HeldVersion] {
    readers.heldVersions().map {
      HeldVersion(
        isOwn: $0.process == users.process, process: users.systemNumber($0.process), version: $0.version)
    } + OutsideReaders.all(file)
  }

  /// The oldest version that a reader of any process holds; nil when there is none.
  package var oldestHeldVersion: UInt64? {
    let outside = try? OutsideReaders.versions(file, before: newestVersion)
    return (readers.heldVersions().map(\.version) + (outside ?? [])).min()
  }

  /// Size in bytes of what only some versions need.
  package func size(heldFor versions: Set<UInt64>) -> Int {
    givenUp.unitCount(heldFor: versions) * FileLayout.unit
  }
}

extension PageStore {
  /// Whether a file may be one of pages, or what is left of one that was being made: of any other, nothing is touched.
  package static func mayBePages(_ descriptor: Int32) -> Bool {
    let size = FileLayout.firstUnit * FileLayout.unit
    var bytes = [UInt8](repeating: 0, count: size + 1)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    if count < 0 { return true }
    if count <= size && bytes.allSatisfy({ $0 == 0 }) { return true }
    return bytes.withUnsafeBytes { bytes in
      (0..<FileLayout.slotCount).contains {
        VersionRecord.salt(at: bytes.baseAddress! + $0 * FileLayout.block) != nil
      }
    }
  }
}

extension PageViewer {
  /// Number of bytes that the newest version has; nil when it cannot be read. Reads all nodes.
  package var usedSize: Int? {
    guard let version = try? hold() else { return nil }
    defer { version.release() }
    return try? version.usedSize
  }

  package var descriptor: Int32 { file.owned.number }

  package var base: UnsafeRawPointer { map.base }

  package func checkKey(_ key: [UInt8]?) throws(PageError) { try file.checkKey(key) }

  package var isEncrypted: Bool { file.cipher != nil }

  package var decryptedSize: Int { map.decrypted?.size ?? 0 }

  /// The versions that readers of other processes hold, as far as this one can read that.
  package var heldVersions: [HeldVersion] {
    var held = OutsideReaders.all(file)
    if let memory = readableMemory {
      held += Readers.announced(memory, { FileUsers.isAlive($0, file.owned) }).map {
        HeldVersion(
          isOwn: false, process: FileUsers.systemNumber($0.process, lockFile: memory.descriptor),
          version: $0.version)
      }
    }
    return held
  }
}

/// A version that a reader holds.
package struct HeldVersion: Sendable {
  package let isOwn: Bool
  /// The system's number of its process; nil when it is in a PID namespace that this one cannot see.
  package let process: Int32?
  package let version: UInt64
}
