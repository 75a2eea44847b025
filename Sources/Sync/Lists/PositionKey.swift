/// The position of an element of a list: a byte string, compared byte by byte, as PostgreSQL compares `bytea`.
///
/// It is a path of components (n, client, k), each of which is an integer of 1 to 9 bytes whose bytes are ordered as the numbers
/// are. What one client inserts one behind the other, or one before the other, shares n and client and counts k, so that the
/// runs of two clients at one place do not interleave. Where there is no room, a component is added.
package struct PositionKey: Sendable, Hashable, Comparable {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package static func < (first: PositionKey, second: PositionKey) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }

  /// The distance between neighbours in a run, and between two runs: room for what comes between them.
  static let step: Int64 = 64
  /// Longer keys are not made: the elements around get new ones.
  package static let longest = 32
  /// Beside new keys, the neighbours have room.
  static let roomy = 16
  /// Greater numbers are not made and not continued.
  private static let largestNumber: Int64 = 1 << 60

  struct Component: Hashable {
    var n: Int64
    var client: Int64
    var k: Int64
  }

  // MARK: Bytes

  init(_ path: [Component]) {
    bytes = []
    for component in path {
      for number in [component.n, component.client, component.k] { Self.append(number, to: &bytes) }
    }
  }

  /// The components; nil when the bytes are not those of a key that a client has made.
  var path: [Component]? {
    var path: [Component] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let n = Self.readNumber(&rest), let client = Self.readNumber(&rest),
        let k = Self.readNumber(&rest)
      else { return nil }
      path.append(Component(n: n, client: client, k: k))
    }
    return path.isEmpty ? nil : path
  }

  /// Numbers from −48 to 47 take one byte, 0x50 to 0xAF; others have the number of the bytes that follow in the first one.
  static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number >= -48 && number <= 47 { return bytes.append(UInt8(128 + number)) }
    let distance = number > 0 ? UInt64(number) - 48 : UInt64(-49 - number)
    let size = max(1, (64 - distance.leadingZeroBitCount + 7) / 8)
    bytes.append(number > 0 ? UInt8(0xAF + size) : UInt8(0x50 - size))
    let stored = number > 0 ? distance : ~distance
    for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: stored >> (8 * place))) }
  }

  private static func readNumber(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard let first = rest.popFirst() else { return nil }
    if first >= 0x50 && first <= 0xAF { return Int64(first) - 128 }
    let isPositive = first > 0xAF
    let size = isPositive ? Int(first) - 0xAF : 0x50 - Int(first)
    guard size <= 8, rest.count >= size else { return nil }
    var distance = rest.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64(isPositive ? $1 : ~$1) }
    rest = rest.dropFirst(size)
    // In as few bytes as it needs.
    guard distance < UInt64(largestNumber), size == 1 || distance >> (8 * (size - 1)) != 0 else { return nil }
    if isPositive { distance += 48 }
    return isPositive ? Int64(distance) : -49 - Int64(distance)
  }

  /// Whether elements can be put beside it without new keys for its neighbours.
  var isRoomy: Bool { bytes.count <= Self.roomy && path != nil }

  // MARK: New keys

  /// Returns ascending keys between two others; nil when those leave no room, because they are equal or not made by a client.
  ///
  /// - Parameters:
  ///   - lower: Nil for the beginning of the list.
  ///   - upper: Nil for its end.
  ///   - client: The number of the client that inserts.
  static func between(
    _ lower: PositionKey?, _ upper: PositionKey?, client: Int64, count: Int
  ) -> [PositionKey]? {
    var (before, after): ([Component], [Component]) = ([], [])
    if let lower {
      guard let path = lower.path else { return nil }
      before = path
    }
    if let upper {
      guard let path = upper.path, lower.map({ $0 < upper }) ?? true else { return nil }
      after = path
    }
    for run in runs(before, after, client, count) {
      let first = PositionKey(run.prefix + [run.component(0)])
      let last = PositionKey(run.prefix + [run.component(count - 1)])
      if lower.map({ $0 >= first }) ?? false || upper.map({ last >= $0 }) ?? false { continue }
      return (0..<count).map { PositionKey(run.prefix + [run.component($0)]) }
    }
    return nil
  }

  /// Keys with all but their last components the same.
  private struct Run {
    var prefix: [Component]
    var n: Int64
    var client: Int64
    var first: Int64
    var step = PositionKey.step

    func component(_ index: Int) -> Component {
      Component(n: n, client: client, k: first + step * Int64(index))
    }
  }

  /// The runs that may fit, the best first.
  private static func runs(
    _ before: [Component], _ after: [Component], _ client: Int64, _ count: Int
  ) -> [Run] {
    var runs: [Run] = []
    let common = zip(before, after).prefix { $0 == $1 }.count
    let count = Int64(count)
    if let last = before.last, last.client == client {
      let prefix = Array(before.dropLast())
      if common == before.count - 1, after.count == before.count, after.last!.n == last.n,
        after.last!.client == client
      {
        let room = (after.last!.k - last.k) / (count + 1)
        if room > 0 {
          runs.append(Run(prefix: prefix, n: last.n, client: client, first: last.k + room, step: room))
        }
      }
      runs.append(Run(prefix: prefix, n: last.n, client: client, first: last.k + step))
    }
    if let next = after.last, next.client == client {
      runs.append(
        Run(prefix: Array(after.dropLast()), n: next.n, client: client, first: next.k - step * count))
    }
    if after.isEmpty {
      runs.append(Run(prefix: [], n: before.first.map { $0.n + step } ?? 0, client: client, first: 0))
    } else if before.isEmpty {
      runs.append(Run(prefix: [], n: after[0].n - step, client: client, first: 0))
    }
    if common < before.count, common < after.count, before[common].n + 1 < after[common].n {
      let middle = before[common].n + (after[common].n - before[common].n) / 2
      runs.append(Run(prefix: Array(before.prefix(common)), n: middle, client: client, first: 0))
    }
    if common == before.count, common < after.count {
      runs.append(Run(prefix: before, n: after[common].n - step, client: client, first: 0))
    }
    runs.append(Run(prefix: before, n: 0, client: client, first: 0))
    return runs
  }
}
