import LibC

/// Extends the file ahead of the next commits: an `fdatasync` that also has to sync the file's size takes nearly twice as long.
///
/// Only the writer touches it.
final class FilledSpace {
  private let file: DiskFile
  /// Known minimum size of the file, in bytes.
  private var end = 0

  /// Maximum number of bytes that are added at once.
  private static let limit = 2 << 20

  init(_ file: DiskFile) { self.file = file }

  /// Writes zeros where the file ends before a region does. When the disk is full, the file keeps its size.
  ///
  /// - Parameter region: Bytes in which nothing is in use. The writer has written what is before them, or writes it before the next
  ///   `fdatasync`.
  func fill(_ region: Range<Int>) {
    if region.upperBound <= end { return }
    guard let size = try? file.size else { return }
    end = size
    let start = max(size, region.lowerBound)
    let count = region.upperBound - start
    if count <= 0 || count > Self.limit { return }
    let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { zeros.deallocate() }
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    if (try? file.write(UnsafeRawBufferPointer(zeros), at: start)) != nil { end = region.upperBound }
  }
}
