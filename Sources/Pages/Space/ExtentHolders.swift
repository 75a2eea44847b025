/// The versions that need extents which were given up: where in the list the first entry of each may be, and how many units it needs.
///
/// There are few in most cases: often one. Invariant: `entries` are in the order of the versions, of which each occurs once.
struct ExtentHolders {
  struct Entry {
    let version: UInt64
    var first: Int
    var unitCount: Int
  }

  private var entries: [Entry] = []

  init() {}

  /// - Parameter entries: In the order of their versions.
  init(_ entries: [Entry]) { self.entries = entries }

  /// Represents the holders for which there is no room. It is never in use, so the writer examines their extents each time.
  private static let others: UInt64 = 0

  /// Adds an extent of a holder. The places of new holders only ever grow.
  mutating func add(_ version: UInt64, _ place: Int, unitCount: Int) {
    let new = Entry(version: version, first: place, unitCount: unitCount)
    if entries.last.map({ $0.version < version }) ?? true { return entries.append(new) }
    let index = index(notBelow: version)
    if entries[index].version == version {
      entries[index].unitCount += unitCount
    } else {
      entries.insert(new, at: index)
    }
  }

  /// Subtracts an extent at or behind a place, from which on all are examined again, unless its holder was removed with all of them.
  mutating func subtract(_ version: UInt64, unitCount: Int, examinedFrom place: Int) {
    let index = index(notBelow: version)
    if index < entries.count, entries[index].version == version, entries[index].first < place {
      entries[index].unitCount -= unitCount
    }
  }

  /// Number of units that a version needs, as the oldest one in use.
  func unitCount(_ version: UInt64) -> Int {
    let index = index(notBelow: version)
    return index < entries.count && entries[index].version == version ? entries[index].unitCount : 0
  }

  private func index(notBelow version: UInt64) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) >> 1
      if entries[middle].version < version { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first place of those that match.
  func first(where matches: (UInt64) -> Bool) -> Int? {
    entries.reduce(nil as Int?) { first, entry in
      if let first, first <= entry.first { return first }
      return matches(entry.version) ? entry.first : first
    }
  }

  /// Forgets those of which all extents are at a place or behind it.
  mutating func removeAll(from place: Int) { entries.removeAll { $0.first >= place } }

  /// All of them; where there are more than a limit, some together as others.
  func entries(atMost limit: Int) -> [Entry] {
    if entries.count <= limit { return entries }
    let merged = entries[..<(entries.count - limit + 1)]
    let first = merged.map(\.first).min() ?? 0
    return [Entry(version: Self.others, first: first, unitCount: 0)] + entries[merged.endIndex...]
  }
}
