/// Entries in the order of their keys: of a version that is held, or of a transaction.
package protocol PageReading {
  var root: Reference { get }
  func node(_ reference: Reference) throws(PageError) -> Node
  func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer
}

extension PageVersion: PageReading {
  package func node(_ reference: Reference) throws(PageError) -> Node { Node(try map.content(reference)) }

  package func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer {
    if !node.hasReference(index) { return node.inlineValue(index) }
    let reference = node.reference(index)
    return UnsafeRawBufferPointer(
      start: try map.content(reference), count: Int(reference.length))
  }
}

extension PageTransaction: PageReading {}
