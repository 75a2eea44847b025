import LibC

/// Finds nodes of a version whose parent is damaged, for verification and salvage.
///
/// 1. What a damaged branch still says counts: its bytes are searched for references, wherever they are. A child that has the checksum
///    of such a reference is verified, and belongs to the version.
/// 2. If references are lost, and the file is not encrypted, its units are searched for what has the form of a node. A node that
///    belongs to the version shares no keys with another one of its level. So of the nodes whose keys no verified node has, those are
///    taken first whose checksum or place the damaged branch names; then newer ones before older ones. The version of a node is told
///    by a reference in any branch, by those in it, or by where it lies (see `NodeScan`). Such nodes are unverified: they may be of an
///    older version, or a part of a value that was deleted.
/// 3. Of a damaged leaf, what older versions had in its place can be read, if a reference of an older branch, or the record of an older
///    version, verifies it.
///
/// In an encrypted file, only the first rule is followed: a node that no reference names cannot be authenticated. What is lost with a
/// damaged reference there is what it led to. A damaged branch itself is decrypted unauthenticated, but what its references lead to
/// is not.
package final class NodeSearch {
  /// A node that is read in the place of a damaged one.
  struct Found {
    let reference: Reference
    let level: Int
    let isVerified: Bool
    var keys: KeyRange
    /// Whether it is damaged, too, and what is below it can be read only by another search.
    var isDamaged = false
  }

  private let root: Reference
  let map: FileMap
  /// Nil until it is needed.
  private var scan: NodeScan?
  /// What was found below damaged nodes, by their units.
  private var known: [UInt64: [Found]] = [:]

  package init(_ version: PageVersion) { (map, root) = (version.map, version.root) }

  // MARK: Below a damaged branch

  /// The nodes below a damaged node, in the order of their keys.
  ///
  /// - Parameters:
  ///   - level: The level of the damaged node; nil of a root.
  ///   - keys: Which keys it can have.
  func nodes(below reference: Reference, level: Int?, _ keys: KeyRange) -> [Found] {
    if let found = known[reference.unit] { return found }
    let found = search(below: reference, level: level, keys)
    known[reference.unit] = found
    return found
  }

  private func search(below reference: Reference, level: Int?, _ keys: KeyRange) -> [Found] {
    let damaged = DamagedNode(reference, map)
    var found = verified(damaged, level)
    let level = level ?? levelOfRoot(damaged, found)
    let lost = damaged.count(level).map { $0 - found.count }
    if level > 0, !reference.isEncrypted, lost.map({ $0 > 0 }) ?? true {
      // Each lost reference of the lowest branch led to one leaf.
      let limit = level == 1 ? lost ?? .max : .max
      var candidates = unverified(damaged, level, keys)
      candidates.removeAll { candidate in found.contains { $0.keys.overlaps(candidate.keys) } }
      var added = 0
      for candidate in candidates where added < limit {
        if found.contains(where: { $0.keys.overlaps(candidate.keys) }) { continue }
        found.append(candidate)
        added += 1
      }
    }
    return found.sorted { KeyRange.isBefore($0.keys, $1.keys) }
  }

  private func levelOfRoot(_ damaged: DamagedNode, _ found: [Found]) -> Int {
    if let child = found.first { return child.level + 1 }
    if damaged.count(damaged.level) != nil || damaged.reference.isEncrypted { return damaged.level }
    let scan = makeScan()
    if scan.topLevel > 0 { return scan.topLevel }
    // Where no branch is left, leaves that share no keys had one.
    let leaves = scan.nodes.map { keyRange($0.reference) }
    guard let first = leaves.min(by: { ($0.last ?? []).lexicographicallyPrecedes($1.last ?? []) }),
      let last = leaves.max(by: { $0.low.lexicographicallyPrecedes($1.low) })
    else { return 0 }
    return first.overlaps(last) ? 0 : 1
  }

  /// The children whose checksums a damaged branch has.
  private func verified(_ damaged: DamagedNode, _ level: Int?) -> [Found] {
    var units: Set<UInt64> = []
    var found: [Found] = []
    for reference in damaged.references where !units.contains(reference.unit) {
      if let child = map.levelOfNode(reference), level.map({ child == $0 - 1 }) ?? true {
        units.insert(reference.unit)
        found.append(Found(reference: reference, level: child, isVerified: true, keys: keyRange(reference)))
      } else if let level, level > 1, let keys = keysOfDamagedChild(reference, level - 1) {
        units.insert(reference.unit)
        found.append(
          Found(reference: reference, level: level - 1, isVerified: false, keys: keys, isDamaged: true))
      }
    }
    if level != nil { return found }
    let top = found.map(\.level).max()
    return found.filter { $0.level == top }
  }

  /// The keys below a branch of an encrypted file that is not what a damaged reference says, as far as what is below is verified; nil when
  /// nothing is.
  private func keysOfDamagedChild(_ reference: Reference, _ level: Int) -> KeyRange? {
    if !reference.isEncrypted { return nil }
    let ranges = DamagedNode(reference, map).references.filter { map.levelOfNode($0) == level - 1 }.map(
      keyRange)
    guard let first = ranges.min(by: KeyRange.isBefore), let last = ranges.max(by: KeyRange.isBefore) else {
      return nil
    }
    return KeyRange(low: first.low, last: last.last)
  }

  private func unverified(_ damaged: DamagedNode, _ level: Int, _ keys: KeyRange) -> [Found] {
    let scan = makeScan()
    let (named, sums) = (Set(damaged.references.map(\.unit)), damaged.sums)
    let candidates = scan.nodes.filter {
      $0.level < level && $0.leastVersion <= damaged.reference.version
        && $0.reference.unit != damaged.reference.unit && !scan.isLive($0.reference)
    }
    func rank(_ node: NodeScan.Node) -> (Int, Int, UInt64, UInt64) {
      let (sum, unit) = (node.reference.sum, node.reference.unit)
      let kind = sums.contains(sum) ? 2 : named.contains(unit) ? 1 : 0
      // A large transaction may write a node more than once: in most cases one behind the other.
      return (kind, node.level, node.version, unit)
    }
    return candidates.map { (node: $0, rank: rank($0)) }.sorted { $0.rank > $1.rank }.compactMap {
      var reference = $0.node.reference
      reference.version = damaged.reference.version
      let range = keyRange(reference)
      if !keys.contains(range) { return nil }
      return Found(reference: reference, level: $0.node.level, isVerified: $0.rank.0 == 2, keys: range)
    }
  }

  // MARK: In the place of a damaged leaf

  /// Leaves of older versions that have keys of a damaged one, in the order of their keys, and the version that each is of.
  func olderLeaves(than reference: Reference, _ keys: KeyRange) -> [(found: Found, version: UInt64)] {
    if reference.isEncrypted { return [] }
    let scan = makeScan()
    let candidates = scan.nodes.compactMap { node in
      scan.versions[node.reference.sum].flatMap {
        node.level == 0 && $0 <= reference.version && node.reference.unit != reference.unit ? (node, $0) : nil
      }
    }
    var leaves: [(found: Found, version: UInt64)] = []
    for (node, version) in candidates.sorted(by: { $0.1 > $1.1 }) where !scan.isLive(node.reference) {
      let range = keyRange(node.reference)
      guard let common = range.common(with: keys), !leaves.contains(where: { $0.found.keys.overlaps(common) })
      else { continue }
      leaves.append((Found(reference: node.reference, level: 0, isVerified: true, keys: common), version))
    }
    return leaves.sorted { KeyRange.isBefore($0.found.keys, $1.found.keys) }
  }

  // MARK: What is found

  private func makeScan() -> NodeScan {
    if let scan { return scan }
    var live = LiveUnits(units: UnitSet(limit: ((try? map.file.size) ?? 0) / FileLayout.unit))
    markLive(root, level: nil, &live)
    let made = NodeScan(map, version: root.version, live: live)
    scan = made
    return made
  }

  /// Notes the units of all that is reached from a node.
  private func markLive(_ reference: Reference, level: Int?, _ live: inout LiveUnits) {
    live.versions[reference.unit] = reference.version
    var children: [(Reference, Int)] = []
    do throws(PageError) {
      try map.withContent(reference) { (start) throws(PageError) in
        let node = Node(start)
        try node.checkLevel(level)
        live.units.insert(reference.units)
        for index in 0..<node.count where node.hasReference(index) {
          children.append((node.reference(index), node.level - 1))
        }
      }
    } catch {
      children = verified(DamagedNode(reference, map), level).map { ($0.reference, $0.level) }
    }
    for (child, level) in children where !live.units.contains(child.unit) {
      if child.isValue { live.units.insert(child.units) } else { markLive(child, level: level, &live) }
    }
  }

  /// From the first key of a node to its last one, as far as what is below can be read.
  private func keyRange(_ reference: Reference) -> KeyRange {
    KeyRange(low: edgeKey(reference, isFirst: true), last: edgeKey(reference, isFirst: false))
  }

  private func edgeKey(_ reference: Reference, isFirst: Bool) -> [UInt8] {
    var (reference, key): (Reference, [UInt8]) = (reference, [])
    var level: Int?
    while true {
      var next: Reference?
      let found = try? map.withContent(reference) { (start) throws(PageError) in
        let node = Node(start)
        try node.checkLevel(level)
        level = node.level - 1
        let index = isFirst ? 0 : node.count - 1
        if node.level > 0 { next = node.reference(index) }
        // The first key of a branch is not stored.
        return node.key(node.level > 0 && isFirst ? min(1, node.count - 1) : index)
      }
      guard let found else { return key }
      key = found
      guard let next else { return key }
      reference = next
    }
  }
}
