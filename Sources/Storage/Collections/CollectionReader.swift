import CLMDB

/// A collection as one version of the file has it, readable also after the snapshot has moved on.
public struct CollectionReader {
  private let lease: VersionLease
  private let database: MDB_dbi
  private let key: CollectionKey
  private let layout: ChunkLayout

  fileprivate init(_ snapshot: Snapshot, _ key: CollectionKey) {
    lease = snapshot.lease
    database = snapshot.file.databases.collections
    self.key = key
    layout = snapshot.catalogue.tables[key.table].columns[key.column].elementLayout
  }

  /// The elements from `index * chunkCapacity` on. Valid as long as the reader.
  public func segment(_ index: Int) -> Chunk {
    let stored = SegmentKey(key, .values, index).withBytes {
      lease.transaction.get(database, $0, SegmentKey.size)
    }
    if let stored { return Chunk(stored.baseAddress!) }
    return Chunk(ConstantChunk.chunk(layout, isNullable: false))
  }
}

extension Snapshot {
  /// Keeps the version of a collection readable; nil while a write transaction is open or staged.
  public func reader(_ key: CollectionKey) -> CollectionReader? {
    isAtVersion ? CollectionReader(self, key) : nil
  }
}
