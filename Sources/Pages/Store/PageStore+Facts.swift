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

  /// Number of bytes of it that versions in use have, as of the last transaction.
  package var usedSize: Int {
    guard (try? findSpace()) != nil else { return end }
    return used.count(before: Int(memory[.end])) * FileLayout.unit
  }

  /// Whether a process writes, or has died while it wrote: what it has left is put right by the next transaction, which may have another
  /// version to stand on then.
  package var isBeingWritten: Bool { memory[.working] != 0 }

  /// Whether nothing more is written, because a synchronisation has failed.
  package var hasFailed: Bool { memory[.poisoned] != 0 }

  /// Whether the newest version is where it was written, which is not so any more when another file, or a former content of this
  /// one, was written over it.
  package var isIntact: Bool {
    let newest = memory.published(memory[.newest])
    if newest.recordUnit != 0 { return has(newest.version, atUnit: newest.recordUnit) }
    return has(newest.anchor, atUnit: newest.anchorSlot * UInt64(FileLayout.unitsPerBlock))
  }

  private func has(_ version: UInt64, atUnit unit: UInt64) -> Bool {
    (try? file.hasRecord(of: version, fileNumber: memory[.fileNumber], atUnit: unit)) ?? false
  }

  /// The version that the disk has.
  package var durableVersion: UInt64 { memory.durable.version }

  /// A version that a reader holds.
  package struct HeldVersion: Sendable {
    package let isOwn: Bool
    package let version: UInt64
    fileprivate let process: UInt64
  }

  /// The versions that readers of any process hold, but for those without access to the lock file.
  package var heldVersions: [HeldVersion] {
    readers.heldVersions().map {
      HeldVersion(isOwn: $0.process == users.process, version: $0.version, process: $0.process)
    }
  }

  /// Size in bytes of what only some versions need.
  package func size(heldFor versions: Set<UInt64>) -> Int {
    givenUp.unitCount(heldFor: versions) * FileLayout.unit
  }

  /// The system's number of the process of a reader; nil when it is in a PID namespace that this one cannot see.
  package func process(of held: HeldVersion) -> Int32? { users.systemNumber(held.process) }
}

extension PageViewer {
  package var descriptor: Int32 { file.owned.number }

  package var base: UnsafeRawPointer { map.base }

  package func checkKey(_ key: [UInt8]?) throws(PageError) { try file.checkKey(key) }

  package var isEncrypted: Bool { file.cipher != nil }

  package var decryptedSize: Int { map.decrypted?.size ?? 0 }
}
