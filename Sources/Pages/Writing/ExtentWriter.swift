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

  /// Writes an extent, now or later. The rest of its last unit becomes zero.
  func append(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(PageError) {
    let size = FileLayout.units(bytes.count) * FileLayout.unit
    if used > 0, unit != firstUnit + used / FileLayout.unit || used + size > Self.capacity { try flush() }
    if size > Self.capacity {
      // As it is, but for its last unit.
      let whole = bytes.count & ~(FileLayout.unit - 1)
      try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<whole]), at: unit * FileLayout.unit)
      if whole < bytes.count {
        try append(UnsafeRawBufferPointer(rebasing: bytes[whole...]), unit: unit + whole / FileLayout.unit)
      }
      return
    }
    if used == 0 { firstUnit = unit }
    let target = buffer + used
    used += size
    memset(buffer + used - FileLayout.unit, 0, FileLayout.unit)
    memcpy(target, bytes.baseAddress!, bytes.count)
  }

  /// Leaves room for a record that is not known yet.
  func skip(unit: Int) throws(PageError) {
    try withUnsafeTemporaryAllocation(byteCount: FileLayout.unit, alignment: 8) { (bytes) throws(PageError) in
      memset(bytes.baseAddress!, 0, bytes.count)
      try append(UnsafeRawBufferPointer(bytes), unit: unit)
    }
  }

  /// Writes everything, and the record last, or with the rest.
  func finish(_ record: VersionRecord) throws(PageError) {
    if let failure { throw failure }
    let unit = Int(record.unit)
    if firstUnit..<firstUnit + used / FileLayout.unit ~= unit {
      record.store(at: buffer + (unit - firstUnit) * FileLayout.unit)
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
      try file.write(UnsafeRawBufferPointer(start: buffer, count: count), at: firstUnit * FileLayout.unit)
    } catch {
      failure = error
      throw error
    }
  }
}
