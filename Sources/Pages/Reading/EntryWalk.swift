/// The entries of a version in the order of their keys, but for those in nodes that cannot be read and values that cannot.
///
/// Of what is below a damaged branch, it has what a search finds.
///
/// Of an encrypted file it keeps little in memory: what it has decrypted is its own.
package struct EntryWalk {
  package struct Entry {
    package let key: [UInt8]
    /// Holds until the next entry but one has been read.
    package let value: UnsafeRawBufferPointer
    /// Whether it is of an older version, in a tree whose other entries are not.
    package let isOlder: Bool
    /// Whether it was found without a sound reference on the way to it: it may be of an older version.
    package let isFound: Bool
  }

  /// A node on the way from the root to the present leaf.
  private struct Step {
    /// Nil in the place of a node that is damaged.
    let node: Node?
    /// What was found in the place of what is below.
    var found: [NodeSearch.Found] = []
    /// Nil where all keys of the node count.
    var keys: KeyRange?
    var next: Int
    var isOlder = false

    var count: Int { node?.count ?? found.count }
  }

  /// What could not be read, one line each.
  package private(set) var faults: [String] = []
  private let version: PageVersion
  private let start: [UInt8]
  private let readsValues: Bool
  private let search: NodeSearch?
  private let findsOlder: Bool
  /// Nil where there is no memory for it: then the version keeps everything.
  private let pins: TransactionPins?
  /// From the root to the leaf, with the next index on each node.
  private var path: [Step] = []
  /// In a forged file, so many branches may lead to one leaf that a walk would never end. What is found in the place of damaged nodes
  /// may be read again.
  private var nodesLeft: Int

  /// - Parameters:
  ///   - start: Entries with lesser keys are left out.
  ///   - readsValues: Whether entries have values that are not empty.
  ///   - search: Finds what is below damaged branches, if that is wanted.
  ///   - findsOlder: Whether entries of older versions replace those of damaged leaves. They always do if the root is one.
  package init(
    _ version: PageVersion, from start: [UInt8] = [], readsValues: Bool = true, search: NodeSearch? = nil,
    findsOlder: Bool = false
  ) {
    (self.version, self.start, self.readsValues) = (version, start, readsValues)
    (self.search, self.findsOlder) = (search, findsOlder)
    pins = try? TransactionPins(version.map, limit: PageVersion.decryptedLimit / 8)
    nodesLeft = 2 * ((try? version.fileSize) ?? FileLayout.sizeLimit / 2) / FileLayout.unit
    if !version.root.isNone { enter(version.root, isFirst: true) }
  }

  /// - Parameters:
  ///   - isFirst: Whether all nodes before were left out.
  ///   - older: Of a leaf of an older version: which of its keys count.
  private mutating func enter(
    _ reference: Reference, level: Int? = nil, isFirst: Bool = false, older: KeyRange? = nil
  ) {
    nodesLeft -= 1
    do throws(PageError) {
      let node = try node(reference)
      if let level, node.level != level { throw .damaged("a node of the wrong level") }
      let first = start.withUnsafeBytes { start in
        if !isFirst || start.isEmpty { return 0 }
        return node.level == 0 ? node.firstIndex(atOrAfter: start).index : node.childIndex(start)
      }
      path.append(Step(node: node, keys: older, next: first, isOlder: older != nil))
      if node.level > 0 && isFirst {
        path[path.count - 1].next += 1
        enter(node.reference(first), level: node.level - 1, isFirst: true)
      }
    } catch {
      note(error, Self.place(reference))
      if case .damaged = error, let search, older == nil { replace(reference, level, search) }
    }
  }

  /// Goes on with what is found in the place of a damaged node.
  private mutating func replace(
    _ reference: Reference, _ level: Int?, _ search: NodeSearch
  ) {
    let keys = keysOfNextNode()
    var found = level == 0 ? [] : search.nodes(below: reference, level: level, keys)
    if !found.isEmpty {
      let unverified = found.filter { !$0.isVerified }.count
      faults[faults.count - 1] +=
        "; \(found.count) nodes below it were found"
        + (unverified > 0 ? ", \(unverified) of them without a checksum" : "")
    }
    var isOlder = false
    if found.isEmpty, findsOlder || path.isEmpty {
      let older = search.olderLeaves(than: reference, keys)
      (found, isOlder) = (older.map(\.found), !older.isEmpty)
      if isOlder {
        let versions = Set(older.map(\.version)).sorted().map(String.init).joined(separator: ", ")
        faults[faults.count - 1] += "; what it had in version \(versions) was found"
      }
    }
    if !found.isEmpty { path.append(Step(node: nil, found: found, next: 0, isOlder: isOlder)) }
  }

  /// The keys that the node can have which is entered next.
  private func keysOfNextNode() -> KeyRange {
    var keys = KeyRange()
    for step in path {
      guard let node = step.node else { continue }
      if step.next > 1 { keys.low = node.key(step.next - 1) }
      if step.next < node.count { keys.end = node.key(step.next) }
    }
    return keys
  }

  private static func place(_ reference: Reference) -> String {
    "a node of \(reference.length) bytes at \(Int(reference.unit) * FileLayout.unit)"
  }

  private mutating func note(_ error: PageError, _ place: String) {
    if case .damaged(let reason) = error {
      faults.append("\(place): \(reason)")
    } else {
      faults.append("\(place) cannot be read")
    }
  }

  private func node(_ reference: Reference) throws(PageError) -> Node { Node(try content(reference)) }

  private func content(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    guard let pins = pins?.current else { return try version.content(reference) }
    return try version.map.content(reference, .passUnretained(pins))
  }

  private func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer {
    if !readsValues { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if !node.hasReference(index) { return node.inlineValue(index) }
    let reference = node.reference(index)
    return UnsafeRawBufferPointer(start: try content(reference), count: Int(reference.length))
  }

  /// Releases what former entries needed, and pins the nodes of the path again.
  private mutating func release() {
    guard let pins, pins.beginChange() else { return }
    let old = path
    path.removeAll(keepingCapacity: true)
    for step in old {
      if step.node == nil {
        path.append(step)
        continue
      }
      let reference = path.last.map { parent in
        parent.node.map { $0.reference(parent.next - 1) } ?? parent.found[parent.next - 1].reference
      }
      do throws(PageError) {
        let node = try node(reference ?? version.root)
        path.append(Step(node: node, keys: step.keys, next: step.next, isOlder: step.isOlder))
      } catch {
        let reference = reference ?? version.root
        return note(error, Self.place(reference))
      }
    }
  }

  package mutating func next() -> Entry? {
    release()
    while let step = path.last {
      if nodesLeft < 0 {
        faults.append("branches that meet: the file has no space for as many nodes")
        path.removeAll()
        return nil
      }
      let index = step.next
      if index >= step.count {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      guard let node = step.node else {
        let found = step.found[index]
        if found.isDamaged, let search {
          faults.append("\(Self.place(found.reference)): its reference is damaged")
          replace(found.reference, found.level, search)
          continue
        }
        enter(
          found.reference, level: found.level, isFirst: true, older: step.isOlder ? found.keys : nil)
        continue
      }
      if node.level > 0 {
        enter(node.reference(index), level: node.level - 1)
        continue
      }
      let key = node.key(index)
      if let keys = step.keys, !keys.contains(key) { continue }
      do throws(PageError) {
        // If the root is replaced, everything is of older versions.
        let isOlder = step.isOlder && path.count > 2
        return Entry(
          key: key, value: try value(index, in: node), isOlder: isOlder,
          isFound: path.contains { $0.node == nil })
      } catch {
        note(error, "the value of a key")
      }
    }
    return nil
  }
}
