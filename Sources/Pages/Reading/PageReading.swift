/// Entries in the order of their keys: of a version that is held, or of a transaction.
package protocol PageReading {
  var root: Reference { get }
  func node(_ reference: Reference) throws(PageError) -> Node
  func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer
  /// Releases what was decrypted if that is more than a number of bytes. Returns whether it was, and addresses are invalid.
  @discardableResult
  func releaseDecrypted(beyond size: Int) -> Bool
}

extension PageVersion: PageReading {
  package func node(_ reference: Reference) throws(PageError) -> Node { Node(try content(reference)) }

  package func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer {
    if !node.hasReference(index) { return node.inlineValue(index) }
    let reference = node.reference(index)
    return UnsafeRawBufferPointer(
      start: try content(reference), count: Int(reference.length))
  }
}

extension PageTransaction: PageReading {
  @discardableResult
  package func releaseDecrypted(beyond size: Int = PageVersion.decryptedLimit) -> Bool {
    store.file.owned.isOwn && store.transactionPins.release(beyond: size)
  }
}
