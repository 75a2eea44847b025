import QueryEngine
import Storage

extension Sequence where Element == StoredValue {
  /// An aggregate over values whose type is that of the first one that is not null.
  func aggregate(_ operation: AggregateOperation) -> StoredValue {
    var aggregate: ValueAggregate?
    for value in self {
      guard let type = value.type else { continue }
      if aggregate == nil { aggregate = ValueAggregate(operation, type) }
      aggregate?.add(value)
    }
    return aggregate?.reported ?? (operation == .sum ? .int(0) : .null)
  }
}

extension ClassTable {
  /// The column of a property by its Swift name.
  func column(named name: String) -> Int? {
    schema.index(of: name).map { columns[$0] }
  }
}
