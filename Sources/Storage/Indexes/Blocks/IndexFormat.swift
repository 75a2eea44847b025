// The format of an index: an ordered multiset of (key, row) pairs, packed into sorted blocks. Each block is
// one value of the file. Primary keys, secondary indexes and backlinks (key: the target row) all use it.
//
// Pairs are ordered by kind of key (null, integer, bytes), then key, then row; bytes compare like memcmp, a
// beginning before what it begins. A block holds different pairs of one kind, each with the number of times
// that it is in the index: once, but for backlinks of lists in which an object is repeated. Its key starts with five bytes:
//
//   index number (4, big-endian), kind (1: 0 null, 1 integer, 2 bytes)
//
// and goes on with the block's first pair, so that the blocks of an index lie in the order of their pairs:
//
//   null, integer   key (8, big-endian; 0 for null), row (8, big-endian)
//   bytes           key with each byte 00 written as 00 FF, then 00 00, then row (8, big-endian)
//   bytes, cut      as many bytes of the key, so written, as fit 496, then 00 01, then an ordinal
//                   (8, big-endian)
//
// Keys end at 511 bytes, hence the cut form for keys whose written form is longer. The terminators
// keep the order right: 00 00 < 00 01 < 00 FF < anything else. Blocks whose first keys are the same after
// the cut are distinguished by ordinals, which ascend in the order of the blocks' whole first pairs but mean
// nothing else; a search for a long key compares the whole keys in these blocks, from the last one
// backwards. Ordinals are assigned with gaps, and reassigned for the whole group when a gap is used up.
//
// The value of a block of nulls or integers:
//
//   offset  size  content
//        0     2  number of pairs
//        2     1  packing of the keys (IntegerPacking)
//        3     1  packing of the rows
//        4     1  packing of the repetitions
//        5     1  0
//        6     8  first key, which is the smallest
//       14     8  smallest row
//       22     …  the keys' differences to the first key, the rows' differences to the smallest row, and how many
//                 times more than once each pair is there
//
// The value of a block of byte keys, in which equal keys are stored once:
//
//        0     2  number of pairs
//        2     2  number of distinct keys
//        4     1  size of a suffix end: 0 when all suffixes have the same length, else 2 or 4
//        5     1  packing of the rows
//        6     1  packing of the repetitions
//        7     1  0
//        8     4  length of the prefix that all the keys share
//       12     4  length of each suffix when they all have the same, else 0
//       16     8  smallest row
//       24     …  the prefix; per distinct key the end of its suffix among the suffixes; per distinct key the
//                 number of pairs up to and with it (2 bytes; left out when all keys are distinct); the rows'
//                 differences to the smallest row; the repetitions, as above; the suffixes
//
// Little-endian unless said otherwise; nothing is aligned.

/// Sizes of the index format.
enum IndexFormat {
  /// The index number and the kind.
  static let regionSize = 5
  /// The most bytes of a written key that a block's key holds.
  static let longestWrittenKey = 496
  /// The most bytes of a block's key, which are part of the format: files of earlier formats could have no longer keys.
  static let longestBlockKey = 511
  /// A block is larger only when it consists of a single
  /// pair.
  static let blockSize = 4_050
  /// The most pairs in a block: as many as have `blockSize` with two bytes per key and two per row.
  static let blockCapacity = 1_007
}

/// The kinds of keys in their order; part of the file format.
enum IndexKeyKind: UInt8, CaseIterable {
  case null = 0
  case integer = 1
  case bytes = 2
}
