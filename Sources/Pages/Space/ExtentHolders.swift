/// The versions that need extents which were given up, and where in the list the first entry of each may be.
///
/// There are few in most cases: often one. Invariant: `entries` are in the order of the versions, of which each occurs once.
struct ExtentHolders {
  struct Entry {
    let version: UInt64
    var first: Int
  }

  private var entries: [Entry] = []

  /// Represents the holders for which there is no room. It is never in use, so the writer examines their extents each time.
  private static let others: UInt64 = 0

  /// Notes a holder unless it is known. The places of new ones only ever grow.
  mutating func note(_ version: UInt64, first: Int) {
    if entries.last.map({ $0.version < version }) ?? true {
      return entries.append(Entry(version: version, first: first))
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) >> 1
      if entries[middle].version < version { low = middle + 1 } else { high = middle }
    }
    if entries[low].version != version { entries.insert(Entry(version: version, first: first), at: low) }
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
    return [Entry(version: Self.others, first: first)] + entries[merged.endIndex...]
  }
}
