import TestSupport
import Testing

@testable import Sync

@Suite struct PositionKeyTests {
  @Test func numbersAreOrderedAsTheirBytes() throws {
    var numbers: [Int64] = Array(-70_000...70_000).filter { $0 % 7 == 0 } + Array(-300...300)
    for shift in 8..<60 {
      for near in -2...2 { numbers += [1 << shift + Int64(near), -(1 << shift) + Int64(near)] }
    }
    numbers = Set(numbers).sorted()
    var last: [UInt8]?
    for number in numbers {
      let key = PositionKey([.init(n: number, client: 1, k: -number)])
      #expect(key.path == [.init(n: number, client: 1, k: -number)])
      var bytes: [UInt8] = []
      PositionKey.append(number, to: &bytes)
      #expect(bytes.count <= 9)
      if let last { #expect(last.lexicographicallyPrecedes(bytes)) }
      last = bytes
    }
  }

  @Test func bytesThatNoClientMakesAreNoKeys() {
    for bytes: [UInt8] in [
      [], [0x80], [0x80, 0x80], [0xB7, 0, 0, 0, 0, 0, 0, 0, 1, 0x80, 0x80], [0xB1, 0, 5, 0x80, 0x80],
      [0xFF, 0x80, 0x80], [0, 0, 0], [0x80, 0x80, 0x80, 0x80],
      [0xB7] + [UInt8](repeating: 255, count: 8) + [0x80, 0x80],
    ] { #expect(PositionKey(bytes: bytes).path == nil, "\(bytes)") }
    // The neighbours of such keys get new ones.
    let foreign = (0..<5).map { ListPlace(PositionKey(bytes: [UInt8($0)]), Int64($0)) }
    let order: [ListPlace?] = [foreign[0], nil, foreign[1], foreign[1], nil, foreign[2]]
    let keys = PositionAssignment.keys(order, client: 1)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The edits, with the longest key and the mean length that they may lead to, in bytes, and the re-keyed elements per edit.
  enum Edits: String, CaseIterable {
    case append, prepend, afterOneElement, threeClients, zigzag, walk

    var limits: (longest: Int, mean: Double, rekeyed: Double) {
      switch self {
      case .append, .prepend: (6, 6, 0)
      case .afterOneElement: (10, 10, 0)
      case .threeClients: (32, 17, 0.7)
      case .zigzag: (32, 32, 65)
      case .walk: (32, 32, 65)
      }
    }
  }

  @Test(arguments: Edits.allCases)
  func keysStayShort(_ edits: Edits) {
    var random = SeededGenerator(printing: 1)
    let count = TestLength.count(6_000, long: 100_000)
    var keys: [PositionKey?] = []
    var (place, rekeyed, longest) = (0, 0, 0)
    for number in 0..<count {
      switch edits {
      case .append: place = number
      case .prepend: place = 0
      case .afterOneElement: place = min(number, 5)
      case .threeClients: place = Int.random(in: 0...number, using: &random)
      case .zigzag: place += number & 1
      case .walk: place = max(0, min(number, place + Int.random(in: 0...1, using: &random)))
      }
      keys.insert(nil, at: place)
      let client = edits == .threeClients ? Int64(1 + number % 3) : 1
      let changed = PositionAssignment.fill(place..<place + 1, &keys, client)
      rekeyed += changed.count - 1
      longest = max(longest, keys[changed].map { $0!.bytes.count }.max()!)
    }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0! < $1! })
    let mean = Double(keys.reduce(0) { $0 + $1!.bytes.count }) / Double(count)
    #expect(longest <= edits.limits.longest && mean <= edits.limits.mean)
    #expect(Double(rekeyed) / Double(count) <= edits.limits.rekeyed)
  }

  /// What two clients insert at one place, each run in its own order, is not mixed.
  @Test func runsOfTwoClientsDoNotInterleave() throws {
    let ends = PositionAssignment.keys([nil, nil], client: 9)
    for isForward in [true, false] {
      var all: [(key: PositionKey, client: Int64)] = []
      for client: Int64 in [1, 2] {
        var keys: [PositionKey?] = [ends[0], ends[1]]
        for number in 0..<40 {
          let place = isForward ? number + 1 : 1
          keys.insert(nil, at: place)
          _ = PositionAssignment.fill(place..<place + 1, &keys, client)
        }
        all += keys[1...40].map { ($0!, client) }
      }
      let order = all.sorted { $0.key < $1.key }.map(\.client)
      #expect(zip(order, order.dropFirst()).filter { $0 != $1 }.count == 1)
    }
  }

  @Test func elementsThatStayKeepTheirKeys() {
    var random = SeededGenerator(printing: 2)
    for _ in 0..<60 {
      let places = PositionAssignment.keys([ListPlace?](repeating: nil, count: 30), client: 1).enumerated()
        .map { ListPlace($1, Int64($0)) }
      var order: [ListPlace?] = places
      let moved = Int.random(in: 0..<5, using: &random)
      for _ in 0..<moved {
        let place = order.remove(at: Int.random(in: 0..<order.count, using: &random))
        order.insert(place, at: Int.random(in: 0...order.count, using: &random))
      }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        order.insert(nil, at: Int.random(in: 0...order.count, using: &random))
      }
      let keys = PositionAssignment.keys(order, client: 2)
      let new = zip(keys, order.enumerated()).map { ListPlace($0, $1.1?.element ?? Int64(100 + $1.0)) }
      #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 })
      #expect(zip(keys, order).filter { $1 != nil && $0 != $1!.key }.count <= moved)
    }
    // Equal keys, which two SQL programs may have made, are told apart by the elements.
    let key = PositionKey([.init(n: 0, client: 0, k: 0)])
    #expect(PositionAssignment.keys([ListPlace(key, 1), ListPlace(key, 2)], client: 1) == [key, key])
    let swapped = PositionAssignment.keys([ListPlace(key, 2), ListPlace(key, 1)], client: 1)
    #expect(ListPlace(swapped[0], 2) < ListPlace(swapped[1], 1))
  }
}
