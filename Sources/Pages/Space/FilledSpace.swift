import LibC

/// Lets the file have the space that the next commits write to, so that they need not wait for it to grow: a synchronisation that
/// also brings the file's size to the disk takes nearly twice as long.
///
/// Only the writer touches it.
final class FilledSpace {
  private let file: DiskFile
  /// The file is as large at least.
  private var end = 0

  /// Of more than that, only the last commit of a large transaction would have any use.
  private static let limit = 2 << 20

  init(_ file: DiskFile) { self.file = file }

  /// Lets the file have zeros where it ends before a region does. When the disk is full, it stays as it is.
  ///
  /// - Parameter region: Bytes in which nothing is in use. What is before them was written, or is before the next synchronisation.
  ///
  /// The system is asked for the size only when it is not known: Linux 6.13 and later give a file whose times somebody has looked
  /// at a new time with the next write, which the synchronisation then brings to the disk.
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
