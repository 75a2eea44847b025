import LibC

@testable import Pages

/// A file of pages that somebody has made by hand: its checksums are right, and what they are of may be anything.
struct ForgedFile {
  enum Content {
    case bytes([UInt8])
    case reference(Reference)
  }

  private(set) var bytes = [UInt8](repeating: 0, count: FileLayout.firstUnit * FileLayout.unit)

  mutating func add(
    _ extent: [UInt8], _ flags: Reference.Flags = [], version: UInt64 = 1
  ) -> Reference {
    var reference = Reference()
    (reference.length, reference.unit) = (UInt32(extent.count), UInt64(bytes.count / FileLayout.unit))
    (reference.flags, reference.version) = (flags, version)
    reference.sum = extent.withUnsafeBytes { Checksum128(of: $0.baseAddress!, count: $0.count) }
    bytes += extent
    bytes += [UInt8](repeating: 0, count: FileLayout.units(extent.count) * FileLayout.unit - extent.count)
    return reference
  }

  private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

  /// - Parameter prefix: What the keys begin with, before those that the entries say.
  static func node(
    level: Int, prefix: [UInt8] = [], _ entries: [(key: [UInt8], content: Content)]
  ) -> [UInt8] {
    var places: [Int] = []
    var body: [UInt8] = []
    for (key, content) in entries {
      places.append(body.count)
      switch content {
      case .bytes(let value): body += word(key.count) + word(value.count) + key + value
      case .reference(let reference):
        var stored = [UInt8](repeating: 0, count: Reference.size)
        stored.withUnsafeMutableBytes { reference.store(at: $0.baseAddress!) }
        body += word(key.count) + word(0xFFFF) + key + stored
      }
    }
    let size = Node.headerSize + prefix.count + 2 * entries.count + body.count
    return word(entries.count) + [UInt8(level), UInt8(prefix.count)] + word(size) + word(0) + prefix
      + places.flatMap(word) + body
  }

  /// Writes it, with a record in the first slot that says that the disk has it.
  func write(
    _ path: String, root: Reference, _ change: (inout VersionRecord) -> Void = { _ in }
  ) throws {
    let file = try DiskFile(path: path, O_RDWR | O_CREAT, watcher: nil)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    var record = VersionRecord()
    (record.fileNumber, record.life, record.version, record.durable) = (7, 8, 5, 5)
    record.root = root
    record.next = UInt64(FileLayout.blockStart(atOrAfter: bytes.count / FileLayout.unit))
    (record.nextCount, record.end) = (64, record.next + 64)
    record.file = try file.identity
    change(&record)
    try file.write(record, atUnit: 0)
  }
}
