import Foundation

/// What programs did to files, as the library of `FaultInjection` has recorded it.
struct WriteRecord {
  enum Event {
    case open(path: String, isNew: Bool)
    case rename(old: String, new: String)
    case unlink(path: String)
    case write(offset: Int, bytes: Data)
    case truncate(size: Int)
    case allocate(end: Int, keepsSize: Bool)
    /// Everything before the event `since` is on the disk, or only that write.
    case synchronised(since: UInt64)
    case synchronising
    case notSynchronised
    case mark(String)
    case other
  }

  struct Entry {
    let file: UInt32
    let sequence: UInt64
    let event: Event
  }

  private static let headerSize = 40

  let entries: [Entry]

  init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var entries: [Entry] = []
    var place = 0
    while place + Self.headerSize <= data.count {
      let (kind, file, offset, length, flags, sequence) = data.withUnsafeBytes { bytes in
        func word<Number: FixedWidthInteger>(_ offset: Int) -> Number {
          Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: Number.self))
        }
        return (
          word(0) as UInt32, word(4) as UInt32, Int(word(8) as UInt64), Int(word(16) as UInt64),
          word(24) as UInt64, word(32) as UInt64
        )
      }
      let start = place + Self.headerSize
      guard start + length <= data.count else { break }
      let body = data[start..<start + length]
      place = start + length
      let event: Event
      switch kind {
      case 1: event = .open(path: String(decoding: body, as: UTF8.self), isNew: flags >> 63 == 1)
      case 2: event = .write(offset: offset, bytes: body)
      case 3: event = .truncate(size: offset)
      case 4: event = .synchronised(since: flags)
      case 5: event = .synchronising
      case 6:
        let names = body.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        event = .rename(old: names[0], new: names[1])
      case 7: event = .unlink(path: String(decoding: body, as: UTF8.self))
      case 9: event = .mark(String(decoding: body, as: UTF8.self))
      case 10:
        let count = body.withUnsafeBytes { Int($0.loadUnaligned(as: UInt64.self)) }
        event = .allocate(end: offset + count, keepsSize: flags & 1 != 0)
      case 11: event = .notSynchronised
      default: event = .other
      }
      entries.append(Entry(file: file, sequence: sequence, event: event))
    }
    self.entries = entries
  }
}
