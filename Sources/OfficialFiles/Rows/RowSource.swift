/// Where the objects of a table come from.
protocol RowSource {
  var count: Int { get throws }
  func forEachBlock(_ body: (any RowBlock) throws -> Void) throws
}

/// Objects that are read together.
protocol RowBlock {
  var count: Int { get }
  func key(at row: Int) -> Int64
  func forEachValue(ofColumn column: Int, _ body: (_ row: Int, _ value: OfficialValue) throws -> Void) throws
}
