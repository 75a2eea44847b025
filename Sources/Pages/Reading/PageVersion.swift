/// A version of a file that is held: what it has stays where it is until `release`.
package struct PageVersion: Sendable {
  private enum Holder {
    case reader(Readers.Held, PageStore)
    case lock(PageViewer)
  }

  let map: FileMap
  package let version: UInt64
  package let root: Reference
  private let holder: Holder

  /// Holds the newest version.
  package init(_ store: PageStore) throws(PageError) {
    try store.file.checkOwner()
    let reader: Readers.Held
    (reader, version, root) = try store.readers.hold()
    holder = .reader(reader, store)
    map = store.map
  }

  init(_ viewer: PageViewer, _ version: UInt64, _ root: Reference) {
    (self.version, self.root, holder, map) = (version, root, .lock(viewer), viewer.map)
  }

  /// Ends the use of the version, once. In a child of `fork` it does nothing: its parent holds it.
  package func release() {
    switch holder {
    case .reader(let reader, let store): if store.file.owned.isOwn { store.readers.release(reader) }
    case .lock(let viewer): viewer.release(version)
    }
  }

  /// The value of a key, in the file's memory.
  @inline(__always)
  package func value(_ key: UnsafeRawBufferPointer) throws(PageError) -> UnsafeRawBufferPointer? {
    if root.isNone { return nil }
    var node = Node(try map.content(root))
    var level = node.level
    while level > 0 {
      node = Node(try map.content(at: node.content(node.childIndex(key))))
      level -= 1
      if node.level != level { throw .damaged("a node of the wrong level") }
    }
    let (index, isFound) = node.firstIndex(atOrAfter: key)
    if !isFound { return nil }
    if !node.hasReference(index) { return node.inlineValue(index) }
    let reference = node.reference(index)
    return UnsafeRawBufferPointer(start: try map.content(reference), count: Int(reference.length))
  }
}
