import LibC

/// The versions that a file may be, found from its header slots and the chains that begin there.
struct Recovery {
  struct Candidate {
    let record: VersionRecord
    /// The slot in which its chain begins, and the version there.
    let slot: Int
    let anchor: UInt64
  }

  private let mapLimit: Int
  let slots: [(index: Int, record: VersionRecord)]
  /// The newest first; of one version that which the disk was known to have.
  private(set) var candidates: [Candidate] = []

  init(_ file: DiskFile, mapLimit: Int) throws(PageError) {
    self.mapLimit = mapLimit
    slots = try Self.slots(file, mapLimit)
    for slot in slots {
      for record in try [slot.record] + Self.chain(file, from: slot.record, mapLimit) {
        candidates.append(.init(record: record, slot: slot.index, anchor: slot.record.version))
      }
    }
    candidates.sort {
      ($0.record.version, $0.record.durable, $0.anchor) > ($1.record.version, $1.record.durable, $1.anchor)
    }
  }

  /// The records in the header slots.
  static func slots(
    _ file: DiskFile, _ mapLimit: Int
  ) throws(PageError) -> [(index: Int, record: VersionRecord)] {
    var slots: [(index: Int, record: VersionRecord)] = []
    for index in 0..<FileLayout.slotCount {
      guard let record = try file.record(atUnit: UInt64(index * FileLayout.unitsPerBlock)),
        try isPlausible(record, mapLimit)
      else { continue }
      slots.append((index, record))
    }
    return slots
  }

  /// The record that follows one; nil when none does.
  static func follower(
    _ file: DiskFile, of record: VersionRecord, _ mapLimit: Int
  ) throws(PageError) -> VersionRecord? {
    guard record.next != 0, let next = try file.record(atUnit: record.next), record.isFollowed(by: next),
      try isPlausible(next, mapLimit)
    else { return nil }
    return next
  }

  /// Throws when the record is of a file that is too large for this process to map: no older version takes its place.
  private static func isPlausible(_ record: VersionRecord, _ mapLimit: Int) throws(PageError) -> Bool {
    if record.isPlausible(mapLimit) { return true }
    if record.isPlausible(FileLayout.sizeLimit) { throw .system(ENOMEM) }
    return false
  }

  /// The records that follow one, up to a version.
  static func chain(
    _ file: DiskFile, from first: VersionRecord, to last: UInt64 = .max, _ mapLimit: Int
  ) throws(PageError) -> [VersionRecord] {
    var chain: [VersionRecord] = []
    var record = first
    while record.version < last, let next = try follower(file, of: record, mapLimit) {
      chain.append(next)
      record = next
    }
    return chain
  }

  /// The number of the file; nil when there is no record.
  var fileNumber: UInt64? { slots.map(\.record).max { $0.version < $1.version }?.fileNumber }

  /// The newest version that a record of a chain says the disk has. None before it is the file's: that one is damaged if it is not whole.
  var durable: UInt64 {
    candidates.lazy.map(\.record).filter { $0.fileNumber == fileNumber }.map(\.durable).max() ?? 0
  }

  /// The newest record of the file's number.
  var newest: VersionRecord? { candidates.lazy.map(\.record).first { $0.fileNumber == fileNumber } }

  /// The candidates of the file's number.
  private var own: some Sequence<Candidate> {
    candidates.lazy.filter { [fileNumber] in $0.record.fileNumber == fileNumber }
  }

  /// Whether the file has a version as it was known, in the chain of the same slot.
  func has(_ version: PublishedVersion) -> Bool {
    own.contains {
      $0.record.version == version.version && $0.record.root == version.root
        && UInt64($0.slot) == version.anchorSlot
    }
  }

  /// Whether a version was the last one that counted: memory that says so is of a former time when the file has newer ones of
  /// another life, or one that was durable.
  func fits(_ version: PublishedVersion, life: UInt64) -> Bool {
    has(version)
      && own.allSatisfy {
        $0.record.durable <= version.version
          && ($0.record.version <= version.version || $0.record.life == life)
      }
  }

  /// The newest version that a record says the disk has; nil if the file is a copy, of which the disk may have nothing.
  func durableVersion(ofFile identity: FileIdentity) -> PublishedVersion? {
    let durable = durable
    return candidates.first {
      $0.record.fileNumber == fileNumber && $0.record.version == durable && $0.record.file == identity
    }.map { PublishedVersion($0.record, anchorSlot: $0.slot, anchor: $0.anchor) }
  }

  /// The newest version that a record says the disk has: of a copy, any record in it, also those to which no chain leads.
  ///
  /// A tool that copies a file while processes write it may read the slots first, and what newer commits have written over the chains
  /// behind them later. The copy then begins with a version that was replaced long ago, and may even have all parts of it.
  ///
  /// A record states only a version that the disk had when the record was written, and no recovery goes back behind such a version.
  /// So a file at version *v* never has a record that states a newer one: neither a stale one, which states an older version than the records that
  /// followed it, nor one of a version that a power failure took back. It does not matter in which order the blocks were copied: where
  /// such a record is, a newer version was durable before that block was copied, and the copy lacks it.
  ///
  /// The reverse does not hold: a copy need not have a record that states the newest durable version.
  func durable(in file: DiskFile) throws(PageError) -> UInt64 {
    guard let newest, try file.isCopy(newest) else { return durable }
    var durable = durable
    try file.forEachRecord(ofFile: newest.fileNumber, mapLimit) { durable = max(durable, $0.durable) }
    return durable
  }

  static let lacksDurable =
    "it lacks a version that was durable, as a copy does that was made while a process wrote"

  var newestSeen: UInt64 { candidates.first?.record.version ?? 0 }
}
