import Foundation
import ProcessTestModels
import TestSupport

/// One way of damaging a file, chosen by a generator. Most of it goes where the file's structure is: records, and the
/// beginnings of nodes and values.
struct Mutation {
  private var random: SeededGenerator
  private var bytes: [UInt8]
  private let older: [UInt8]
  private(set) var description = ""

  /// What has a place of its own in a file of pages, in bytes.
  static let unit = 512
  /// Number of the first bytes, where header slots with records are.
  static let slotsSize = 4 * 4096

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
  private var unitCount: Int { bytes.count / Self.unit }

  private mutating func mutate() {
    switch below(15) {
    case 0...3: flipBits()
    case 4...7: editNumber()
    case 8: randomWords()
    case 9: splice()
    case 10: replaceUnits()
    case 11: swapUnits()
    case 12: unitsOfOlderVersion()
    case 13: truncate()
    default: repeatUnits()
    }
  }

  /// An offset where damage tells: mostly in records, and at the beginning of what begins at a unit.
  private mutating func place() -> Int {
    let start = usedUnit() * Self.unit
    return start + one(of: [below(8), below(48), below(176), below(Self.unit), Self.unit - 1 - below(16)])
  }

  /// A unit that is not empty: one of a slot, or another one.
  private mutating func usedUnit() -> Int {
    if below(6) == 0 { return below(4) * 8 }
    for _ in 0..<64 {
      let unit = below(unitCount)
      if bytes[unit * Self.unit..<(unit + 1) * Self.unit].contains(where: { $0 != 0 }) { return unit }
    }
    return below(unitCount)
  }

  /// One unit, or a block of them.
  private mutating func usedUnits() -> Range<Int> {
    let (unit, count) = (usedUnit(), one(of: [1, 1, 8]))
    return unit * Self.unit..<min(unit + count, unitCount) * Self.unit
  }

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

  private mutating func replaceUnits() {
    let range = usedUnits()
    let filling = one(of: [0, 0, 0xFF, -1])
    for place in range {
      bytes[place] = filling < 0 ? UInt8.random(in: 0...255, using: &random) : UInt8(filling)
    }
    note("\(range) filled with \(filling)")
  }

  private mutating func swapUnits() {
    let (first, second) = (usedUnits(), usedUnits())
    for (place, other) in zip(first, second) { bytes.swapAt(place, other) }
    note("\(first) and \(second) swapped")
  }

  private mutating func unitsOfOlderVersion() {
    let range = usedUnits().clamped(to: 0..<older.count)
    bytes.replaceSubrange(range, with: older[range])
    note("\(range) of an older version")
  }

  private mutating func truncate() {
    let size = one(of: [below(bytes.count), below(unitCount) * Self.unit, bytes.count - 1 - below(64)])
    guard size >= Self.slotsSize || below(8) == 0 else { return flipBits() }
    bytes.removeLast(bytes.count - size)
    // What else is done to it needs some units.
    if size < Self.slotsSize { bytes += Array(repeating: 0, count: Self.slotsSize - size) }
    note("cut off at \(size)")
  }

  /// What is in one place in another one as well.
  private mutating func repeatUnits() {
    let (source, target) = (usedUnits(), usedUnits())
    let count = min(source.count, target.count)
    let copy = Array(bytes[source.prefix(count)])
    bytes.replaceSubrange(target.prefix(count), with: copy)
    note("\(source) again at \(target)")
  }
}
