import LibC

/// Chunks of an encrypted file that are decrypted only while their rows are walked through: those with one
/// number, of all columns of a few tables.
///
/// What else is read of an encrypted file stays in memory with the transaction of LMDB that has read it (see
/// `OpenedValues`); a migration would keep all values in memory that it has read. These have no other owner: their
/// addresses are in the pointer tables of the snapshots, where reads find them, and are removed again at the end. Wide chunks
/// that were made meanwhile and point to strings of these get copies of them. No other code keeps an address over a call of
/// the program, and no other thread may read the tables meanwhile.
///
/// The rest is decrypted when it is first touched, as without this, and damage is reported then: sparse chunks and those that
/// are too short for their rows, which are read from copies, and long values and collections.
final class PassingChunks {
  private struct Passing {
    let table: Table
    let column: Int
    let content: UnsafeMutableRawBufferPointer
  }

  /// Before the content: the mark of its form.
  private static let headerSize = OpenedValue.headerSize

  private let cipher: FileCipher
  private let number: Int
  private var chunks: [Passing] = []
  /// By where they are in the file, which is the same for all who read one version.
  private var contents: [UnsafeRawPointer: UnsafeMutableRawBufferPointer] = [:]

  /// Nil when the file is not encrypted.
  init?(_ number: Int, of tables: [Table]) {
    guard let cipher = tables.first?.snapshot.file.checkedPlaces.openedValues?.cipher else { return nil }
    self.cipher = cipher
    self.number = number
    for table in tables where number < table.chunkCount {
      for column in -1..<table.state.pointee.columnCount { find(table, column) }
    }
  }

  deinit {
    for content in contents.values {
      explicit_bzero(content.baseAddress!, content.count)
      (content.baseAddress! - Self.headerSize).deallocate()
    }
  }

  // MARK: The beginning

  private func find(_ table: Table, _ column: Int) {
    let snapshot = table.snapshot
    if column >= 0 && snapshot.catalogue.tables[table.number].columns[column].isRemoved { return }
    let slot = table.slot(column, number)
    guard Table.load(slot) == nil,
      let content = content(ColumnKey(table: table.number, column: column, chunk: number), snapshot),
      content.count >= ChunkHeader.size
    else { return }
    let start = UnsafeRawPointer(content.baseAddress!)
    let needed = min(chunkCapacity, table.rowLimit - number * chunkCapacity)
    if SparseChunk(start) != nil || Chunk(start).count < needed { return }
    guard snapshot.checked(UnsafeRawBufferPointer(content), table, column, number) == start else { return }
    Table.store(start, slot)
    chunks.append(Passing(table: table, column: column, content: content))
  }

  private func content(_ key: ColumnKey, _ snapshot: Snapshot) -> UnsafeMutableRawBufferPointer? {
    key.withBytes { key in
      let found = snapshot.source.get(
        snapshot.file.databases.columns, key, ColumnKey.size, orReport: { _ in })
      guard let found, found.count >= Seal.encryptedSize else { return nil }
      if let known = contents[found.baseAddress!] { return known }
      guard snapshot.file.checkedPlaces.isSound(found), let content = decrypt(found, key) else { return nil }
      contents[found.baseAddress!] = content
      return content
    }
  }

  private func decrypt(
    _ stored: UnsafeRawBufferPointer, _ key: UnsafeRawPointer
  ) -> UnsafeMutableRawBufferPointer? {
    let size = stored.count - Seal.encryptedSize
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.headerSize + size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.headerSize)
    if cipher.open(stored: stored, key: key, ColumnKey.size, to: memory + Self.headerSize) {
      return UnsafeMutableRawBufferPointer(start: memory + Self.headerSize, count: size)
    }
    explicit_bzero(memory, Self.headerSize + size)
    memory.deallocate()
    return nil
  }

  // MARK: Meanwhile

  /// The chunk as it is stored, if it is among these.
  func stored(_ table: Table, _ column: Int) -> Chunk? {
    chunks.first { $0.table.state == table.state && $0.column == column }
      .map { Chunk(UnsafeRawPointer($0.content.baseAddress!)) }
  }

  // MARK: The end

  /// Takes the addresses out of the pointer tables. Nothing of these chunks is read from now on.
  func end() {
    for passing in chunks {
      let slot = passing.table.slot(passing.column, number)
      let content = UnsafeRawBufferPointer(passing.content)
      let snapshot = passing.table.snapshot
      guard let current = Table.load(slot) else { continue }
      if current == content.baseAddress {
        Table.store(nil, slot)
        // A shared snapshot never changes, and no other code may keep an address.
        if !snapshot.isShared { snapshot.noteChange() }
      } else if Chunk(current).isWide, let writing = snapshot.writing {
        WideChunk(UnsafeMutableRawPointer(mutating: current))
          .detach(from: content, to: writing.arena, snapshot.shared)
      }
    }
    chunks = []
  }
}
