/// Fills the blocks of all indexes of a copy again, as they come by in the order of their keys.
struct BlockRepacking {
  typealias Writing = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Void

  private let path: String
  /// Whether the keys of the source say nothing of the pairs, as those of encrypted files before format 7.
  private let hidKeys: Bool
  // One of them at most.
  private var integers: BlockRun<IntegerPair>?
  private var bytes: BlockRun<BytesPair>?
  /// What all keys of the run begin with.
  private var region: [UInt8] = []

  init(path: String, hidKeys: Bool = false) {
    self.path = path
    self.hidKeys = hidKeys
  }

  /// - Throws: When the block is damaged, and what writing throws.
  mutating func add(
    _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, _ write: Writing
  ) throws(StorageError) {
    guard key.count > IndexFormat.regionSize, let kind = IndexKeyKind(rawValue: key[4]) else {
      throw .damaged(path: path, "an index has a wrong key")
    }
    if region.isEmpty || !key.starts(with: region) {
      try flush(write)
      region = Array(key[..<IndexFormat.regionSize])
      let index = UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
      if kind == .bytes {
        bytes = BlockRun(index, kind, keepsKeys: !hidKeys)
      } else {
        integers = BlockRun(index, kind, keepsKeys: !hidKeys)
      }
    }
    if integers != nil { try Self.add(value, at: key, to: &integers!, path: path, write) }
    if bytes != nil { try Self.add(value, at: key, to: &bytes!, path: path, write) }
  }

  private static func add<Pair: IndexPair>(
    _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, to run: inout BlockRun<Pair>,
    path: String, _ write: Writing
  ) throws(StorageError) {
    // As good as full.
    if run.keepsKeys && run.isEmpty && value.count > IndexFormat.blockSize * 15 / 16 {
      return try write(key, value)
    }
    switch run.add(value) {
    case .added: if run.isFull { try run.flush(write) }
    case .keptApart:
      try run.flush(write)
      try run.write(apart: value, at: key, write)
    case .damaged(let fault): throw .damaged(path: path, "an index: \(fault)")
    }
  }

  /// Writes what is left of the run. To be called at the end.
  mutating func flush(_ write: Writing) throws(StorageError) {
    try integers?.flush(write)
    try bytes?.flush(write)
    integers = nil
    bytes = nil
    region = []
  }
}
