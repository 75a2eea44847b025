package import Storage

/// The blocks of bytes in which a pull keeps the rows of objects that the server sends until they are applied.
///
/// A pull is applied in one transaction, which must not wait for the network. So all of it is kept before: the first blocks in memory,
/// the others in a file without a name beside the realm file.
package final class PulledBlocks {
  /// The place of a block.
  enum Block {
    case memory([UInt8])
    case scratch(number: Int)
  }

  private let file: DatabaseFile
  private let memoryLimit: Int
  private var memory = 0
  private var scratch: ScratchFile?
  /// Whether the disk has refused a block: the others stay in memory, too.
  private var isRefused = false

  /// - Parameter memoryLimit: Maximum number of bytes that are kept in memory, as long as the disk takes the others.
  package init(beside file: DatabaseFile, memoryLimit: Int) {
    (self.file, self.memoryLimit) = (file, memoryLimit)
  }

  /// Number of blocks that are kept on the disk.
  package private(set) var scratchCount = 0

  /// Keeps a block.
  func keep(_ bytes: [UInt8]) -> Block {
    if memory + bytes.count > memoryLimit, !isRefused {
      if scratch == nil { scratch = ScratchFile(beside: file) }
      if let number = bytes.withUnsafeBytes({ scratch?.append($0) }) {
        scratchCount += 1
        return .scratch(number: number)
      }
      isRefused = true
    }
    memory += bytes.count
    return .memory(bytes)
  }

  /// Calls the body with the bytes of a block, which are valid in the body only.
  ///
  /// - Throws: `StorageError` for a block that cannot be read back; what the body throws.
  func read(_ block: Block, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    switch block {
    case .memory(let bytes): try bytes.withUnsafeBytes(body)
    case .scratch(let number): try scratch!.read(number, body)
    }
  }
}
