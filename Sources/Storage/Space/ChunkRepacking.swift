import CLMDB
import Glibc

/// Makes the chunks of a copy as small as the rows that are there allow: what deleted rows have left in them goes.
struct ChunkRepacking {
  private let source: LMDBTransaction
  private let columns: MDB_dbi
  private let catalogue: Catalogue
  private let path: String

  init(_ source: LMDBTransaction, _ columns: MDB_dbi, _ catalogue: Catalogue, path: String) {
    self.source = source
    self.columns = columns
    self.catalogue = catalogue
    self.path = path
  }

  /// A smaller form of a chunk; nil when there is none.
  ///
  /// - Throws: When the chunk is damaged.
  func repacked(
    _ stored: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer
  ) throws(StorageError) -> [UInt8]? {
    guard let place = ColumnKey.Place(key), place.column >= 0, place.table < catalogue.tables.count,
      place.column < catalogue.tables[place.table].columns.count
    else { return nil }
    let table = catalogue.tables[place.table]
    let column = table.columns[place.column]
    let presenceKey = ColumnKey(table: place.table, column: -1, chunk: place.chunk)
    let presence = presenceKey.withBytes { source.get(columns, $0, ColumnKey.size) }
    guard let presence, presence.count == ChunkHeader.size + chunkBitmapSize else { return nil }
    let bits = presence.baseAddress! + ChunkHeader.size
    guard let base = stored.baseAddress, stored.count >= ChunkHeader.size else { return nil }
    let count = Chunk(base).count
    if count <= chunkCapacity, bitCount(bits, count) == count { return nil }
    let form = StoredChunk(stored, layout: column.layout)
    if let fault = form.fault {
      throw .damaged(
        path: path,
        "class '\(table.name)', property '\(column.name)', chunk \(place.chunk): \(fault)")
    }
    guard let smaller = form.repacked(presence: bits), smaller.count < stored.count else { return nil }
    return smaller
  }
}
