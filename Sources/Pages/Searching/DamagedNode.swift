import LibC

/// The bytes of a node that is not what its parent says, and the references in them.
struct DamagedNode {
  let reference: Reference
  private let bytes: [UInt8]

  init(_ reference: Reference, _ map: FileMap) {
    self.reference = reference
    bytes = map.unverifiedBytes(reference)
  }

  private func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  /// The level that it says.
  var level: Int { bytes.count < Node.headerSize ? 0 : Int(bytes[2]) }

  /// The number of its entries; nil when its header cannot be trusted.
  ///
  /// - Parameter level: Its level.
  func count(_ level: Int) -> Int? {
    let leastContent = level > 0 ? Reference.size : 0
    guard bytes.count >= Node.headerSize, self.level == level, word(4) == bytes.count, word(6) == 0,
      word(0) > 0, Node.headerSize + word(0) * (2 + Node.entryHeaderSize + leastContent) <= bytes.count
    else { return nil }
    return word(0)
  }

  /// What may be a reference to a node, wherever it is.
  var references: [Reference] {
    offsets.compactMap { offset in
      let found = bytes.withUnsafeBytes { Reference(at: $0.baseAddress! + offset) }
      let isNode =
        !found.isValue && !found.isUnwritten && found.isEncrypted == reference.isEncrypted
        && found.flags.rawValue < 8
      guard isNode, Node.headerSize...Node.sizeLimit ~= Int(found.length), found.unit >= FileLayout.firstUnit,
        found.version > 0, found.version <= reference.version, found.unit != reference.unit
      else { return nil }
      return found
    }
  }

  /// What may be the checksum of a child.
  var sums: Set<Checksum128> {
    Set(offsets.map { offset in bytes.withUnsafeBytes { Checksum128(at: $0.baseAddress! + offset + 16) } })
  }

  private var offsets: Range<Int> { 0..<max(0, bytes.count - Reference.size + 1) }
}

extension FileMap {
  /// The bytes of a node that may be damaged, as far as they are there. Of an encrypted file, they are decrypted without being
  /// authenticated.
  func unverifiedBytes(_ reference: Reference) -> [UInt8] {
    let length = Int(reference.length)
    guard reference.unit < UInt64(limit / FileLayout.unit), length <= Node.sizeLimit,
      var bytes = try? file.bytes(reference.storedLength, at: Int(reference.unit) * FileLayout.unit)
    else { return [] }
    guard reference.isEncrypted else { return bytes }
    guard let cipher = file.cipher, bytes.count == reference.storedLength,
      bytes.withUnsafeMutableBytes({ cipher.decryptUnverified($0.baseAddress!, count: length) })
    else { return [] }
    bytes.removeLast(bytes.count - length)
    return bytes
  }

  /// The level of the node to which a reference leads that may be anything; nil when there is none that is what it says.
  ///
  /// Of an encrypted file, the node is not decrypted in its place: such a reference may lead into the middle of what is there.
  func levelOfNode(_ reference: Reference) -> Int? {
    guard reference.isEncrypted, let cipher = file.cipher else {
      return try? withContent(reference) { Node($0).level }
    }
    guard reference.unit < UInt64(limit / FileLayout.unit),
      var bytes = try? file.bytes(reference.storedLength, at: Int(reference.unit) * FileLayout.unit),
      bytes.count == reference.storedLength
    else { return nil }
    return bytes.withUnsafeMutableBytes { bytes in
      let start = bytes.baseAddress!
      guard cipher.open(start, reference, to: start), Node(start).isWellFormed(reference) else { return nil }
      return Node(start).level
    }
  }
}
