/// What entries are read from: a version that is held, or a transaction with its changes.
package enum PageSource {
  case version(PageVersion)
  case transaction(PageTransaction)

  package var root: Reference {
    switch self {
    case .version(let version): version.root
    case .transaction(let transaction): transaction.root
    }
  }

  package func node(_ reference: Reference) throws(PageError) -> Node {
    switch self {
    case .version(let version): try version.node(reference)
    case .transaction(let transaction): try transaction.node(reference)
    }
  }

  package func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer {
    switch self {
    case .version(let version): try version.value(index, in: node)
    case .transaction(let transaction): try transaction.value(index, in: node)
    }
  }

  /// Releases what was decrypted if that is more than a number of bytes.
  ///
  /// - Returns: Whether it was, and addresses are invalid.
  @discardableResult
  package func releaseDecrypted(beyond size: Int) -> Bool {
    switch self {
    case .version(let version): version.releaseDecrypted(beyond: size)
    case .transaction(let transaction):
      transaction.store.file.owned.isOwn && transaction.store.transactionPins.release(beyond: size)
    }
  }
}
