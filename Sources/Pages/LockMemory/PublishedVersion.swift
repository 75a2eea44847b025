/// What is known of a version in the shared memory: 128 bytes.
///
/// Invariant of the four places for the last versions: a place is written by the one writer, before the version becomes the
/// newest, four versions after the one that was there. A reader of one looks afterwards whether the newest version is still the
/// same or close enough.
struct PublishedVersion: Equatable {
  static let size = 128
  private static let lastFour = 512
  private static let durablePlaces = 2048
  private static let syncingPlace = 2048 + 2 * size
  fileprivate static let failedPlace = LockMemory.Word.failed.rawValue + 8
  fileprivate static let failedLifePlace = failedPlace + size

  var version: UInt64 = 0
  var root = Reference.none
  /// Where its record is; 0 when it has none but that in a slot.
  var recordUnit: UInt64 = 0
  /// Where the next record goes.
  var next: UInt64 = 0
  var nextCount: UInt64 = 0
  /// The slot from which the chain to its record begins, and the version in that slot.
  var anchorSlot: UInt64 = 0
  var anchor: UInt64 = 0
  /// What the record says was durable.
  var durable: UInt64 = 0
  /// The life of the file in which it was made.
  var life: UInt64 = 0

  init() {}

  init(_ record: VersionRecord, anchorSlot: Int, anchor: UInt64) {
    (version, root, recordUnit, durable) = (record.version, record.root, record.unit, record.durable)
    (next, nextCount) = (record.next, UInt64(record.nextCount))
    (self.anchorSlot, self.anchor) = (UInt64(anchorSlot), anchor)
    life = record.life
  }

  fileprivate init(_ memory: LockMemory, _ offset: Int) {
    root = memory.reference(offset + 8)
    version = memory.load(offset)
    (recordUnit, next, nextCount) = (
      memory.load(offset + 40), memory.load(offset + 48), memory.load(offset + 56)
    )
    (anchorSlot, anchor) = (memory.load(offset + 64), memory.load(offset + 72))
    (durable, life) = (memory.load(offset + 80), memory.load(offset + 88))
  }

  fileprivate func store(_ memory: LockMemory, _ offset: Int) {
    memory.storePart(version, offset)
    memory.storeParts(root, offset + 8)
    memory.storePart(recordUnit, offset + 40)
    memory.storePart(next, offset + 48)
    memory.storePart(nextCount, offset + 56)
    memory.storePart(anchorSlot, offset + 64)
    memory.storePart(anchor, offset + 72)
    memory.storePart(durable, offset + 80)
    memory.storePart(life, offset + 88)
  }

  fileprivate static func place(_ version: UInt64) -> Int { lastFour + Int(version & 3) * size }
  fileprivate static func durablePlace(_ turn: UInt64) -> Int { durablePlaces + Int(turn & 1) * size }
  fileprivate static var syncing: Int { syncingPlace }
}

extension LockMemory {
  /// What is known of one of the last versions. Only the writer, and a reader that compares the newest version afterwards, gets what was asked for.
  func published(_ version: UInt64) -> PublishedVersion {
    PublishedVersion(self, PublishedVersion.place(version))
  }

  /// The root alone, for readers.
  func publishedRoot(_ version: UInt64) -> Reference { reference(PublishedVersion.place(version) + 8) }

  /// Makes a version the newest one.
  func publish(_ version: PublishedVersion) {
    version.store(self, PublishedVersion.place(version.version))
    self[.newest] = version.version
  }

  /// The version that the disk is known to have. Only the holder of the lock for synchronising changes it.
  var durable: PublishedVersion {
    while true {
      let turn = self[.durableTurn]
      let version = PublishedVersion(self, PublishedVersion.durablePlace(turn))
      if self[.durableTurn] == turn { return version }
    }
  }

  func setDurable(_ version: PublishedVersion) {
    let turn = self[.durableTurn]
    version.store(self, PublishedVersion.durablePlace(turn + 1))
    self[.durableTurn] = turn + 1
  }

  /// A failure, after which the file is an older version than the newest one.
  struct Failure {
    /// Its `durable` says what the disk had then: another version if this one was still on its way, and may have been lost since.
    let version: PublishedVersion
    /// The life of the newer versions, which do not count: others have written what has another one.
    let life: UInt64

    var isDurable: Bool { version.durable == version.version }
  }

  /// The last failure; nil when there was none in this boot of the system.
  func failure(_ boot: UInt64) -> Failure? {
    if self[.failed] != boot { return nil }
    return Failure(
      version: PublishedVersion(self, PublishedVersion.failedPlace),
      life: load(PublishedVersion.failedLifePlace))
  }

  /// Notes a failure, so that an opening that does not come to its end does not hide it.
  func noteFailure(_ failure: Failure, _ boot: UInt64) {
    failure.version.store(self, PublishedVersion.failedPlace)
    storePart(failure.life, PublishedVersion.failedLifePlace)
    self[.failed] = boot
  }

  /// The version that is on its way to the disk.
  var syncing: PublishedVersion? {
    while true {
      let number = self[.syncing]
      if number == 0 { return nil }
      let version = PublishedVersion(self, PublishedVersion.syncing)
      if self[.syncing] == number && version.version == number { return version }
    }
  }

  /// Says that the newest version goes to the disk now. Returns it.
  func beginSynchronising() -> PublishedVersion {
    while true {
      let number = self[.newest]
      let version = published(number)
      self[.syncing] = 0
      if version.version != number { continue }
      version.store(self, PublishedVersion.syncing)
      self[.syncing] = number
      // A writer that has not seen the announcement has not made another version yet.
      if self[.newest] == number { return version }
    }
  }

  func endSynchronising() { self[.syncing] = 0 }
}
