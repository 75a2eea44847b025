/// A version of a file that is held: what it has stays where it is until `release`.
///
/// Of an encrypted file, all that was read of the version stays decrypted in memory as long: a frozen realm keeps what it has read.
/// A live realm calls `releaseDecrypted` where it uses no address, as between the steps of a walk, and `release(movingTo:)` when it
/// goes on to another version; its memory is bounded.
package struct PageVersion: Sendable {
  private enum Holder {
    case reader(Readers.Held, PageStore)
    case lock(PageViewer)
    /// The version is held by another one, or is of a file that no process can open.
    case other
  }

  let map: FileMap
  /// The decrypted blocks that it pins; nil of a plain file. References to it are not counted for each read: `release` frees it.
  private let pins: Unmanaged<PinnedBlocks>?
  package private(set) var version: UInt64
  package private(set) var root: Reference
  private let holder: Holder

  /// Holds the newest version.
  package init(_ store: PageStore) throws(PageError) {
    try store.file.checkOwner()
    let pins = try store.map.makePins()
    let reader: Readers.Held
    do throws(PageError) {
      (reader, version, root) = try store.readers.hold()
    } catch {
      store.map.free(pins)
      throw error
    }
    holder = .reader(reader, store)
    (map, self.pins) = (store.map, pins.map { .passRetained($0) })
  }

  /// Becomes the newest version, held by the same reader, which has read nothing: it cannot fail for want of a reader.
  package mutating func moveToNewest() {
    guard case .reader(let reader, let store) = holder else {
      preconditionFailure("Only a process that writes moves a reader.")
    }
    (version, root) = store.readers.moveToNewest(reader)
  }

  init(_ viewer: PageViewer, _ version: UInt64, _ root: Reference) throws(PageError) {
    (self.version, self.root, holder, map) = (version, root, .lock(viewer), viewer.map)
    pins = try map.makePins().map { .passRetained($0) }
  }

  private init(_ other: PageVersion, _ map: FileMap) throws(PageError) {
    try self.init(map, other.version, other.root)
  }

  /// A version that is not held by this one.
  init(_ map: FileMap, _ version: UInt64, _ root: Reference) throws(PageError) {
    (self.map, self.version, self.root, holder) = (map, version, root, .other)
    pins = try map.makePins().map { .passRetained($0) }
  }

  /// The same version with decrypted memory of its own. It must be released before this one.
  package func makeReader() throws(PageError) -> PageVersion { try PageVersion(self, map) }

  /// The same version for a caller that verifies again what this process has found sound before. It must be released before this one.
  package func makeVerifier() throws(PageError) -> PageVersion { try PageVersion(self, map.again()) }

  /// Ends the use of the version, once. In a child of `fork` it does nothing: its parent holds it.
  package func release() {
    switch holder {
    case .reader(let reader, let store):
      if !store.file.owned.isOwn { return }
      store.readers.release(reader)
    case .lock(let viewer):
      if !viewer.file.owned.isOwn { return }
      viewer.release(version)
    case .other:
      if !map.isOwn { return }
    }
    map.free(pins?.takeRetainedValue())
  }

  /// Ends the use of the version, whose reader goes on with another one: addresses of what both versions have hold until that one
  /// is released.
  package func release(movingTo next: PageVersion) {
    moveDecrypted(to: next)
    release()
  }

  /// Leaves what was decrypted for the version to another one, so that its addresses hold until that one is released.
  package func moveDecrypted(to next: PageVersion) {
    if let pins = pins?.takeUnretainedValue(), let other = next.pins?.takeUnretainedValue(), map === next.map,
      map.isOwn
    {
      map.decrypted?.move(pins, to: other)
    }
  }

  /// Number of bytes that are decrypted for a version. Valid until the version is released; references are not counted for it.
  package struct DecryptedSize: Sendable {
    fileprivate let pins: Unmanaged<PinnedBlocks>

    @inline(__always)
    package var bytes: Int { pins._withUnsafeGuaranteedRef { $0.size } }
  }

  /// Nil of a plain file.
  package var decryptedSize: DecryptedSize? { pins.map { DecryptedSize(pins: $0) } }

  /// Number of bytes that a live realm pins before it releases what was decrypted for it.
  package static let decryptedLimit = 16 << 20

  /// Releases what was decrypted for the version if that is more than a number of bytes: all addresses that it has given are invalid
  /// then. What is read afterwards is decrypted again, unless it is still in memory.
  ///
  /// Nothing else may use the version meanwhile.
  ///
  /// - Returns: Whether it was released.
  @discardableResult
  package func releaseDecrypted(beyond size: Int = decryptedLimit) -> Bool {
    guard let pins, pins._withUnsafeGuaranteedRef({ $0.size }) > size, map.isOwn else { return false }
    map.decrypted?.release(pins.takeUnretainedValue())
    return true
  }

  /// The bytes of an extent of the version.
  @inline(__always)
  func content(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    try map.content(reference, pins)
  }

  func node(_ reference: Reference) throws(PageError) -> Node { Node(try content(reference)) }

  func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer {
    if !node.hasReference(index) { return node.inlineValue(index) }
    let reference = node.reference(index)
    return UnsafeRawBufferPointer(start: try content(reference), count: Int(reference.length))
  }

  /// The value of a key, in the file's memory.
  @inline(__always)
  package func value(_ key: UnsafeRawBufferPointer) throws(PageError) -> UnsafeRawBufferPointer? {
    if root.isNone { return nil }
    var node = Node(try content(root))
    var level = node.level
    while level > 0 {
      node = Node(try content(Reference(at: node.content(node.childIndex(key)))))
      level -= 1
      if node.level != level { throw .damaged("a node of the wrong level") }
    }
    let (index, isFound) = node.firstIndex(atOrAfter: key)
    if !isFound { return nil }
    if !node.hasReference(index) { return node.inlineValue(index) }
    let reference = node.reference(index)
    return UnsafeRawBufferPointer(start: try content(reference), count: Int(reference.length))
  }
}
