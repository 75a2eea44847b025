import Storage

/// Where a filter finds its values: the chunks of a column.
struct ColumnChunks {
  let table: Table
  let column: Int

  @inline(__always) func chunk(_ number: Int) -> Chunk { table.chunk(column, number: number) }

  /// See `ChunkFilter.prefetch(chunk:)`.
  func prefetch(_ number: Int) { table.prefetch(column, chunk: number) }
}
