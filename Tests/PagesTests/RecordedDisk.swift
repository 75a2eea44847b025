import TestSupport

@testable import Pages

/// Records what reaches a file, and when the disk was waited for.
final class DiskRecorder: StoreWatcher {
  enum Event {
    case write(offset: Int, bytes: [UInt8])
    case synchronisationBegan(Int)
    case synchronisationEnded(Int)
    /// The version was said to be durable.
    case durable(UInt64)
  }

  private(set) var events: [Event] = []
  private var synchronisations = 0
  private var open: [Int] = []
  /// Happens after a synchronisation has begun.
  var during: (() throws -> Void)?

  func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
    events.append(.write(offset: offset, bytes: Array(bytes)))
  }

  func willSynchronise() throws(PageError) {
    events.append(.synchronisationBegan(synchronisations))
    open.append(synchronisations)
    synchronisations += 1
    let during = during
    self.during = nil
    do { try during?() } catch { fatalError("\(error)") }
  }

  func didSynchronise() { events.append(.synchronisationEnded(open.removeLast())) }

  func willStore() {}

  func noteDurable(_ version: UInt64) { events.append(.durable(version)) }
}

/// What a disk may have after a power failure at some moment of a recorded history.
struct RecordedDisk {
  enum Failure: CaseIterable {
    /// Nothing that was not waited for is there.
    case allLost
    case nothingLost
    case anyWriteLost
    /// Each sector has any of the contents that were written to it.
    case sectorsReordered
    /// In order, and the last write ends amid.
    case lastTorn
    case recordsFirst
    /// Blocks that were being written are old, new or garbage.
    case garbageBlocks
  }

  private(set) var durable: [UInt8]
  /// The newest version that was said to be durable.
  private(set) var acknowledged: UInt64 = 0
  /// Whether the disk was ever waited for.
  private(set) var hasSynchronised: Bool
  private var pending: [(offset: Int, bytes: [UInt8])] = []
  private var began: [Int: Int] = [:]
  private var dropped = 0

  private static let garbage = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }

  /// - Parameter durable: What it had before.
  init(_ durable: [UInt8] = []) {
    self.durable = durable
    hasSynchronised = !durable.isEmpty
  }

  mutating func take(_ event: DiskRecorder.Event) {
    switch event {
    case .write(let offset, let bytes): pending.append((offset, bytes))
    case .synchronisationBegan(let number): began[number] = dropped + pending.count
    case .synchronisationEnded(let number):
      hasSynchronised = true
      let count = max(0, began.removeValue(forKey: number)! - dropped)
      for (offset, bytes) in pending[..<count] { Self.apply(&durable, offset, bytes[...]) }
      pending.removeFirst(count)
      dropped += count
    case .durable(let version): acknowledged = max(acknowledged, version)
    }
  }

  private static func apply(_ image: inout [UInt8], _ offset: Int, _ bytes: ArraySlice<UInt8>) {
    let end = offset + bytes.count
    if image.count < end { image += [UInt8](repeating: 0, count: end - image.count) }
    image.replaceSubrange(offset..<end, with: bytes)
  }

  func image(_ failure: Failure, _ random: inout SeededGenerator) -> [UInt8] {
    var image = durable
    switch failure {
    case .allLost: break
    case .nothingLost: for (offset, bytes) in pending { Self.apply(&image, offset, bytes[...]) }
    case .anyWriteLost:
      for (offset, bytes) in pending where Bool.random(using: &random) {
        Self.apply(&image, offset, bytes[...])
      }
    case .sectorsReordered: reorderSectors(&image, &random)
    case .lastTorn:
      guard let last = pending.indices.randomElement(using: &random) else { break }
      for (offset, bytes) in pending[..<last] { Self.apply(&image, offset, bytes[...]) }
      let torn = Int.random(in: 0...pending[last].bytes.count / 512, using: &random) * 512
      Self.apply(&image, pending[last].offset, pending[last].bytes[..<torn])
    case .recordsFirst:
      // A record is the first sector of what a commit writes, and of a slot.
      for (offset, bytes) in pending {
        let isWhole = Int.random(in: 0..<20, using: &random) != 0
        Self.apply(&image, offset, isWhole ? bytes[...] : bytes[..<min(512, bytes.count)])
      }
    case .garbageBlocks: spoilBlocks(&image, &random)
    }
    return image
  }

  private func reorderSectors(_ image: inout [UInt8], _ random: inout SeededGenerator) {
    var sectors: [Int: [ArraySlice<UInt8>]] = [:]
    for (offset, bytes) in pending {
      for start in stride(from: 0, to: bytes.count, by: 512) {
        sectors[offset + start, default: []].append(bytes[start..<min(start + 512, bytes.count)])
      }
    }
    for (offset, contents) in sectors.sorted(by: { $0.key < $1.key }) {
      let number = Int.random(in: 0...contents.count, using: &random)
      if number > 0 { Self.apply(&image, offset, contents[number - 1]) }
    }
  }

  private func spoilBlocks(_ image: inout [UInt8], _ random: inout SeededGenerator) {
    var whole = image
    var blocks: Set<Int> = []
    for (offset, bytes) in pending {
      Self.apply(&whole, offset, bytes[...])
      blocks.formUnion(offset / 4096...(offset + bytes.count - 1) / 4096)
    }
    for block in blocks.sorted() {
      let range = block * 4096..<min(block * 4096 + 4096, whole.count)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: break
      case 1: Self.apply(&image, range.lowerBound, Self.garbage[..<range.count])
      default: Self.apply(&image, range.lowerBound, whole[range])
      }
    }
  }
}
