import LibC

/// A branch or leaf page of LMDB, whose header is sound.
///
/// Layout from LMDB 0.9: the header of the page (see `LMDBPage`), then 2-byte node offsets.
struct TreePage {
  let base: UnsafeRawPointer

  var count: Int { (lower - LMDBPage.headerSize) / 2 }
  var lower: Int { Int(base.loadUnaligned(fromByteOffset: 12, as: UInt16.self)) }
  var upper: Int { Int(base.loadUnaligned(fromByteOffset: 14, as: UInt16.self)) }

  @inline(__always) func nodeOffset(_ index: Int) -> Int {
    Int(base.loadUnaligned(fromByteOffset: LMDBPage.headerSize + index * 2, as: UInt16.self))
  }

  @inline(__always) func node(_ index: Int) -> TreeNode { TreeNode(base: base + nodeOffset(index)) }

  /// Below 0 when the first key comes before the second one. The empty one is before all.
  @inline(__always)
  static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    if a.count >= 8 && b.count >= 8 {
      let (x, y) = (a.loadUnaligned(as: UInt64.self).bigEndian, b.loadUnaligned(as: UInt64.self).bigEndian)
      if x != y { return x < y ? -1 : 1 }
      // The keys of a column's chunks differ behind that, and have 12 bytes.
      if a.count == b.count && a.count <= 16 {
        let place = a.count - 8
        let (x, y) = (
          a.loadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian,
          b.loadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian
        )
        return x < y ? -1 : x > y ? 1 : 0
      }
    }
    guard let start = a.baseAddress, let other = b.baseAddress else { return a.count - b.count }
    let order = memcmp(start, other, min(a.count, b.count))
    return order == 0 ? a.count - b.count : Int(order)
  }
}

/// An entry on such a page: two halves of a size, flags, key size, key, data. In branch pages size and flags are the
/// number of a child.
struct TreeNode {
  static let headerSize = 8

  enum Flags {
    /// The value has pages of its own; here is the number of the first.
    static let bigData: UInt16 = 1
    /// The value is the record of another tree.
    static let subDatabase: UInt16 = 2
  }

  let base: UnsafeRawPointer

  @inline(__always) var keySize: Int { Int(base.loadUnaligned(fromByteOffset: 6, as: UInt16.self)) }
  @inline(__always) var flags: UInt16 { base.loadUnaligned(fromByteOffset: 4, as: UInt16.self) }
  @inline(__always) var dataSize: Int { Int(base.loadUnaligned(as: UInt32.self)) }
  @inline(__always) var key: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + Self.headerSize, count: keySize)
  }
  var data: UnsafeRawPointer { base + Self.headerSize + keySize }
  @inline(__always) var child: UInt64 {
    UInt64(base.loadUnaligned(as: UInt32.self)) | UInt64(flags) << 32
  }
}
