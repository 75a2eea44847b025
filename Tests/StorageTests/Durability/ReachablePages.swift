import Foundation

@testable import Storage

/// The pages that LMDB's databases reach, found in the bytes of a file.
struct ReachablePages {
  private let bytes: UnsafeRawBufferPointer
  private let pageSize: Int

  init(_ bytes: UnsafeRawBufferPointer, pageSize: Int) {
    self.bytes = bytes
    self.pageSize = pageSize
  }

  func from(_ roots: [UInt64]) -> Set<Int> {
    var found: Set<Int> = []
    for root in roots where root != .max { visit(Int(root), &found) }
    return found
  }

  private func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  private func half(_ offset: Int) -> Int {
    Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  private func visit(_ page: Int, _ found: inout Set<Int>) {
    let start = page * pageSize
    found.insert(page)
    let isBranch = half(start + 10) & 1 != 0
    for place in stride(from: start + 16, to: start + half(start + 12), by: 2) {
      let node = start + half(place)
      let low = half(node)
      let high = half(node + 2)
      let flags = half(node + 4)
      if isBranch {
        visit(low | high << 16 | flags << 32, &found)
        continue
      }
      let data = node + 8 + half(node + 6)
      if flags & 1 != 0 {
        let first = Int(word(data))
        let count = (15 + (low | high << 16)) / pageSize + 1
        found.formUnion(first..<first + count)
      } else if flags & 2 != 0, word(data + 40) != .max {
        visit(Int(word(data + 40)), &found)
      }
    }
  }
}

extension MetaPage.Content {
  /// The root pages of the free pages' database and of the main one.
  var roots: [UInt64] { [words[3 + 5], words[3 + 6 + 5]] }
}
