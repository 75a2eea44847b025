import LibC

/// All that has the form of a node in a file that is not encrypted, and the records in it.
struct NodeScan {
  struct Node {
    /// With the checksum that it has.
    let reference: Reference
    let level: Int
    /// No version before this one can have it: it refers to what that one wrote.
    let leastVersion: UInt64
    /// The version that wrote it, as far as that can be told; 0 when it cannot.
    fileprivate(set) var version: UInt64
  }

  private(set) var nodes: [Node] = []
  /// The versions that references and records say of nodes with a checksum.
  private(set) var versions: [Checksum128: UInt64] = [:]
  private let live: LiveUnits

  /// - Parameters:
  ///   - version: The newest one that counts.
  ///   - live: The units of what is reached. What is within a value is none of the file's nodes.
  init(_ map: FileMap, version: UInt64, live: LiveUnits) {
    self.live = live
    guard map.file.cipher == nil, let size = try? map.file.size else { return }
    // What a commit writes lies between its record and its root, unless there was no room for it.
    var commit: (version: UInt64, end: UInt64) = (0, 0)
    for unit in 0..<min(size, map.limit) / FileLayout.unit {
      let start = map.base + unit * FileLayout.unit
      if let record = VersionRecord(at: start, nil) {
        if !record.root.isNone { note(record.root) }
        if unit >= FileLayout.firstUnit { commit = (record.version, record.root.units.upperBound) }
      } else if unit >= FileLayout.firstUnit {
        let recordVersion = unit < commit.end ? commit.version : 0
        add(start, unit: unit, room: size - unit * FileLayout.unit, version, recordVersion)
      }
    }
    findVersions()
  }

  /// Tells what wrote each node: what a reference says counts, and that a commit writes a leaf directly before the next node. It writes a
  /// branch together with a child of it.
  private mutating func findVersions() {
    for index in nodes.indices.reversed() {
      if let known = versions[nodes[index].reference.sum] {
        nodes[index].version = known
      } else if nodes[index].level == 0 {
        let next = nodes[index].reference.units.upperBound
        let isNextFound = index + 1 < nodes.count && nodes[index + 1].reference.unit == next
        let version = isNextFound ? nodes[index + 1].version : live.versions[next]
        if let version, version > 0 { nodes[index].version = version }
      }
    }
  }

  private mutating func note(_ reference: Reference) {
    versions[reference.sum] = max(reference.version, versions[reference.sum] ?? 0)
  }

  private mutating func add(
    _ start: UnsafeRawPointer, unit: Int, room: Int, _ version: UInt64, _ recordVersion: UInt64
  ) {
    let node = Pages.Node(start)
    if node.size < Pages.Node.headerSize || node.size > min(room, Pages.Node.sizeLimit) { return }
    var reference = Reference()
    (reference.length, reference.unit, reference.version) = (UInt32(node.size), UInt64(unit), version)
    if !node.isWellFormed(reference) || !hasKeysInOrder(node) { return }
    reference.sum = Checksum128(of: start, count: node.size)
    var least: UInt64 = 0
    for index in 0..<node.count where node.hasReference(index) {
      let child = node.reference(index)
      least = max(least, child.version)
      if !child.isValue { note(child) }
    }
    nodes.append(
      Node(
        reference: reference, level: node.level, leastVersion: least,
        version: node.level > 0 ? least : recordVersion))
  }

  private func hasKeysInOrder(_ node: Pages.Node) -> Bool {
    var index = node.level > 0 ? 2 : 1
    while index < node.count {
      if Pages.Node.compare(node.suffix(index - 1), node.suffix(index)) >= 0 { return false }
      index += 1
    }
    return true
  }

  /// The level of the highest node.
  var topLevel: Int { nodes.map(\.level).max() ?? 0 }

  /// Whether something that is reached has its place.
  func isLive(_ reference: Reference) -> Bool { live.units.intersects(reference.units) }
}

/// What is reached from the root of a version.
struct LiveUnits {
  var units: UnitSet
  /// The versions that wrote nodes, by their first units, also of those that are damaged.
  var versions: [UInt64: UInt64] = [:]
}

extension Reference {
  /// The units that the extent takes.
  var units: Range<UInt64> { unit..<unit + UInt64(unitCount) }
}
