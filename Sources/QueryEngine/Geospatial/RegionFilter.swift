import Storage

/// Rows that hold a point of a region.
final class RegionFilter: ChunkFilter {
  private let table: Table
  private let columns: PointColumns
  private let region: SphericalRegion
  private let isPoint: BytesFilter
  var cost: Double { 700 }

  init(_ table: Table, _ columns: PointColumns, _ region: SphericalRegion) {
    self.table = table
    self.columns = columns
    self.region = region
    let isPoint = TextMatcher(.equal, Array(PointColumns.pointType.utf8))
    self.isPoint = BytesFilter(table, columns.type, .text(isPoint), acceptsNull: false)
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    isPoint.filter(mask, chunk: number)
    if mask.isEmpty { return }
    let counts = table.chunk(columns.coordinates, number: number)
    let countLimit = counts.count
    let firstRow = number &* chunkCapacity
    mask.filter { index in
      index < countLimit && counts.integer(index) >= 2
        && region.containsCoordinates(table, columns, row: firstRow &+ index)
    }
  }
}

extension SphericalRegion {
  /// Whether a row holds a point of the region.
  func contains(_ table: Table, _ columns: PointColumns, row: Int) -> Bool {
    table.value(columns.type, row) == .string(PointColumns.pointType)
      && table.count(columns.coordinates, row) >= 2 && containsCoordinates(table, columns, row: row)
  }

  /// Whether the first two coordinates of a row, which are there, are those of a point of the region.
  @inline(__always) fileprivate func containsCoordinates(
    _ table: Table, _ columns: PointColumns, row: Int
  ) -> Bool {
    let coordinates = table.snapshot.segment(
      CollectionKey(table: table.number, column: columns.coordinates, row: row), .values, 0)
    if coordinates.nullBitmap != nil && (coordinates.isNull(0) || coordinates.isNull(1)) { return false }
    return contains(latitude: coordinates.double(1), longitude: coordinates.double(0))
  }
}
