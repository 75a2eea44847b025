import LibC

/// Puts extents together that lie side by side, so that a small commit is one write.
///
/// Only the writer touches it.
final class ExtentWriter {
  private static let capacity = 1 << 20
  private let file: DiskFile
  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
  private var used = 0
  private var firstUnit = 0
  /// A write failed: what was to be written is lost, and the transaction with it.
  private var failure: PageError?

  init(_ file: DiskFile) { self.file = file }

  deinit { buffer.deallocate() }

  /// Forgets what was not written.
  func discard() { (used, failure) = (0, nil) }

  /// Writes the content of an extent. Returns what its parent says about it.
  func append(extent content: UnsafeRawBufferPointer, unit: Int) throws(PageError) -> Checksum128 {
    guard let cipher = file.cipher else {
      try append(content, unit: unit)
      return Checksum128(of: content.baseAddress!, count: content.count)
    }
    let size = content.count + PageCipher.overhead
    if FileLayout.units(size) * FileLayout.unit <= Self.capacity {
      return try cipher.seal(content, to: makeRoom(size, unit: unit))
    }
    let sealed = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { sealed.deallocate() }
    let tag = try cipher.seal(content, to: sealed.baseAddress!)
    try append(UnsafeRawBufferPointer(sealed), unit: unit)
    return tag
  }

  /// Room for bytes that are written now or later, of which the rest of the last unit is zero. They fit into the buffer.
  private func makeRoom(_ count: Int, unit: Int) throws(PageError) -> UnsafeMutableRawPointer {
    let size = FileLayout.units(count) * FileLayout.unit
    if used > 0, unit != firstUnit + used / FileLayout.unit || used + size > Self.capacity { try flush() }
    if used == 0 { firstUnit = unit }
    let target = buffer + used
    used += size
    memset(buffer + used - FileLayout.unit, 0, FileLayout.unit)
    return target
  }

  private func append(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(PageError) {
    if FileLayout.units(bytes.count) * FileLayout.unit > Self.capacity {
      try flush()
      // As it is, but for its last unit.
      let whole = bytes.count & ~(FileLayout.unit - 1)
      try write(UnsafeRawBufferPointer(rebasing: bytes[..<whole]), unit: unit)
      if whole < bytes.count {
        try append(UnsafeRawBufferPointer(rebasing: bytes[whole...]), unit: unit + whole / FileLayout.unit)
      }
      return
    }
    memcpy(try makeRoom(bytes.count, unit: unit), bytes.baseAddress!, bytes.count)
  }

  /// Leaves room for a record that is not known yet.
  func skip(unit: Int) throws(PageError) {
    _ = try makeRoom(FileLayout.unit, unit: unit)
  }

  /// Writes everything, and the record last, or with the rest.
  func finish(_ record: VersionRecord) throws(PageError) {
    if let failure { throw failure }
    let unit = Int(record.unit)
    if firstUnit..<firstUnit + used / FileLayout.unit ~= unit {
      record.store(at: buffer + (unit - firstUnit) * FileLayout.unit, file.cipher)
      return try flush()
    }
    try flush()
    try file.write(record, atUnit: record.unit)
  }

  func flush() throws(PageError) {
    if used == 0 { return }
    let count = used
    used = 0
    do throws(PageError) {
      try write(UnsafeRawBufferPointer(start: buffer, count: count), unit: firstUnit)
    } catch {
      failure = error
      throw error
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(PageError) {
    let offset = unit * FileLayout.unit
    try file.write(bytes, at: offset)
    // In a large transaction the disk works while the next extents are prepared.
    if bytes.count > Self.capacity / 2 { file.startWriteback(bytes.count, at: offset) }
  }
}
