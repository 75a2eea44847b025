import Foundation
import ProcessTestModels
import TestSupport

/// What a disk may have of a file when the power fails.
///
/// The system writes pages when it sees fit, each as it is at that moment, so that a page that was changed since the last
/// synchronisation that covers it is on the disk as it was after any of its changes, or as before them; a disk that
/// is writing it then may have each of its sectors from another of these. A synchronisation that fails takes the pages
/// for written without their being so: later ones say nothing of them, unless they are changed again.
struct SimulatedDisk {
  static let pageSize = 4096
  static let sectorSize = 512

  private struct Page {
    /// What it was, and what it became, from the last content that is surely on the disk to that in memory.
    var contents: [[UInt8]]
    /// When it became so.
    var sequences: [UInt64]

    init() {
      contents = [[UInt8](repeating: 0, count: SimulatedDisk.pageSize)]
      sequences = [0]
    }
  }

  private var pages: [Page] = []
  private var size = 0
  private var durableSize = 0
  /// Of a synchronisation that began: the size that the file had then.
  private var begun: [UInt64: Int] = [:]
  /// Of a write that synchronises itself: its pages.
  private var ranges: [UInt64: Range<Int>] = [:]
  private var lastFailure: UInt64 = 0

  mutating func apply(_ entry: WriteRecord.Entry) {
    switch entry.event {
    case .write(let offset, let bytes): write(bytes, at: offset, entry.sequence)
    case .truncate(let new):
      size = new
      durableSize = min(durableSize, new)
      let count = (new + Self.pageSize - 1) / Self.pageSize
      if count < pages.count { pages.removeLast(pages.count - count) }
    case .allocate(let end, let keepsSize): if !keepsSize { size = max(size, end) }
    case .synchronising: begun[entry.sequence] = size
    case .notSynchronised: lastFailure = entry.sequence
    case .synchronised(let since):
      if let range = ranges.removeValue(forKey: since) {
        settle(range, before: since + 1)
        durableSize = max(durableSize, min(size, range.upperBound * Self.pageSize))
      } else {
        settle(0..<pages.count, before: since)
        durableSize = max(durableSize, min(size, begun.removeValue(forKey: since) ?? 0))
      }
    case .open, .rename, .unlink, .mark, .other: break
    }
  }

  private mutating func write(_ bytes: Data, at offset: Int, _ sequence: UInt64) {
    let end = offset + bytes.count
    let range = offset / Self.pageSize..<(end + Self.pageSize - 1) / Self.pageSize
    while pages.count < range.upperBound { pages.append(Page()) }
    size = max(size, end)
    ranges[sequence] = range
    for number in range {
      let start = number * Self.pageSize
      let part = max(offset, start)..<min(end, start + Self.pageSize)
      var content = pages[number].contents.last!
      content.replaceSubrange(
        part.lowerBound - start..<part.upperBound - start,
        with: bytes[
          bytes.startIndex + part.lowerBound - offset..<bytes.startIndex + part.upperBound - offset])
      pages[number].contents.append(content)
      pages[number].sequences.append(sequence)
    }
  }

  /// What was written before is on the disk, unless it was lost.
  private mutating func settle(_ range: Range<Int>, before sequence: UInt64) {
    for number in range.clamped(to: 0..<pages.count) {
      guard let newest = pages[number].sequences.lastIndex(where: { $0 < sequence }), newest > 0,
        pages[number].sequences[newest] > lastFailure
      else { continue }
      pages[number].contents.removeFirst(newest)
      pages[number].sequences.removeFirst(newest)
    }
  }

  /// The ways in which disks are mean.
  enum Temper: CaseIterable {
    case keepsNothing, keepsEverything, keepsSome, keepsSlots, keepsOthers, tears
  }

  /// What is found on the disk when the power fails now.
  func image(_ temper: Temper, _ random: inout SeededGenerator) -> [UInt8] {
    var image: [UInt8] = []
    image.reserveCapacity(size)
    var end = durableSize
    for (number, page) in pages.enumerated() {
      if page.contents.count == 1 {
        image += page.contents[0]
        continue
      }
      let last = page.contents.count - 1
      let chosen: Int
      switch temper {
      case .keepsNothing: chosen = 0
      case .keepsEverything: chosen = last
      case .keepsSlots: chosen = number < 4 ? last : 0
      case .keepsOthers: chosen = number < 4 ? 0 : last
      case .keepsSome, .tears: chosen = Int.random(in: 0...last, using: &random)
      }
      var content = page.contents[chosen]
      if temper == .tears && Bool.random(using: &random) {
        for start in stride(from: 0, to: Self.pageSize, by: Self.sectorSize) {
          content.replaceSubrange(
            start..<start + Self.sectorSize,
            with: page.contents[Int.random(in: 0...last, using: &random)][start..<start + Self.sectorSize])
        }
      }
      if chosen > 0 { end = max(end, min(size, (number + 1) * Self.pageSize)) }
      image += content
    }
    if Bool.random(using: &random) { end = size }
    if image.count < end { image += [UInt8](repeating: 0, count: end - image.count) }
    image.removeLast(image.count - end)
    return image
  }
}
