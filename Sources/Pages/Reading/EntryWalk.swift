/// The entries of a version in the order of their keys, but for those in nodes that cannot be read and values that cannot.
package struct EntryWalk {
  package struct Entry {
    package let key: [UInt8]
    package let value: UnsafeRawBufferPointer
  }

  /// What could not be read, one line each.
  package private(set) var faults: [String] = []
  private let version: PageVersion
  private let start: [UInt8]
  /// From the root to the leaf, with the next index on each node.
  private var path: [(node: Node, next: Int)] = []

  /// - Parameter start: Entries with lesser keys are left out.
  package init(_ version: PageVersion, from start: [UInt8] = []) {
    (self.version, self.start) = (version, start)
    if !version.root.isNone { enter(version.root, isFirst: true) }
  }

  /// - Parameter isFirst: Whether all nodes before were left out.
  private mutating func enter(_ reference: Reference, level: Int? = nil, isFirst: Bool = false) {
    do throws(PageError) {
      let node = try version.node(reference)
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

  package mutating func next() -> Entry? {
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
        return Entry(key: node.key(index), value: try version.value(index, in: node))
      } catch {
        note(error, "the value of a key")
      }
    }
    return nil
  }
}
