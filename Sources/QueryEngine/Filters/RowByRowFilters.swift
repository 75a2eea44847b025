import Storage

/// Any condition on a value that has no faster filter, row by row.
final class ValueFilter: ChunkFilter {
  private let reader: RowReader
  private let source: ScalarSource
  private let condition: ValueCondition
  var cost: Double { 100 }

  init(_ reader: RowReader, _ source: ScalarSource, _ condition: ValueCondition) {
    self.reader = reader
    self.source = source
    self.condition = condition
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let type = source.type
    mask.filter { index in
      condition.matches(reader.value(of: source, row: number &* chunkCapacity &+ index), type: type)
    }
  }
}

/// Any predicate that has no faster filter, row by row.
final class InterpretedFilter: ChunkFilter {
  private let reader: RowReader
  private let predicate: Predicate
  var cost: Double { 200 }

  init(_ reader: RowReader, _ predicate: Predicate) {
    self.reader = reader
    self.predicate = predicate
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    mask.filter { reader.matches(predicate, row: number &* chunkCapacity &+ $0) }
  }
}
