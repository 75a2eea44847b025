/// The entries of a version in the order of their keys, but for those in nodes that cannot be read and values that cannot.
///
/// Of an encrypted file it keeps little in memory: what it has decrypted is its own.
package struct EntryWalk {
  package struct Entry {
    package let key: [UInt8]
    /// Holds until the next entry but one has been read.
    package let value: UnsafeRawBufferPointer
  }

  /// What could not be read, one line each.
  package private(set) var faults: [String] = []
  private let version: PageVersion
  private let start: [UInt8]
  private let readsValues: Bool
  /// Nil where there is no memory for it: then the version keeps everything.
  private let pins: TransactionPins?
  /// From the root to the leaf, with the next index on each node.
  private var path: [(node: Node, next: Int)] = []

  /// - Parameters:
  ///   - start: Entries with lesser keys are left out.
  ///   - readsValues: Whether entries have values that are not empty.
  package init(_ version: PageVersion, from start: [UInt8] = [], readsValues: Bool = true) {
    (self.version, self.start, self.readsValues) = (version, start, readsValues)
    pins = try? TransactionPins(version.map, limit: PageVersion.decryptedLimit / 8)
    if !version.root.isNone { enter(version.root, isFirst: true) }
  }

  /// - Parameter isFirst: Whether all nodes before were left out.
  private mutating func enter(_ reference: Reference, level: Int? = nil, isFirst: Bool = false) {
    do throws(PageError) {
      let node = try node(reference)
      if let level, node.level != level { throw .damaged("a node of the wrong level") }
      let first = start.withUnsafeBytes { start in
        if !isFirst || start.isEmpty { return 0 }
        return node.level == 0 ? node.firstIndex(atOrAfter: start).index : node.childIndex(start)
      }
      path.append((node, first))
      if node.level > 0 && isFirst {
        path[path.count - 1].next += 1
        enter(node.reference(first), level: node.level - 1, isFirst: true)
      }
    } catch {
      note(error, "a node of \(reference.length) bytes at \(Int(reference.unit) * FileLayout.unit)")
    }
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
    for (level, place) in old.enumerated() {
      let reference = level == 0 ? version.root : path[level - 1].node.reference(path[level - 1].next - 1)
      do throws(PageError) {
        path.append((try node(reference), place.next))
      } catch {
        return note(error, "a node of \(reference.length) bytes at \(Int(reference.unit) * FileLayout.unit)")
      }
    }
  }

  package mutating func next() -> Entry? {
    release()
    while let (node, index) = path.last {
      if index == node.count {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      if node.level > 0 {
        enter(node.reference(index), level: node.level - 1)
        continue
      }
      do throws(PageError) {
        return Entry(key: node.key(index), value: try value(index, in: node))
      } catch {
        note(error, "the value of a key")
      }
    }
    return nil
  }
}
