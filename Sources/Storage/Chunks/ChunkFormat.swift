// The format of a chunk: up to 960 values of one column, or of one segment of a collection, in one
// contiguous block of memory. Chunks are read where they lie, in the memory-mapped file or in a write
// transaction's private memory, through the same code.
//
//   offset  size  content
//        0     1  encoding (ChunkEncoding)
//        1     1  flags (ChunkFlags)
//        2     2  number of values
//        4     4  offset of the null bitmap, a set bit for each null; 0 when there is none
//        8     8  minimum: Int64 for integers, also scaled ones, else Double; the base that narrow integers are added to
//       16     8  maximum, likewise
//       24     4  offset of the heap (bytes encodings); the power of ten, a float (scaled encodings)
//       28     2  number of nulls
//       30     2  number of dictionary entries
//       32     …  the values
//
//   integer0      nothing: all values equal the minimum
//   integer1/2/4  unsigned differences to the minimum
//   integer8      the values themselves
//   consecutive   nothing: each value is the minimum plus its index
//   bits          one bit per value
//   float32, float64, fixed12, fixed16: the values
//   scaled0/1/2/4 doubles that are integers divided by a power of ten, which is at offset 24 (a float): unsigned
//                 differences to the smallest of these integers. Minimum and maximum are integers, too
//   heap          a length byte per value (rounded up to a multiple of 16 of them, zero-filled), then for
//                 each 16 values the 4-byte offset of the first one's bytes in the heap; at the heap offset
//                 the bytes. Length 255 stands for a value kept outside the chunk, which has no bytes in
//                 the heap; only chunks with the flag hasLongValues contain any.
//   dictionary    a code byte per value; at the heap offset 4-byte offsets, one more than entries, then the
//                 entries' bytes, which the offsets count from
//   heap32        4-byte offsets, one more than values, then at the heap offset the bytes
//   wideBytes     16 bytes per value: address and length. Only in memory.
//   sparse        not a chunk, but what stands for one with few rows left (SparseChunk.swift)
//
// Little-endian throughout; nothing is aligned to more than 2 bytes. Values of nulls, and of rows that are
// not present, are unspecified (though readable).

/// The number of rows in a chunk. 15 × 64: columns of 1, 2, 4 and 8 bytes then fill units of 512 bytes well.
public let chunkCapacity = 960

/// The number of bytes of a chunk-sized bitmap.
public let chunkBitmapSize = 120

/// The physical kinds of values.
public enum ChunkLayout: UInt8, Sendable {
  case integer, bits, float, double, fixed12, fixed16, bytes
}

/// The values of a chunk's encoding byte; part of the file format. None is left out, so that the byte is the case.
@frozen public enum ChunkEncoding: UInt8, Sendable {
  case integer0 = 0
  case integer1 = 1
  case integer2 = 2
  case integer4 = 3
  case integer8 = 4
  case bits = 5
  case float32 = 6
  case float64 = 7
  case fixed12 = 8
  case fixed16 = 9
  case heap = 10
  case dictionary = 11
  case wideBytes = 12
  case heap32 = 13
  case sparse = 14
  case consecutive = 15
  case scaled0 = 16
  case scaled1 = 17
  case scaled2 = 18
  case scaled4 = 19

  /// How many bytes each integer, or difference to the minimum, has: 0 where all are equal or follow from their places. Of
  /// other encodings nothing is said.
  @inlinable @inline(__always) public var codeWidth: Int {
    switch self {
    case .integer1, .scaled1: 1
    case .integer2, .scaled2: 2
    case .integer4, .scaled4: 4
    case .integer8: 8
    default: 0
    }
  }
}

/// The bits of a chunk's flag byte; part of the file format.
public enum ChunkFlags {
  /// Minimum and maximum are those of the values that are not null.
  public static let hasStatistics: UInt8 = 2
  /// Mutable, in a write transaction's memory.
  public static let isWide: UInt8 = 4
  /// Some values are outside the chunk.
  public static let hasLongValues: UInt8 = 8
}

/// Offsets of the header's fields.
public enum ChunkHeader {
  /// Offset of the encoding, a byte.
  public static let encoding = 0
  /// Offset of the flags, a byte.
  public static let flags = 1
  /// Offset of the number of values, 2 bytes.
  public static let valueCount = 2
  /// Offset of the place of the bitmap of nulls, 4 bytes.
  public static let nullBitmapOffset = 4
  /// Offset of the minimum, 8 bytes.
  public static let minimum = 8
  /// Offset of the maximum, 8 bytes.
  public static let maximum = 16
  /// Offset of the place of the heap, 4 bytes.
  public static let heapOffset = 24
  /// Offset of the power of ten of scaled numbers, a float of 4 bytes, where others have the place of the heap.
  public static let divisor = 24
  /// Offset of the number of nulls, 2 bytes.
  public static let nullCount = 28
  /// Offset of the number of distinct values, 2 bytes.
  public static let dictionaryCount = 30
  /// The bytes of the header.
  public static let size = 32
}

/// The length byte of a value that lies outside its chunk.
public let longValueMark: UInt8 = 255
/// Longer values are kept outside their chunk, so that changing a neighbour does not rewrite them.
public let longestInlineValue = 128
