import Foundation
import ProcessTestModels
import TestSupport

/// One way of damaging a file, chosen by a generator. Most of it goes where the file's structure is: meta pages,
/// headers of tree pages and of chunks.
struct Mutation {
  private var random: SeededGenerator
  private var bytes: [UInt8]
  private let older: [UInt8]
  private(set) var description = ""
  static let pageSize = 4096

  /// Damages a file's bytes. The older bytes are those of another version of the same file.
  static func apply(
    to bytes: [UInt8], older: [UInt8], seed: UInt64
  ) -> (bytes: [UInt8], description: String) {
    var mutation = Mutation(random: SeededGenerator(seed: seed), bytes: bytes, older: older)
    for _ in 0..<mutation.one(of: [1, 1, 1, 2, 3]) { mutation.mutate() }
    return (mutation.bytes, mutation.description)
  }

  private init(random: SeededGenerator, bytes: [UInt8], older: [UInt8]) {
    self.random = random
    self.bytes = bytes
    self.older = older
  }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }
  private mutating func one(of choices: [Int]) -> Int { choices[below(choices.count)] }
  private var pageCount: Int { bytes.count / Self.pageSize }

  private mutating func mutate() {
    switch below(16) {
    case 0...3: flipBits()
    case 4...7: editNumber()
    case 8: randomWords()
    case 9: splice()
    case 10: replacePage()
    case 11: swapPages()
    case 12: pageOfOlderVersion()
    case 13: truncate()
    case 14: duplicatePage()
    default: editPageNumber()
    }
  }

  /// An offset where damage tells: mostly in the headers.
  private mutating func place() -> Int {
    let page = structuredPage()
    let start = page * Self.pageSize
    let flags = pageFlags(page)
    if page < 2 { return start + one(of: [below(16), 16 + below(136), 512 + below(184), 16 + below(136)]) }
    if flags & 3 != 0 {
      let lower = min(max(Int(bytes[start + 12]) | Int(bytes[start + 13]) << 8, 18), Self.pageSize)
      switch below(5) {
      case 0: return start + below(16)
      case 1: return start + 16 + below(lower - 16)
      case 2:
        let pointer = start + 16 + below((lower - 16) / 2) * 2
        let node = Int(bytes[pointer]) | Int(bytes[pointer + 1]) << 8
        return min(start + node + below(48), bytes.count - 1)
      default: return start + below(Self.pageSize)
      }
    }
    // A chunk or a block behind the header of its page, or what a chunk's offsets are.
    return start + one(of: [below(16), 16 + below(32), 16 + below(64), below(Self.pageSize)])
  }

  private mutating func structuredPage() -> Int {
    let choice = below(8)
    if choice == 0 { return below(2) }
    for _ in 0..<64 {
      let page = below(pageCount)
      let flags = pageFlags(page)
      switch choice {
      case 1 where flags & 1 != 0, 2...4 where flags & 2 != 0, 5...6 where flags & 4 != 0: return page
      case 7: return page
      default: continue
      }
    }
    return below(pageCount)
  }

  private func pageFlags(_ page: Int) -> Int { Int(bytes[page * Self.pageSize + 10]) }

  private mutating func note(_ text: String) { description += (description.isEmpty ? "" : "; ") + text }

  private mutating func flipBits() {
    for _ in 0..<one(of: [1, 1, 2, 8]) {
      let place = place()
      let bit = below(8)
      bytes[place] ^= 1 << UInt8(bit)
      note("bit \(bit) of \(place)")
    }
  }

  private mutating func editNumber() {
    let size = one(of: [1, 2, 2, 4, 4, 8])
    let place = min(place() & ~(size - 1), bytes.count - size)
    let old = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64($1 * 8) }
    let new: UInt64
    switch below(9) {
    case 0: new = 0
    case 1: new = .max
    case 2: new = old &+ 1
    case 3: new = old &- 1
    case 4: new = old &* 2
    case 5: new = 1 << UInt64(below(size * 8))
    case 6: new = .max >> 1
    case 7: new = old &+ UInt64(below(4096))
    default: new = random.next()
    }
    write(new, size, place)
    note("\(size) bytes at \(place): \(old) becomes \(new)")
  }

  private mutating func write(_ number: UInt64, _ size: Int, _ place: Int) {
    for byte in 0..<size where place + byte < bytes.count {
      bytes[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(byte * 8))
    }
  }

  private mutating func randomWords() {
    let place = place()
    let count = 1 + below(32)
    for word in 0..<count { write(random.next(), 8, place + word * 8) }
    note("\(count) random words at \(place)")
  }

  private mutating func splice() {
    let (source, target) = (place(), place())
    let count = min(1 + below(512), bytes.count - max(source, target))
    bytes.replaceSubrange(target..<target + count, with: Array(bytes[source..<source + count]))
    note("\(count) bytes of \(source) over \(target)")
  }

  private mutating func replacePage() {
    let page = structuredPage()
    let filling = one(of: [0, 0, 0xFF, -1])
    for offset in 0..<Self.pageSize {
      bytes[page * Self.pageSize + offset] =
        filling < 0 ? UInt8.random(in: 0...255, using: &random) : UInt8(filling)
    }
    note("page \(page) filled with \(filling)")
  }

  private mutating func swapPages() {
    let (first, second) = (structuredPage(), structuredPage())
    for offset in 0..<Self.pageSize {
      bytes.swapAt(first * Self.pageSize + offset, second * Self.pageSize + offset)
    }
    note("pages \(first) and \(second) swapped")
  }

  private mutating func pageOfOlderVersion() {
    let page = min(structuredPage(), older.count / Self.pageSize - 1)
    let range = page * Self.pageSize..<(page + 1) * Self.pageSize
    bytes.replaceSubrange(range, with: older[range])
    note("page \(page) of an older version")
  }

  private mutating func truncate() {
    let size = one(of: [below(bytes.count), below(pageCount) * Self.pageSize, bytes.count - 1 - below(64)])
    guard size >= 4 * Self.pageSize || below(8) == 0 else { return flipBits() }
    bytes.removeLast(bytes.count - size)
    // What else is done to it needs some pages.
    if pageCount < 4 { bytes += Array(repeating: 0, count: 4 * Self.pageSize - bytes.count) }
    note("cut off at \(size)")
  }

  /// A page in the place of another one, with the number that belongs there.
  private mutating func duplicatePage() {
    let (source, target) = (structuredPage(), structuredPage())
    let copy = Array(bytes[source * Self.pageSize..<(source + 1) * Self.pageSize])
    bytes.replaceSubrange(target * Self.pageSize..<(target + 1) * Self.pageSize, with: copy)
    write(UInt64(target), 8, target * Self.pageSize)
    note("page \(source) again as \(target)")
  }

  /// A node of a branch, or of a value on pages of its own, that names another page.
  private mutating func editPageNumber() {
    let page = structuredPage()
    let start = page * Self.pageSize
    let lower = Int(bytes[start + 12]) | Int(bytes[start + 13]) << 8
    guard page > 1, pageFlags(page) & 3 != 0, lower > 16, lower <= Self.pageSize else { return flipBits() }
    let pointer = start + 16 + below((lower - 16) / 2) * 2
    let node = start + (Int(bytes[pointer]) | Int(bytes[pointer + 1]) << 8)
    let keySize = node + 8 < bytes.count ? Int(bytes[node + 6]) | Int(bytes[node + 7]) << 8 : 0
    let number = one(of: [below(pageCount), page, pageCount, below(1 << 20), 0, 1])
    let place = pageFlags(page) & 1 != 0 ? node : node + 8 + keySize
    guard place + 8 <= bytes.count else { return flipBits() }
    write(UInt64(number), pageFlags(page) & 1 != 0 ? 4 : 8, place)
    note("page number at \(place) becomes \(number)")
  }
}
