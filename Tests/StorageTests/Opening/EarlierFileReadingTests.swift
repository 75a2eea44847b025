import EarlierFiles
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct EarlierFileReadingTests {
  private let folder = ScratchFolder()

  @Test(arguments: EarlierSample.all) func entriesAreThoseThatTheFormerVersionShows(
    _ sample: EarlierSample
  ) throws {
    let path = folder.path("a.realm")
    try sample.write(to: path)
    #expect(try sample.readListing(path) == sample.listing)
  }

  @Test func aMissingJournalIsTold() throws {
    let path = folder.path("a.realm")
    let sample = EarlierSample.named("format5-journal")
    try EarlierSample.write(sample.bytes, nil, to: path)
    #expect(throws: EarlierFileError.journalIsMissing) { try sample.readListing(path) }
  }

  @Test func otherFilesAreNotTakenForEarlierOnes() throws {
    let path = folder.path("a.realm")
    // The last one has LMDB's magic number as a part of another one.
    let others: [[UInt8]] = [
      [], [1], [UInt8](repeating: 0, count: 20_000), [UInt8](repeating: 7, count: 16) + Array("T-DB".utf8),
      [UInt8](repeating: 7, count: 16) + [0xDE, 0xC0, 0xEF, 0xBE, 7],
    ]
    for bytes in others {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let descriptor = open(path, O_RDONLY)
      defer { close(descriptor) }
      #expect(!EarlierFile.isEarlier(descriptor: descriptor))
      #expect(!EarlierFile.isUnfinished(descriptor: descriptor))
    }
  }

  /// A damaged file has the same content, or is told as damaged; where what says which version counts was hit,
  /// it may have that of another version.
  @Test(arguments: EarlierSample.all) func damageIsToldOrHarmless(_ sample: EarlierSample) throws {
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max), "\(#function) \(sample)")
    let path = folder.path("a.realm")
    let (bytes, journal, listing) = (try sample.bytes, try sample.journalBytes, try sample.listing)
    let versions = try sample.versions(at: path)
    #expect(versions.contains(EarlierSample.content(listing)))
    var (told, harmless, other) = (0, 0, 0)
    for _ in 0..<(TestLength.count(60, long: 1000)) {
      var damage = Damage(bytes, journal)
      damage.apply(&random)
      try EarlierSample.write(damage.file, damage.journal, to: path)
      do {
        let found = try sample.readListing(path)
        if found == listing {
          harmless += 1
        } else {
          other += 1
          #expect(damage.mayChangeVersion, "\(damage.description)")
          #expect(versions.contains(EarlierSample.content(found)), "\(damage.description)")
        }
      } catch is EarlierFileError {
        told += 1
      }
    }
    print("\(sample): \(told) told, \(harmless) without effect, \(other) of another version")
  }
}

/// What may happen to a file on a disk.
struct Damage {
  private(set) var file: [UInt8]
  private(set) var journal: [UInt8]?
  private(set) var description = ""
  /// Whether what says which version counts was hit: meta pages, the recovery record, the journal.
  private(set) var mayChangeVersion = false
  private static let pageSize = 4096

  init(_ file: [UInt8], _ journal: [UInt8]?) { (self.file, self.journal) = (file, journal) }

  mutating func apply(_ random: inout SeededGenerator) {
    if var changed = journal, Int.random(in: 0..<4, using: &random) == 0 {
      mayChangeVersion = true
      description = "journal: "
      Self.apply(to: &changed, &random, &description)
      journal = changed
      return
    }
    let before = file
    Self.apply(to: &file, &random, &description)
    mayChangeVersion = before.prefix(2 * Self.pageSize) != file.prefix(2 * Self.pageSize)
  }

  private static func apply(
    to bytes: inout [UInt8], _ random: inout SeededGenerator, _ description: inout String
  ) {
    let pages = max(1, bytes.count / pageSize)
    // The first two pages are small, and matter most.
    let page =
      Int.random(in: 0..<4, using: &random) == 0
      ? Int.random(in: 0..<min(2, pages), using: &random) : Int.random(in: 0..<pages, using: &random)
    let start = page * pageSize
    let end = min(start + pageSize, bytes.count)
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1:
      // Headers and the nodes of a page are at its ends.
      let place =
        Bool.random(using: &random)
        ? Int.random(in: start..<min(start + 700, end), using: &random)
        : Int.random(in: start..<end, using: &random)
      let bit = Int.random(in: 0..<8, using: &random)
      bytes[place] ^= 1 << UInt8(bit)
      description += "bit \(bit) of byte \(place)"
    case 2:
      let size = [8, 64, 512, 4096].randomElement(using: &random)!
      let first = start + Int.random(in: 0..<pageSize / size, using: &random) * size
      for place in first..<min(first + size, end) { bytes[place] = 0 }
      description += "\(size) zeros at \(first)"
    case 3:
      let other = Int.random(in: 0..<pages, using: &random) * pageSize
      for place in 0..<min(pageSize, bytes.count - max(start, other)) {
        bytes.swapAt(start + place, other + place)
      }
      description += "pages at \(start) and \(other) swapped"
    case 4:
      let other = Int.random(in: 0..<pages, using: &random) * pageSize
      for place in 0..<min(pageSize, bytes.count - max(start, other)) {
        bytes[start + place] = bytes[other + place]
      }
      description += "page at \(other) also at \(start)"
    case 5:
      let size = Int.random(in: 0..<bytes.count, using: &random)
      bytes.removeSubrange(size...)
      description += "cut off at \(size)"
    default:
      let place = Int.random(in: start..<end, using: &random)
      let size = min(Int.random(in: 1...16, using: &random), end - place)
      for place in place..<place + size { bytes[place] = .random(in: 0...255, using: &random) }
      description += "\(size) random bytes at \(place)"
    }
  }
}
