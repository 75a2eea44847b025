import LibC

// What is known of a file without reading it.
extension PageStore {
  /// The file's descriptor, for locks on it and its size.
  package var descriptor: Int32 { file.owned.number }

  /// The version of the newest commit, by any process.
  package var newestVersion: UInt64 { memory[.newest] }

  /// Where the file is in memory. Of an encrypted file, what of it was decrypted.
  package var base: UnsafeRawPointer { map.base }

  /// Size in bytes of what the versions in use and those before them have taken.
  package var end: Int { Int(memory[.end]) * FileLayout.unit }

  /// Number of bytes of it that versions in use have, as of the last transaction. For the writer.
  package var usedSize: Int { used.count(before: Int(memory[.end])) * FileLayout.unit }

  /// Whether a process writes, or has died while it wrote: what it has left is put right by the next transaction, which may have another
  /// version to stand on then.
  package var isBeingWritten: Bool { memory[.working] != 0 }

  /// Whether nothing more is written, because a synchronisation has failed.
  package var hasFailed: Bool { memory[.poisoned] != 0 }

  /// Whether the newest version is where it was written, which is not so any more when another file, or a former content of this
  /// one, was written over it.
  package var isIntact: Bool {
    let newest = memory.published(memory[.newest])
    let anchorUnit = newest.anchorSlot * UInt64(FileLayout.unitsPerBlock)
    return has(newest.anchor, atUnit: anchorUnit)
      && (newest.recordUnit == 0 || has(newest.version, atUnit: newest.recordUnit))
  }

  private func has(_ version: UInt64, atUnit unit: UInt64) -> Bool {
    let record = try? file.record(atUnit: unit)
    return record?.fileNumber == memory[.fileNumber] && record?.version == version
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
}
