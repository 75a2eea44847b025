import LibC

/// The private changes of an open write transaction, which only its snapshot sees.
///
/// Wide chunks are found through the snapshot's pointer tables; this keeps the list of them and everything that
/// has no chunk.
package final class WriteTransaction {
  /// A chunk that was written. In the bitmap of presence (column -1) the deleted rows count as written.
  struct DirtyChunk {
    var table: Int32
    var column: Int32
    var chunk: Int32
    /// Where it is while it is not packed.
    var wide: WideChunk
    /// Its stored form, when it has that already.
    var packed: PackedMemory.Chunk?
    /// Freed while the transaction was stored, because it is not used after that.
    var isFreed = false
  }

  var dirtyChunks: ContiguousArray<DirtyChunk> = []
  /// Where the packed chunks are in the list, until it is stored.
  var packedChunks: [ChunkPlace: Int] = [:]
  /// Positions in the list of packed chunks that were decoded again.
  var unpackedChunks: [ChunkPlace: Int] = [:]
  /// For each column.
  var packedMemories: [ChunkPlace: PackedMemory] = [:]
  /// Packed chunks that became wide again, whose strings are still in use.
  var unpackedStrings: [PackedMemory.Chunk] = []
  let arena = ByteArena()
  var collections: [CollectionKey: CollectionChanges] = [:]
  /// The collection changed last: most changes are of the same one again.
  @exclusivity(unchecked) var lastCollection: Unmanaged<CollectionChanges>?
  @exclusivity(unchecked) var lastCollectionKey = CollectionKey(table: -1, column: -1, row: -1)
  @exclusivity(unchecked) var indexChanges: [UInt32: IndexChanges] = [:]
  /// The index changed last: most changes are of the same one again.
  @exclusivity(unchecked) var lastIndex = UInt32.max
  @exclusivity(unchecked) var lastIndexChanges: Unmanaged<IndexChanges>?
  let catalogueAtBegin: Catalogue
  var isCatalogueChanged = false
  /// Indexes whose stored entries are dropped at commit, and are not seen before.
  @exclusivity(unchecked) var droppedIndexes: Set<UInt32> = []
  /// Why it cannot be committed: what it was built on has been lost.
  var failure: StorageError?
  /// The sequences that were asked, and what they were at before.
  var sequences: [(table: Int, column: Int, highest: Int64)] = []
  /// For each table with indexes over several columns, the rows that these do not have at the moment.
  @exclusivity(unchecked) var withdrawnKeys: [Int: WithdrawnKeys] = [:]
  /// What the content stamp was when no rule was found to be broken.
  var soundStamp: Int?
  /// What is left to be deleted with what was deleted.
  @exclusivity(unchecked) var cascade = Cascade()
  /// Deletions that a link forbids, if it is still there at the end.
  var deniedDeletions: [DeniedDeletion] = []
  /// What was written cannot be committed because it breaks a rule of the schema.
  var brokenRule: StorageError?
  /// The identity that the next list or dictionary in a mixed value gets. Each transaction begins with a random one, so that
  /// none of another transaction, also of one that was cancelled, is given again.
  private lazy var nextIdentity = UInt64.random(in: NestedHeader.firstIdentity ... .max)
  /// What made the changes, which the change log of a synced file says.
  package var origin = ChangeOrigin.user
  /// The stamp of the changes, in a synced file. 0: a transaction of a user gets one from the file's clock, one of sync has none.
  package var stamp: UInt64 = 0
  /// The stamp with which the transaction was stored.
  var storedStamp: UInt64 = 0
  /// The entries of the session that were set, or removed with nil.
  var sessionChanges: [SessionKey: [UInt8]?] = [:]
  /// Whether the file becomes a synced one.
  var marksSynced = false
  /// Links and mixed values of rows of the version before that lost a link because its target was deleted, and that nothing else
  /// has written. Noted in synced files only.
  @exclusivity(unchecked) var severedCells: Set<CollectionKey> = []
  /// Columns or tables whose content is to be erased at commit.
  var droppedColumns: [(table: Int, column: Int)] = []

  init(_ catalogue: Catalogue) {
    catalogueAtBegin = catalogue
  }

  /// Returns an identity for a list or dictionary that is stored in a mixed value.
  func makeIdentity() -> UInt64 {
    nextIdentity = (nextIdentity &+ 1) | NestedHeader.firstIdentity
    return nextIdentity
  }

  /// Returns the bytes of a mixed value that is about to be stored. Lists and dictionaries in it get new identities.
  func storedBytes(of value: Value) -> [UInt8] { value.mixedBytes { makeIdentity() } }

  /// Calls the body with the changes of an index, or nil when there are none.
  @inline(__always)
  func withExistingChanges<Result>(ofIndex index: UInt32, _ body: (IndexChanges?) -> Result) -> Result {
    if lastIndex == index, let last = lastIndexChanges { return last._withUnsafeGuaranteedRef { body($0) } }
    return body(indexChanges[index])
  }

  func findChanges(ofIndex index: UInt32) -> IndexChanges {
    let changes = indexChanges[index] ?? IndexChanges()
    indexChanges[index] = changes
    lastIndex = index
    lastIndexChanges = .passUnretained(changes)
    return changes
  }

  func forgetChanges(ofIndex index: UInt32) {
    indexChanges[index] = nil
    lastIndex = .max
    lastIndexChanges = nil
  }

  /// The collections that were changed until now.
  package var changedCollections: [CollectionKey] { collections.keys.sorted() }

  /// Whether anything was written.
  var isEmpty: Bool {
    dirtyChunks.isEmpty && collections.isEmpty && !isCatalogueChanged && indexChanges.isEmpty
      && droppedColumns.isEmpty && droppedIndexes.isEmpty && sessionChanges.isEmpty && failure == nil
  }

  deinit {
    for dirty in dirtyChunks where !dirty.isFreed { dirty.deallocate() }
    for packed in unpackedStrings { packed.deallocate() }
  }
}

extension WriteTransaction {
  struct ChunkPlace: Hashable {
    var table: Int32
    var column: Int32
    var chunk: Int32
  }

  func packedMemory(of place: ChunkPlace) -> PackedMemory {
    let column = ChunkPlace(table: place.table, column: place.column, chunk: -1)
    if let memory = packedMemories[column] { return memory }
    let memory = PackedMemory()
    packedMemories[column] = memory
    return memory
  }

  /// Frees the memory of byte strings that nothing points to any more, when that may be much. Cost: that of looking at
  /// all that were written, each time they have doubled.
  func freeUnusedBytes(next: UnsafeMutableRawPointer?) {
    guard arena.shallLookForUnused else { return }
    var use = arena.beginMarking()
    for dirty in dirtyChunks where dirty.packed == nil { dirty.wide.mark(&use) }
    for changes in collections.values { changes.mark(&use) }
    arena.freeUnmarked(use, next: next.map { UnsafeRawPointer($0) })
  }
}

extension WriteTransaction.DirtyChunk {
  var place: WriteTransaction.ChunkPlace { .init(table: table, column: column, chunk: chunk) }

  /// Where the chunk's values are.
  var base: UnsafeRawPointer { UnsafeRawPointer(packed?.bytes.baseAddress ?? wide.base) }

  /// A set bit for each value that was written; not used for a packed chunk of new rows.
  var writtenBitmap: UnsafeMutableRawPointer { packed?.writtenBitmap ?? wide.writtenBitmap }

  func deallocate() {
    if let packed { packed.deallocate() } else { wide.deallocate() }
  }
}
