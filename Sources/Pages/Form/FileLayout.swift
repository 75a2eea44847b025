/// Where things are in a file of pages.
///
/// ```
/// 0, 4096, 8192, 12288   header slots: a record each, in a block of its own
/// 16384 …                extents: nodes, values and records, in units of 512 bytes
/// ```
///
/// Extents of one commit lie side by side in units. A later commit writes only into blocks in which nothing is in use: after a
/// power failure, a block that was being written may be garbage as a whole.
enum FileLayout {
  /// Size in bytes in which the places of extents count.
  static let unit = 512
  /// Space is written to again only in whole blocks of this size.
  static let block = 4096
  static let unitsPerBlock = block / unit
  static let slotCount = 4
  /// Maximum size of a file in bytes: places of extents have 40 bits.
  static let sizeLimit = unit << 40
  /// The first unit behind the header slots.
  static let firstUnit = slotCount * unitsPerBlock

  /// How many units an extent takes.
  @inline(__always)
  static func units(_ length: Int) -> Int { (length + unit - 1) / unit }

  /// The first unit of a block that is not before a unit.
  static func blockStart(atOrAfter unit: Int) -> Int { (unit + unitsPerBlock - 1) & ~(unitsPerBlock - 1) }
}
